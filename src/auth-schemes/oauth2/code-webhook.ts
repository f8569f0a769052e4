import { parseBoundedJson } from '../../platform/bounded-json.ts'
import { compilePath, type WebhookManifest } from '../../catalog/index.ts'
import { timingSafeEqualText } from '../../platform/crypto/index.ts'
import { computeHmac } from '../webhook-verification/hmac.ts'
import { GrantRejected, credentialLookup, ProviderUnavailable, type ConnectionContext } from '../scheme.ts'
import { oauth2Manifest } from './manifest.ts'

/** A request of the provider, unparsed: the signature covers the exact bytes. */
export interface CodeWebhook {
  body: Buffer
  headers: Readonly<Record<string, string | string[] | undefined>>
}
/** Content of the webhook: a code, and the value that identifies the browser that comes back. */
export interface WebhookCode {
  code: string
  match: string
}

const TEXT_MAX = 4_096

/**
 * Verifies the signature of a webhook and reads its code.
 * @throws GrantRejected for an invalid signature, ProviderUnavailable for an unreadable body
 */
export function readCodeWebhook(connection: ConnectionContext, { body, headers }: CodeWebhook): WebhookCode {
  const webhook = oauth2Manifest(connection).callback?.webhook
  if (!webhook) throw new GrantRejected('no_webhook', 'This authentication scheme has no webhook.')
  if (!hasValidSignature(webhook.signature, connection, body, headers))
    throw new GrantRejected(
      'invalid_signature',
      `The signature in ${webhook.signature.header} is missing or wrong.`,
    )
  let payload: unknown
  try {
    payload = parseBoundedJson(body.toString('utf8'))
  } catch {
    throw new ProviderUnavailable('The body of the webhook is not JSON.')
  }
  return { code: textAt(payload, webhook.code), match: textAt(payload, webhook.match) }
}

function hasValidSignature(
  { header, encoding = 'hex', prefix = '', ...digest }: WebhookManifest['signature'],
  connection: ConnectionContext,
  body: Buffer,
  headers: CodeWebhook['headers'],
): boolean {
  const signature = headers[header.toLowerCase()]
  const expected =
    typeof signature === 'string' ? computeHmac(digest, credentialLookup(connection), body) : undefined
  return (
    expected !== undefined && timingSafeEqualText(signature as string, prefix + expected.toString(encoding))
  )
}

function textAt(payload: unknown, path: string): string {
  const value = compilePath(path)(payload)
  if (
    (typeof value !== 'string' && typeof value !== 'number') ||
    value === '' ||
    String(value).length > TEXT_MAX
  )
    throw new ProviderUnavailable(`The webhook contains no ${path}.`)
  return String(value)
}
