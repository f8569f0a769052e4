import { createHash } from 'node:crypto'

const NAME_MAX = 64
const HASH_CHARACTERS = 6
/** Fits every dialect. */
const PLAIN = /^[a-zA-Z][a-zA-Z0-9_]{0,63}$/

/**
 * Maps invalid property names of an object to valid ones: letters and digits with `_`
 * between. Original name to valid name, only for names that some format rejects. The same in every format and
 * unique, so that arguments of any client map back to their properties.
 */
export function safePropertyNames(names: readonly string[]): ReadonlyMap<string, string> {
  const used = new Set(names)
  const written = new Map<string, string>()
  for (const name of names) {
    if (PLAIN.test(name)) continue
    const safe = safeName(name)
    const unique = used.has(safe) ? `${safe.slice(0, NAME_MAX - HASH_CHARACTERS - 1)}_${hash(name)}` : safe
    used.add(unique)
    written.set(name, unique)
  }
  return written
}

function safeName(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/[^a-zA-Z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
  const safe = /^[a-zA-Z]/.test(words) ? words : `p_${words || hash(name)}`
  return safe.length <= NAME_MAX ? safe : `${safe.slice(0, NAME_MAX - HASH_CHARACTERS - 1)}_${hash(name)}`
}

const hash = (name: string): string =>
  createHash('sha256').update(name).digest('hex').slice(0, HASH_CHARACTERS)
