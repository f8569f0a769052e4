import { createHash, createPublicKey } from 'node:crypto'
import type { PlaceholderAlternative, Lookup, Placeholder, Template } from '../../../types/index.ts'
import { MissingValue, UnsafeValue } from './errors.ts'

const NAME = '[A-Za-z_$][A-Za-z0-9_.$-]*'
const ALTERNATIVE = `(?:${NAME}|'[^']*')`
const PLACEHOLDER = new RegExp(
  `\\{(\\+)?(${ALTERNATIVE}(?:\\s*\\|\\|\\s*${ALTERNATIVE})*)((?:\\s*\\|\\s*[a-z0-9_]+)*)(\\?)?\\}`,
  'y',
)

const FILTERS: Readonly<Record<string, (text: string) => string>> = {
  base64: (text) => Buffer.from(text).toString('base64'),
  base64url: (text) => Buffer.from(text).toString('base64url'),
  md5: (text) => createHash('md5').update(text).digest('hex'),
  sha256: (text) => createHash('sha256').update(text).digest('hex'),
  urlencode: (text) => encodeURIComponent(text.toWellFormed()),
  lower: (text) => text.toLowerCase(),
  upper: (text) => text.toUpperCase(),
  trim: (text) => text.trim(),
  before_colon: (text) => text.split(':', 1)[0]!,
  after_colon: (text) => (text.includes(':') ? text.slice(text.indexOf(':') + 1) : ''),
  public_key_sha256: publicKeyFingerprint,
}

/** Base64 of the SHA-256 of the public half (SubjectPublicKeyInfo) of a private key in PEM form. */
function publicKeyFingerprint(pem: string): string {
  try {
    return createHash('sha256')
      .update(createPublicKey(pem.replaceAll('\\n', '\n')).export({ type: 'spki', format: 'der' }))
      .digest('base64')
  } catch {
    throw new UnsafeValue('key', 'must be a key in PEM form')
  }
}

/**
 * Compiles a template text. `{{` writes one brace, and so does a brace before white space, a quote, a brace
 * or the end, so that a text can contain JSON and query languages; any other brace must open a well-formed
 * placeholder.
 */
export function compileTemplate(source: string): Template {
  const parts: (string | Placeholder)[] = []
  let literal = ''
  let at = 0
  while (at < source.length) {
    const open = source.indexOf('{', at)
    if (open < 0) break
    literal += source.slice(at, open)
    if (source[open + 1] === '{' || /^[\s"}]?$/.test(source[open + 1] ?? '')) {
      literal += '{'
      at = open + (source[open + 1] === '{' ? 2 : 1)
      continue
    }
    if (literal) parts.push(literal)
    const place = parsePlaceholder(source, open, nextPosition(parts))
    parts.push(place.place)
    literal = ''
    at = place.end
  }
  literal += source.slice(at)
  if (literal) parts.push(literal)
  const places = parts.filter((part) => typeof part !== 'string')
  const namesOf = (place: Placeholder) =>
    place.alternatives.flatMap((one) => ('name' in one ? [one.name] : []))
  return {
    source,
    parts,
    names: [...new Set(places.flatMap(namesOf))],
    required: [
      ...new Set(
        places
          .filter((place) => !place.optional && place.alternatives.every((one) => 'name' in one))
          .flatMap(namesOf),
      ),
    ],
  }
}

function parsePlaceholder(
  source: string,
  open: number,
  position: Placeholder['position'],
): { place: Placeholder; end: number } {
  PLACEHOLDER.lastIndex = open
  const match = PLACEHOLDER.exec(source)
  if (!match)
    throw new SyntaxError(
      `\`${source.slice(open, open + 24)}\` is not a placeholder. Write \`{name}\`, \`{a||b||'text'}\`, ` +
        `\`{name|filter}\`, \`{name?}\`, or \`{{\` for a brace.`,
    )
  const alternatives = [...match[2]!.matchAll(new RegExp(ALTERNATIVE, 'g'))].map(
    ([one]): PlaceholderAlternative => (one.startsWith("'") ? { text: one.slice(1, -1) } : { name: one }),
  )
  const filters = match[3]!
    .split('|')
    .slice(1)
    .map((word) => {
      const filter = word.trim()
      if (!Object.hasOwn(FILTERS, filter))
        throw new SyntaxError(`\`${filter}\` is not a filter. Filters: ${Object.keys(FILTERS).join(', ')}.`)
      return FILTERS[filter]!
    })
  return {
    place: { alternatives, filters, optional: match[4] === '?', keepSlashes: match[1] === '+', position },
    end: PLACEHOLDER.lastIndex,
  }
}

/** Returns the URL part of the next placeholder, if the template is a URL. */
function nextPosition(parts: readonly (string | Placeholder)[]): Placeholder['position'] {
  if (parts.length === 0) return 'start'
  const before = parts.map((part) => (typeof part === 'string' ? part : 'x')).join('')
  if (before.includes('?')) return 'query'
  const absolute = typeof parts[0] === 'string' && /^[a-z]+:\/\//i.test(parts[0])
  return absolute && !before.slice(before.indexOf('://') + 3).includes('/') ? 'host' : 'path'
}

/** Fills every place; throws `MissingValue` for one that nothing supplies. */
export function render(template: Template, lookup: Lookup): string {
  let out = ''
  for (const part of template.parts)
    out += typeof part === 'string' ? part : (renderPlaceholder(part, lookup) ?? throwMissingValue(part))
  return out
}

/**
 * As `render`, for header, query and body members: undefined when a `{name?}` place has no value, the member
 * is left out then.
 */
export function renderOptional(template: Template, lookup: Lookup): string | undefined {
  let out = ''
  for (const part of template.parts) {
    if (typeof part === 'string') {
      out += part
      continue
    }
    const text = renderPlaceholder(part, lookup)
    if (text === undefined && part.optional) return undefined
    out += text ?? throwMissingValue(part)
  }
  return out
}

/**
 * The text of one place, or undefined. An empty value yields to the next alternative: a form field left blank
 * is not set; as the last one it is taken, since a password may be empty.
 */
export function renderPlaceholder(place: Placeholder, lookup: Lookup): string | undefined {
  let text: string | undefined
  for (const one of place.alternatives) {
    const found = 'name' in one ? valueToText(lookup(one.name)) : one.text
    if (found === undefined) continue
    text = found
    if (found !== '') break
  }
  if (text === undefined) return undefined
  for (const filter of place.filters) text = filter(text)
  return text
}

/** The name to blame for a place without a value. */
export function placeholderName(place: Placeholder): string {
  const first = place.alternatives[0]!
  return 'name' in first ? first.name : first.text
}

/** A value as text: lists as `a,b`, objects as JSON; undefined for null and undefined. */
export function valueToText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (value === null || value === undefined || typeof value === 'function' || typeof value === 'symbol')
    return undefined
  if (typeof value !== 'object') return String(value)
  if (Array.isArray(value) && value.every((item) => item === null || typeof item !== 'object'))
    return value.join(',')
  return JSON.stringify(value)
}

/** A lookup in a record: own keys only, so that `{constructor}` finds nothing. */
export function lookupFrom(values: Readonly<Record<string, unknown>>): Lookup {
  return (name) => (Object.hasOwn(values, name) ? values[name] : undefined)
}

function throwMissingValue(place: Placeholder): never {
  throw new MissingValue(placeholderName(place))
}
