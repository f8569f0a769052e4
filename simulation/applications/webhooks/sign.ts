import { createHmac } from 'node:crypto'
import type { TriggerManifest } from '../../../src/catalog/index.ts'
import { written } from '../error-replies.ts'

export type Webhook = NonNullable<TriggerManifest['webhook']>
/** A call of an application as it is put together: what paths of the manifest lead into. */
export interface Draft {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
}

type Values = Readonly<Record<string, unknown>>

/** A template of proof, filled from what is known. */
export const texted = (template: string, values: Values): string =>
  template.replace(/\{([\w.]+)\}/g, (_, name: string) => String(values[name] ?? ''))

function encodedToken(
  { equals, encoding }: { equals: string; encoding?: BufferEncoding },
  values: Values,
): string {
  const text = texted(equals, values)
  return encoding ? Buffer.from(text).toString(encoding) : text
}

/**
 * Proves a call as its manifest says that the application does. `now` in milliseconds since the epoch.
 * @throws Error where nothing here could make the proof
 */
export function signed({ verify }: Webhook, draft: Draft, values: Values, now: number): Draft {
  switch (verify?.kind) {
    case 'token':
      return verify.each
        ? draft
        : at(draft, verify.at, `${verify.prefix ?? ''}${encodedToken(verify, values)}`)
    case 'hmac':
      return withMac(verify, draft, values, now)
    case 'address':
    case undefined:
      return draft
    default:
      throw new Error(`The simulation has no key to make a ${verify!.kind} with.`)
  }
}

/** The token that every event carries. */
export const tokenOf = ({ verify }: Webhook, values: Values): { at: string; text: string } | undefined =>
  verify?.kind === 'token' && verify.each ? { at: verify.at, text: texted(verify.equals, values) } : undefined

type Hmac = Extract<NonNullable<Webhook['verify']>, { kind: 'hmac' }>

/** The time of a delivery in the unit that the receiver expects; seconds since 1970 by default. */
function timestampText(unit: NonNullable<Hmac['timestamp']>['unit'] | undefined, now: number): string {
  if (unit === 'timestamp_ms') return String(now)
  return unit === 'date' ? new Date(now).toISOString() : String(Math.floor(now / 1_000))
}

function withMac(
  {
    algorithm,
    key,
    key_prefix: prefix = '',
    key_encoding: keyEncoding = 'utf8',
    message = '{body}',
    signature,
    timestamp,
    values: namedValues = {},
  }: Hmac,
  draft: Draft,
  values: Values,
  now: number,
): Draft {
  const moment = timestampText(timestamp?.unit, now)
  const timed =
    timestamp && timestamp.separator === undefined
      ? at(
          draft,
          timestamp.at,
          timestamp.at.startsWith('body.') ? Number(moment) : `${timestamp.prefix ?? ''}${moment}`,
        )
      : draft
  const body = bodyText(timed)
  const brought = Object.fromEntries(
    Object.entries(namedValues).map(([name, path]) => [name, pathIn(timed, path)]),
  )
  const text = message.replace(/\{(\w+)\}/g, (_, name: string) =>
    name === 'body'
      ? body
      : String(
          {
            method: timed.method,
            url: timed.url,
            path: new URL(timed.url).pathname,
            timestamp: moment,
            ...brought,
          }[name] ?? '',
        ),
  )
  const secret = texted(key, values)
  const mac = createHmac(
    algorithm,
    Buffer.from(secret.startsWith(prefix) ? secret.slice(prefix.length) : secret, keyEncoding),
  )
    .update(text)
    .digest(signature.encoding ?? 'hex')
  const parts = [
    timestamp?.separator !== undefined && timestamp.at === signature.at
      ? `${timestamp.prefix ?? ''}${moment}`
      : undefined,
    `${signature.prefix ?? ''}${mac}`,
  ].filter((one) => one !== undefined)
  return at(timed, signature.at, parts.join(signature.separator ?? ''))
}

/**
 * The draft with a value at a path such as `headers.x-signature` or `body.time`; header names hold no dots,
 * bodies do.
 */
export function at(draft: Draft, path: string, value: unknown): Draft {
  const root = path.split(/[.[]/, 1)[0]!
  if (root === 'headers' || root === 'query')
    return { ...draft, [root]: { ...draft[root], [path.slice(root.length + 1)]: String(value) } }
  return root === 'body'
    ? { ...draft, body: path === 'body' ? value : written(draft.body, path.slice(5), value) }
    : draft
}

const pathIn = (draft: Draft, path: string): unknown =>
  path.startsWith('headers.')
    ? draft.headers[path.slice(8)]
    : path.startsWith('query.')
      ? draft.query[path.slice(6)]
      : undefined

export const bodyText = ({ body }: Draft): string => (body === undefined ? '' : JSON.stringify(body))
