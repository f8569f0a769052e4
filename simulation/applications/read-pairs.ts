/** One pair of a query or a form, both halves as they stood on the wire. */
type Raw = readonly [name: string, value: string]

export const pairsOf = (text: string): Raw[] =>
  text === ''
    ? []
    : text.split('&').map((pair): Raw => {
        const at = pair.indexOf('=')
        return at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)]
      })

const DELIMITERS: Readonly<Record<string, string>> = { space: ' ', pipe: '|', tab: '\t' }
export const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** Names and values of a form, as text. */
export const decodedPairs = (text: string): Raw[] =>
  pairsOf(text).map(([name, value]): Raw => [decoded(name), decoded(value)])

/**
 * The members of a query or form by name, each read as its style wrote it. A comma that separates is bare,
 * one inside of an item is percent-encoded. What belongs to no declared name stays under its own, as text.
 */
export function readPairs(
  pairs: readonly Raw[],
  styles: Readonly<Record<string, string>>,
  names: ReadonlySet<string>,
  isList: (name: string) => boolean,
): Record<string, unknown> {
  const out: Record<string, unknown> = Object.create(null) as Record<string, unknown>
  for (const [rawName, raw] of pairs) {
    const name = decoded(rawName)
    const bracket = name.indexOf('[')
    const head = bracket > 0 ? name.slice(0, bracket) : name
    if (bracket > 0 && styles[head] === 'brackets')
      setIn(
        out,
        [head, ...[...name.slice(bracket).matchAll(/\[([^\]]*)\]/g)].map(([, key = '']) => key)],
        decoded(raw),
      )
    else if (styles[name] === 'comma') out[name] = raw.split(',').map(decoded)
    else if (Object.hasOwn(DELIMITERS, styles[name] ?? ''))
      out[name] = decoded(raw).split(DELIMITERS[styles[name]!]!)
    else if (names.has(name) && isList(name)) out[name] = [...((out[name] as string[]) ?? []), decoded(raw)]
    else out[name] = name in out ? [out[name], decoded(raw)].flat() : decoded(raw)
  }
  return Object.fromEntries(Object.entries(out).map(([name, value]) => [name, lists(value)]))
}

function setIn(target: Record<string, unknown>, [key = '', ...rest]: readonly string[], value: string): void {
  if (!rest.length) {
    target[key === '' ? String(Object.keys(target).length) : key] = value
    return
  }
  if (target[key] === null || typeof target[key] !== 'object') target[key] = Object.create(null) as object
  setIn(target[key] as Record<string, unknown>, rest, value)
}

/** An object whose keys are 0, 1, 2 … was a list. */
function lists(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  const keys = Object.keys(value)
  const inner = Object.values(value).map(lists)
  return keys.length && keys.every((key, index) => key === String(index))
    ? inner
    : Object.fromEntries(keys.map((key, index) => [key, inner[index]]))
}
