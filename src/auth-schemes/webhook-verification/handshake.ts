import { type Delivery, type HandshakeManifest, type Lookup, MissingValue } from '../../catalog/index.ts'
import { timingSafeEqualText } from '../../platform/crypto/index.ts'
import { fillBytes, fillText, fillTexts } from '../texts.ts'
import { hmacOf } from './digest.ts'
import { at, plainText } from './values.ts'

/** What an application is answered that tries an address, and what it brought to be kept. */
export interface Shaken {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly save: Readonly<Record<string, string>>
}

/** A challenge is some dozens of letters; more would let anybody have us say a page. */
const CHALLENGE_MAX = 2_048

/** The answer to a request for which a handshake holds; undefined where what it brings is missing, wrong, or cannot be signed. */
export function shakeHands(
  { expect = {}, values = {}, sign, save = {}, reply }: HandshakeManifest,
  delivery: Delivery,
  lookup: Lookup,
): Shaken | undefined {
  try {
    for (const [path, template] of Object.entries(expect)) {
      const wanted = fillText(template, lookup)
      const given = plainText(at(path, delivery))
      if (wanted === '' || given === undefined || !timingSafeEqualText(given, wanted)) return undefined
    }
    const brought = textsAt(values, delivery)
    const kept = textsAt(save, delivery)
    if (!brought || !kept) return undefined
    const named = new Map(Object.entries(brought))
    const own: Lookup = (name) => named.get(name)
    if (sign) {
      const mac = hmacOf(sign, lookup, fillBytes(sign.message, own, {}))
      if (!mac) return undefined
      named.set(sign.name, mac.toString(sign.encoding ?? 'hex'))
    }
    const status = reply.status ?? 200
    const headers = fillTexts(reply.headers, own)
    if (Object.values(headers).some((value) => /[^\t\x20-\x7e]/.test(value))) return undefined
    if (reply.json)
      return {
        status,
        headers: { ...headers, 'content-type': 'application/json; charset=utf-8' },
        body: JSON.stringify(fillTexts(reply.json, own)),
        save: kept,
      }
    return {
      status,
      headers: { ...headers, 'content-type': 'text/plain; charset=utf-8' },
      body: reply.text === undefined ? '' : fillText(reply.text, own),
      save: kept,
    }
  } catch (error) {
    if (error instanceof MissingValue) return undefined
    throw error
  }
}

function textsAt(
  paths: Readonly<Record<string, string>>,
  delivery: Delivery,
): Record<string, string> | undefined {
  const all = Object.entries(paths).map(([name, path]) => [name, plainText(at(path, delivery))] as const)
  if (all.some(([, text]) => text === undefined || text === '' || text.length > CHALLENGE_MAX))
    return undefined
  return Object.fromEntries(all) as Record<string, string>
}
