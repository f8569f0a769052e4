import { JSON_TEMPLATE, PLACE } from './places.ts'

/**
 * What decoding found out: argument and connection values by name, and how many literal parts of the template
 * were met.
 */
export interface Found {
  values: Map<string, unknown>
  literals: number
  /** Names whose values came from JSON, and so have their type already. */
  typed: Set<string>
  isJson: boolean
}

export const nothingFound = (): Found => ({ values: new Map(), literals: 0, typed: new Set(), isJson: false })

const LIST_CASTS: Readonly<Record<string, (text: string) => unknown>> = {
  csv: (text) => text.split(','),
  json: (text) => parsed(text),
  base64: (text) => Buffer.from(text, 'base64').toString(),
  number: (text) => Number(text),
  pairs: (text) => {
    const items = text.split(',')
    return Object.fromEntries(
      items.flatMap((key, index) => (index % 2 ? [] : [[key, items[index + 1] ?? '']])),
    )
  },
  members: (text) =>
    Object.fromEntries(
      text.split(',').map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
    ),
}

/**
 * Reads back what a JSON template wrote: the values of its places go into `found`. It knows nothing of the
 * encoder, so that one checks the other. Answers whether the value can come from the template.
 */
export function readBack(template: unknown, value: unknown, found: Found): boolean {
  if (typeof template === 'string')
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? readText(template, String(value), found)
      : false
  if (template === null || typeof template !== 'object')
    return template === value ? Boolean(++found.literals) : false
  if (Array.isArray(template)) return Array.isArray(value) && readList(template, value, found)
  const { $: name, as } = template as { $?: unknown; as?: string }
  // Name, type and size of a file that another place holds.
  if (typeof name === 'string' && as?.startsWith('file_')) return true
  if (typeof name === 'string')
    return put(
      found,
      name,
      value !== null && as !== undefined && LIST_CASTS[as] && typeof value === 'string'
        ? LIST_CASTS[as](value)
        : value,
    )
  return isObject(value) && readObject(template as Record<string, unknown>, value, found)
}

function readObject(
  template: Record<string, unknown>,
  value: Record<string, unknown>,
  found: Found,
): boolean {
  if (Object.keys(value).some((key) => !Object.hasOwn(template, key))) return false
  found.literals += Object.keys(value).length
  return Object.entries(template).every(([key, inner]) =>
    Object.hasOwn(value, key) ? readBack(inner, value[key], found) : canBeAbsent(inner),
  )
}

/**
 * Items whose arguments were not given are left out, so each item of the value belongs to the next template
 * item that fits.
 */
function readList(template: readonly unknown[], value: readonly unknown[], found: Found): boolean {
  let at = 0
  for (const item of template) {
    if (at < value.length) {
      const tried: Found = { ...found, values: new Map(found.values) }
      if (readBack(item, value[at], tried)) {
        found.values = tried.values
        found.literals = tried.literals
        at++
        continue
      }
    }
    if (!canBeAbsent(item)) return false
  }
  return at === value.length
}

/** Whether a template writes nothing when none of its arguments is given. */
export function canBeAbsent(template: unknown): boolean {
  if (typeof template === 'string') return PLACE.test(template)
  return template !== null && typeof template === 'object' && JSON_TEMPLATE.test(JSON.stringify(template))
}

const texts = new Map<string, { pattern: RegExp; names: string[] }>()
const TEXTS_MAX = 20_000

/** A text with places: each place takes as little as it can, a literal must stand as it is. */
export function readText(template: string, text: string, found: Found): boolean {
  const { pattern, names } = patternOf(template, IN_TEXT)
  const match = pattern.exec(text)
  if (!match) return false
  if (!names.length || template.replace(/\{[^}]*\}/g, '').length) found.literals++
  const isTyped = found.isJson
  found.isJson = false // A place of a text holds text, whatever is around it.
  const fits = names.every((name, index) =>
    put(found, name, unfiltered(template, name, match[index + 1] ?? '')),
  )
  found.isJson = isTyped
  return fits
}

/** What a place of an ordinary text holds, and one of an address. */
export const IN_TEXT = '([^]*?)'
export const IN_ADDRESS = '([^/?#]+)'

/** Of the filters that a place may go through, one can be undone. */
const unfiltered = (template: string, name: string, text: string): string =>
  new RegExp(`\\{\\+?${name}\\s*\\|\\s*urlencode`).test(template) ? decodeURIComponent(text) : text

/** A template text as a regular expression with one group a place, and the first name of each. */
export function patternOf(template: string, group: string): { pattern: RegExp; names: string[] } {
  const key = `${group}\n${template}`
  let known = texts.get(key)
  if (!known) {
    const names: string[] = []
    let source = ''
    let at = 0
    for (const match of template.matchAll(new RegExp(`\\{\\{|${PLACE.source}`, 'g'))) {
      source += escaped(template.slice(at, match.index))
      at = match.index + match[0].length
      if (match[0] === '{{') {
        source += '\\{'
        continue
      }
      names.push(/[A-Za-z_$][\w.$-]*/.exec(match[0])?.[0] ?? '')
      const isAddress = group === IN_ADDRESS
      if (isAddress && match.index === 0) source += '(https?:\\/\\/[^?#]+?)'
      else source += match[1] === '+' ? '(.*?)' : isAddress && match[0].includes("''") ? '([^/?#]*)' : group
    }
    known = { pattern: new RegExp(`^${source}${escaped(template.slice(at))}$`), names }
    if (texts.size >= TEXTS_MAX) texts.clear()
    texts.set(key, known)
  }
  return known
}

/** The same name in two places has one value. */
function put(found: Found, name: string, value: unknown): boolean {
  if (found.values.has(name)) return JSON.stringify(found.values.get(name)) === JSON.stringify(value)
  found.values.set(name, value)
  if (found.isJson) found.typed.add(name)
  return true
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value) && !(value instanceof Buffer)
const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
