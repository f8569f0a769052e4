import { isObject, list, getOwn } from '../json.ts'
import { isSecretName, looksSecret } from '../../../platform/secret-detection.ts'

const ROUNDS = 8
const LENGTH_MAX = 4_000
export const VARIABLE = /\{\{([^{}]{1,200})\}\}/g

/** The variables of a collection. A value that may be a secret counts as none. */
export interface Variables {
  valueOf(name: string): string | undefined
  /** With every variable that has a value written out; the others stay. */
  filled(text: string): string
}

export function variablesOf(collection: unknown): Variables {
  const values = new Map<string, string>()
  for (const one of list(getOwn(collection, 'variable'))) {
    const [key, value] = [getOwn(one, 'key') ?? getOwn(one, 'id'), getOwn(one, 'value')]
    if (
      typeof key !== 'string' ||
      getOwn(one, 'disabled') === true ||
      getOwn(one, 'type') === 'secret' ||
      isObject(value) ||
      value === null ||
      value === undefined ||
      value === ''
    )
      continue
    const text = String(value)
    if (!/^https?:\/\//.test(text) && (isSecretName(key) || looksSecret(text))) continue
    values.set(key.trim(), text)
  }
  const filled = (text: string) => {
    let now = text
    for (let round = 0; round < ROUNDS && now.length <= LENGTH_MAX; round++) {
      const next = now.replace(VARIABLE, (whole, name: string) => values.get(name.trim()) ?? whole)
      if (next === now) break
      now = next
    }
    return now.length <= LENGTH_MAX ? now : text
  }
  return {
    filled,
    valueOf: (name) => {
      const value = values.get(name.trim())
      return value === undefined ? undefined : filled(value)
    },
  }
}
