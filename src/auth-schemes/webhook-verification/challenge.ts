import {
  type IncomingDelivery,
  type HandshakeManifest,
  type Lookup,
  MissingValue,
} from '../../catalog/index.ts'
import { timingSafeEqualText } from '../../platform/crypto/index.ts'
import { fillTemplateBytes, fillTemplate, fillTemplates } from '../credentials/templates.ts'
import { computeHmac } from './hmac.ts'
import { readPath, plainText } from './delivery-values.ts'

/** Response to an application that verifies a webhook URL, and the values to save from its request. */
export interface ChallengeResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly save: Readonly<Record<string, string>>
}

/** Challenges are short. A longer one would let anyone make this server return a page of their choice. */
const CHALLENGE_MAX = 2_048

/** Answers the challenge of an application; undefined if a value is missing or wrong, or cannot be signed. */
export function answerChallenge(
  { expect = {}, values = {}, sign, save = {}, reply }: HandshakeManifest,
  delivery: IncomingDelivery,
  lookup: Lookup,
): ChallengeResponse | undefined {
  try {
    for (const [path, template] of Object.entries(expect)) {
      const expected = fillTemplate(template, lookup)
      const actual = plainText(readPath(path, delivery))
      if (expected === '' || actual === undefined || !timingSafeEqualText(actual, expected)) return undefined
    }
    const texts = textsAt(values, delivery)
    const saved = textsAt(save, delivery)
    if (!texts || !saved) return undefined
    const names = new Map(Object.entries(texts))
    const textLookup: Lookup = (name) => names.get(name)
    if (sign) {
      const mac = computeHmac(sign, lookup, fillTemplateBytes(sign.message, textLookup, {}))
      if (!mac) return undefined
      names.set(sign.name, mac.toString(sign.encoding ?? 'hex'))
    }
    const status = reply.status ?? 200
    const headers = fillTemplates(reply.headers, textLookup)
    if (Object.values(headers).some((value) => /[^\t\x20-\x7e]/.test(value))) return undefined
    if (reply.json)
      return {
        status,
        headers: { ...headers, 'content-type': 'application/json; charset=utf-8' },
        body: JSON.stringify(fillTemplates(reply.json, textLookup)),
        save: saved,
      }
    return {
      status,
      headers: { ...headers, 'content-type': 'text/plain; charset=utf-8' },
      body: reply.text === undefined ? '' : fillTemplate(reply.text, textLookup),
      save: saved,
    }
  } catch (error) {
    if (error instanceof MissingValue) return undefined
    throw error
  }
}

function textsAt(
  paths: Readonly<Record<string, string>>,
  delivery: IncomingDelivery,
): Record<string, string> | undefined {
  const all = Object.entries(paths).map(
    ([name, path]) => [name, plainText(readPath(path, delivery))] as const,
  )
  if (all.some(([, text]) => text === undefined || text === '' || text.length > CHALLENGE_MAX))
    return undefined
  return Object.fromEntries(all) as Record<string, string>
}
