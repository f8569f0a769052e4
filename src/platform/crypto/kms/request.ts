import { setTimeout as wait } from 'node:timers/promises'
import { allowRuleOf, createEgress, type EgressResponse, parseAllowRules } from '../../egress/index.ts'
import { parseBoundedJsonOrUndefined } from '../../bounded-json.ts'
import { isObject } from '../../json-object.ts'
import { KmsError } from './types.ts'

const TIMEOUT_MS = 5_000
const RESPONSE_BYTES_MAX = 64 * 1024
const ATTEMPTS = 3
const BACKOFF_MS = 200
const REASON_CHARACTERS_MAX = 200

export interface KmsRequest {
  method: 'GET' | 'POST'
  url: string
  headers: Record<string, string>
  body?: string
}

/** Finds the reason in the response of a service that rejected a request. */
export type ReasonOf = (body: Record<string, unknown>) => unknown

/**
 * Sends a request to the service that the administrator has chosen, whose IP address may be private, and returns its
 * JSON. Failures of the network and of the service (5xx, 429) are tried again: three attempts of 5 s.
 * @throws KmsError
 */
export async function requestKms(
  service: string,
  create: () => KmsRequest,
  reasonOf: ReasonOf,
): Promise<Record<string, unknown>> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await requestOnce(service, create(), reasonOf)
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error
      if (attempt === ATTEMPTS) throw new KmsError(error.message, { cause: error.cause })
      await wait(BACKOFF_MS * 2 ** attempt)
    }
  }
}

/** Another attempt may succeed. */
class Unavailable extends Error {}

async function requestOnce(
  service: string,
  { url, ...request }: KmsRequest,
  reasonOf: ReasonOf,
): Promise<Record<string, unknown>> {
  const target = new URL(url)
  const egress = createEgress({ allow: parseAllowRules(allowRuleOf(target)) })
  const { status, body }: EgressResponse = await egress
    .send({ ...request, url, maxRedirects: 0, timeoutMs: TIMEOUT_MS, bytesMax: RESPONSE_BYTES_MAX })
    .catch((cause: Error) => {
      throw new Unavailable(`${service} at ${target.host} cannot be reached: ${cause.message}`, { cause })
    })
    .finally(() => egress.close())
  const json = parseBoundedJsonOrUndefined(body.toString('utf8'))
  if (status === 200 && isObject(json)) return json
  const reason = isObject(json) ? reasonOf(json) : undefined
  const message =
    `${service} at ${target.host} returned ${status}` +
    (typeof reason === 'string' ? ` ${reason.slice(0, REASON_CHARACTERS_MAX)}` : '')
  throw status >= 500 || status === 429 ? new Unavailable(message) : new KmsError(message)
}

/** Returns a text field of a response. @throws KmsError if it is missing */
export function textField(service: string, body: Record<string, unknown>, name: string): string {
  const value = body[name]
  if (typeof value === 'string' && value !== '') return value
  throw new KmsError(`${service} returned no ${name}`)
}

export const toBase64 = (bytes: Buffer | string): string => Buffer.from(bytes as string).toString('base64')
