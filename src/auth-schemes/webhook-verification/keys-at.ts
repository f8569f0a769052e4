import type { JSONWebKeySet } from 'jose'
import type { SchemeTools } from '../scheme.ts'
import { ProviderTrouble } from '../scheme.ts'
import { isObject } from '../../platform/json-object.ts'
import { request } from '../provider-request.ts'
import type { KeysAt } from './jwt.ts'

const FRESH_MS = 3_600_000
/** How soon after the last time an address is asked again for a key that it did not have: anybody can name one. */
const AGAIN_MS = 60_000
const KNOWN_MAX = 100

/** Public keys of applications, remembered for an hour. Callers that need the same ones share a request. */
export function keyMemory(tools: Pick<SchemeTools, 'egress' | 'now'>): KeysAt {
  const known = new Map<string, { at: number; keys: Promise<JSONWebKeySet> }>()

  function ask(url: string): Promise<JSONWebKeySet> {
    const keys = read(url)
    if (known.size >= KNOWN_MAX) known.delete(known.keys().next().value as string)
    known.set(url, { at: tools.now(), keys })
    keys.catch(() => {
      if (known.get(url)?.keys === keys) known.delete(url)
    })
    return keys
  }

  async function read(url: string): Promise<JSONWebKeySet> {
    const { status, body } = await request(tools, undefined, { method: 'GET', url, timeoutMs: 3_000 })
    if (status !== 200 || !isObject(body) || !Array.isArray(body['keys']))
      throw new ProviderTrouble(
        `The keys of the provider could not be read: ${new URL(url).host} answered with status ${status}.`,
      )
    return body as unknown as JSONWebKeySet
  }

  return async (url, has) => {
    const held = known.get(url)
    const age = held ? tools.now() - held.at : Infinity
    if (!held || age > FRESH_MS) return ask(url)
    const keys = await held.keys
    return age > AGAIN_MS && has && !has(keys) ? ask(url) : keys
  }
}
