import { compilePath, type WebhookManifest } from '../../catalog/index.ts'
import { timingSafeEqualText } from '../../platform/crypto/index.ts'
import { hmacOf } from '../webhook-verification/digest.ts'
import { GrantRejected, lookupOf, ProviderTrouble, type ConnectionContext } from '../scheme.ts'
import { manifestOf } from './index.ts'

/** A request of the provider, as it came. */
export interface Webhook {
  body: Buffer
  headers: Readonly<Record<string, string | string[] | undefined>>
}
/** What it brings: a code, and the value by which the browser that came back is known. */
export interface Told {
  code: string
  match: string
}

const TEXT_MAX = 4_096

/** Reads a webhook that brings a code, once its signature over the very bytes is proven. @throws GrantRefused for a signature that is none, ProviderTrouble for what cannot be read */
export function readWebhook(setup: ConnectionContext, { body, headers }: Webhook): Told {
  const webhook = manifestOf(setup).callback?.webhook
  if (!webhook) throw new GrantRejected('no_webhook', 'This way of signing in knows no webhook.')
  if (!isSigned(webhook.signature, setup, body, headers))
    throw new GrantRejected(
      'invalid_signature',
      `The signature in ${webhook.signature.header} is missing or wrong.`,
    )
  let told: unknown
  try {
    told = JSON.parse(body.toString('utf8'))
  } catch {
    throw new ProviderTrouble('The body of the webhook is no JSON.')
  }
  return { code: textAt(told, webhook.code), match: textAt(told, webhook.match) }
}

function isSigned(
  { header, encoding = 'hex', prefix = '', ...digest }: WebhookManifest['signature'],
  setup: ConnectionContext,
  body: Buffer,
  headers: Webhook['headers'],
): boolean {
  const shown = headers[header.toLowerCase()]
  const expected = typeof shown === 'string' ? hmacOf(digest, lookupOf(setup), body) : undefined
  return expected !== undefined && timingSafeEqualText(shown as string, prefix + expected.toString(encoding))
}

function textAt(told: unknown, path: string): string {
  const value = compilePath(path)(told)
  if (
    (typeof value !== 'string' && typeof value !== 'number') ||
    value === '' ||
    String(value).length > TEXT_MAX
  )
    throw new ProviderTrouble(`The webhook holds no ${path}.`)
  return String(value)
}
