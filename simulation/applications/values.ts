import { createHash } from 'node:crypto'
import type { JsonSchema } from '../../src/catalog/index.ts'
import { propertiesOf, typesOf } from './read-arguments.ts'
import { plain, wordsOf } from './words.ts'

/** What values are made for: the kind of object, which one of its kind, and when. */
export interface Making {
  readonly type: string
  readonly number: number
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Words that arguments of the toolkit may have, by plain name: what an object is likely to hold. */
  readonly words: ReadonlyMap<string, unknown>
  /** What may be null is null: nobody gave it. */
  readonly sparse: boolean
}

/** The first day of every simulation. */
export const BEGINNING = Date.UTC(2026, 0, 5, 9)

/** The response with the last page names no next page. */
const NEXT = /^@?[\w.]*(next|cursor)|^offset$/i
const DEPTH_MAX = 8
const PERSON = { name: 'Ada Example', login: 'ada', email: 'ada@example.com' }

/** Texts by what their name says, the first that fits. */
const TEXTS: readonly (readonly [name: RegExp, make: (making: Making, name: string) => string])[] = [
  [/e?mail/, () => PERSON.email],
  [
    /^(html|web|avatar|browser|access|download|short)?_?(url|uri|link|href|permalink)s?$|url$|link$|uri$|_url_|website|webpage/i,
    ({ type, number }) => `https://example.com/${type}/${number}`,
  ],
  [/time_?zone$|^tz$|zoneinfo/i, () => 'Etc/UTC'],
  [
    /(_at|date|time|created|updated|modified|timestamp|when|start|end|since|until|_on)$|DateTime|^(created|updated|date)/i,
    ({ now }) => new Date(now).toISOString(),
  ],
  [/^(user_?name|login|handle|nick)$/i, () => PERSON.login],
  [/(display|full|first|last|real|given|family|sur|author)_?name|^author$|owner$|^by$/i, () => PERSON.name],
  [/sha|hash|digest|etag|rev$|revision/i, ({ type, number }) => hashOf(`${type}${number}`).slice(0, 40)],
  [/currency/i, () => 'usd'],
  [/country/i, () => 'US'],
  [/lang|locale/i, () => 'en'],
  [/color|colour/i, () => '0e8a16'],
  [/phone|^(to|from)$/i, () => '+15005550006'],
  [/mime|content_?type/i, () => 'text/plain'],
  [/amount|price|balance/i, () => '10.00'],
  [/(^|_)path/i, ({ type, number }) => `/${type}-${number}.txt`],
  [
    /^(title|subject|summary|name|label|text|body|content|description|snippet|message|topic|comment)/i,
    ({ type, number }, name) =>
      `Sample ${type} ${number}${/body|description|content|text/i.test(name) ? ', as the simulation made it' : ''}`,
  ],
]

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** A value that fits the schema and is always the same for the same making. */
export function valueFor(schema: JsonSchema, name: string, making: Making, depth = 0): unknown {
  const types = typesOf(schema)
  const known = [
    schema['const'],
    (schema['enum'] as unknown[] | undefined)?.[0],
    (schema['examples'] as unknown[] | undefined)?.[0],
  ].find((value) => value !== undefined)
  if (known !== undefined) return known
  if (making.sparse && types.includes('null')) return null
  const [alternative] = (schema['anyOf'] ?? schema['oneOf'] ?? []) as JsonSchema[]
  if (!types.length && alternative) return valueFor(alternative, name, making, depth)
  switch (types.find((type) => type !== 'null')) {
    case 'string':
      return textFor(schema, name, making)
    case 'integer':
    case 'number':
      return numberFor(schema, name, making)
    case 'boolean':
      return /^(ok|value|active|success|successful|enabled|verified|is_(active|member)|merged|deleted|archived_ok|can[A-Z].*|saved|valid)$/.test(
        name,
      )
    case 'array':
      return depth >= DEPTH_MAX || (making.sparse && depth > 0)
        ? []
        : [valueFor((schema['items'] ?? {}) as JsonSchema, name, making, depth + 1)]
    case 'object':
      return depth >= DEPTH_MAX ? {} : objectFor(schema, making, depth)
    default:
      return null
  }
}

function objectFor(schema: JsonSchema, making: Making, depth: number): Record<string, unknown> {
  const members = Object.entries(propertiesOf(schema)).filter(
    ([key, inner]) => !(making.sparse && NEXT.test(key) && typesOf(inner).includes('string')),
  )
  return Object.fromEntries(members.map(([key, inner]) => [key, valueFor(inner, key, making, depth + 1)]))
}

function textFor(schema: JsonSchema, name: string, making: Making): string {
  const word = making.words.get(plain(name))
  if (
    typeof word === 'string' &&
    /^(state|status|type|role|kind|visibility|scope|privacy|priority|mode|category)$/i.test(
      wordsOf(name).at(-1) ?? '',
    )
  )
    return word
  if (schema['format'] === 'date') return new Date(making.now).toISOString().slice(0, 10)
  if (schema['format'] === 'date-time') return new Date(making.now).toISOString()
  if (isIdName(name)) return mintedLike(undefined, `${making.type}/${name}`, making.number)
  const [, make] = TEXTS.find(([pattern]) => pattern.test(name)) ?? []
  return make?.(making, name) ?? `${wordsOf(name).join(' ')} ${making.number}`
}

function numberFor(schema: JsonSchema, name: string, { number, now, sparse }: Making): number {
  const low = (schema['minimum'] ??
    (typeof schema['exclusiveMinimum'] === 'number' ? schema['exclusiveMinimum'] + 1 : undefined)) as
    | number
    | undefined
  const value = /(_at|date|time|created|updated|timestamp)$|^(created|date|time|ts)/i.test(name)
    ? Math.floor(now / 1_000)
    : /total|count|unread|page_?size/i.test(name)
      ? 0
      : isIdName(name)
        ? number
        : /lat|lon|elevation/i.test(name)
          ? 52
          : sparse
            ? 0
            : number
  return low === undefined ? value : Math.max(low, value)
}

export const isIdName = (name: string): boolean =>
  /(^|_)(id|gid|sid|iid|uid|uuid|key|number|ts)$|Id$|^id[A-Z]/.test(name)

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/**
 * A further identifier that looks like an example: its last digits count, or its last long word is another
 * one of the same characters.
 */
export function mintedLike(example: unknown, kind: string, number: number): string {
  const text = example === undefined ? '1' : String(example)
  const hash = hashOf(`${kind}/${number}`)
  if (UUID.test(text)) return hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5')
  const digits = /\d+(?!.*\d)/.exec(text)
  const words = [...text.matchAll(/[A-Za-z0-9]{8,}/g)].filter(([word]) => /[A-Za-z]/.test(word))
  const word = words.at(-1)
  if (word) {
    const lower = !/[A-Z]/.test(word[0])
    const prefix = /^(app|rec|tbl|fld|viw|[A-Z]{2}(?=[0-9a-f]{32}$))/.exec(word[0])?.[0] ?? ''
    const made = (
      lower
        ? hash.repeat(4)
        : Buffer.from(hash.repeat(2), 'hex')
            .toString('base64')
            .replace(/[^A-Za-z0-9]/g, 'x')
            .repeat(3)
    ).slice(0, word[0].length - prefix.length)
    return (
      text.slice(0, word.index) +
      prefix +
      (/^[0-9a-fA-F]+$/.test(word[0].slice(prefix.length)) ? hash.repeat(4).slice(0, made.length) : made) +
      text.slice(word.index + word[0].length)
    )
  }
  if (!digits) return `${text}${number}`
  const next = digits[0].length > 9 ? String(BigInt(digits[0]) + BigInt(number)) : String(1_000 + number)
  return text.slice(0, digits.index) + next + text.slice(digits.index + digits[0].length)
}
