import { percentEncode } from './percent-encode.ts'
import type { PathStyle, QueryStyle, QueryValue } from '../../../types/index.ts'
import { UnsafeValue } from '../template/errors.ts'
import { valueToText } from '../template/templates.ts'
import { isObject } from '../../../../platform/json-object.ts'

/** One pair of a query, a form or a multipart body; `V` is what an item becomes. */
export type ParameterPair<V> = [name: string, value: V]

const DELIMITERS: Readonly<Partial<Record<QueryStyle, string>>> = { space: ' ', pipe: '|', tab: '\t' }
/** Deeper than any honest filter; arguments are no way to exhaust the stack. */
const DEPTH_MAX = 64

const isNullish = (value: unknown): boolean => value === null || value === undefined

/**
 * How a value is written into a query or a form (OpenAPI 3.1.1, "Style Values"; `brackets` is its
 * deepObject):
 *
 * | style | `[1, 2]` under `a` | `{b: 1, c: 2}` under `a` |
 * |---|---|---|
 * | repeat | `a=1&a=2` | its JSON |
 * | comma | `a=1,2` | `a=b,1,c,2` |
 * | space, pipe, tab | `a=1 2`, `a=1\|2` | `a=b 1 c 2` |
 * | brackets | `a[]=1&a[]=2` | `a[b]=1&a[c]=2` |
 * | spread | `a=1&a=2` | `b=1&c=2` |
 *
 * Null, an empty list and an empty object write nothing. Lists of objects are numbered under `brackets`:
 * `a[0][b]=1`, since `a[][b]=1` would not say where an item ends.
 * @throws UnsafeValue for what is nested too deep to be written.
 */
export function serializeParameter(
  name: string,
  value: unknown,
  style: QueryStyle,
): ParameterPair<QueryValue>[] {
  if (isNullish(value)) return []
  if (style === 'brackets') return serializeWithBrackets(name, value, 0)
  if (style === 'spread' && isObject(value))
    return Object.entries(value).flatMap(([key, item]) =>
      Array.isArray(item)
        ? serializeParameter(key, item, 'repeat')
        : isNullish(item)
          ? []
          : [[key, valueToText(item)!] as ParameterPair<QueryValue>],
    )
  if (style === 'repeat' || style === 'spread')
    return (Array.isArray(value) ? value : [value])
      .filter((item) => !isNullish(item))
      .map((item) => [name, itemToText(item)])
  const items = toItems(value)
  if (!Array.isArray(value) && !isObject(value)) return [[name, valueToText(value)!]]
  if (items.length === 0) return []
  return [[name, style === 'comma' ? items : items.join(DELIMITERS[style])]]
}

/** A nested list is `a,b` and a nested object its JSON: no style says more. */
const itemToText = (item: unknown): string => (isObject(item) ? JSON.stringify(item) : valueToText(item)!)

function toItems(value: unknown): string[] {
  if (Array.isArray(value)) return value.map((item) => valueToText(item) ?? '')
  return isObject(value)
    ? Object.entries(value)
        .filter(([, item]) => !isNullish(item))
        .flatMap(([key, item]) => [key, valueToText(item)!])
    : []
}

function serializeWithBrackets(name: string, value: unknown, depth: number): ParameterPair<QueryValue>[] {
  if (isNullish(value)) return []
  if (depth > DEPTH_MAX)
    throw new UnsafeValue(
      name.slice(0, name.indexOf('[')),
      `must not be nested deeper than ${DEPTH_MAX} levels`,
    )
  if (Array.isArray(value)) {
    const numbered = value.some((item) => item !== null && typeof item === 'object')
    return value.flatMap((item, index) =>
      serializeWithBrackets(numbered ? `${name}[${index}]` : `${name}[]`, item, depth + 1),
    )
  }
  if (isObject(value))
    return Object.entries(value).flatMap(([key, item]) =>
      serializeWithBrackets(`${name}[${key}]`, item, depth + 1),
    )
  return [[name, valueToText(value)!]]
}

const PATH_SEPARATORS: Readonly<Record<string, { first: string; between: string; withName: boolean }>> = {
  simple: { first: '', between: ',', withName: false },
  label: { first: '.', between: '.', withName: false },
  matrix: { first: ';', between: ';', withName: true },
}

/**
 * A value in a path, percent-encoded item by item (RFC 6570): `simple` is `a,b`, `label` `.a,b`, `matrix`
 * `;name=a,b`; exploded, items are apart and members of objects are `key=value`. Undefined when there is
 * nothing to write.
 */
export function serializePathParameter(name: string, value: unknown, style: PathStyle): string | undefined {
  const kind = style.replace('_explode', '')
  const explode = style.endsWith('_explode')
  const { first, between, withName } = PATH_SEPARATORS[kind]!
  const own = withName ? `${percentEncode(name)}=` : ''
  if (isNullish(value) || value === '') return undefined
  if (!Array.isArray(value) && !isObject(value)) return first + own + percentEncode(valueToText(value)!)
  if (!explode) {
    const items = toItems(value)
    return items.length === 0 ? undefined : first + own + items.map(percentEncode).join(',')
  }
  const items = Array.isArray(value)
    ? value.map((item) => own + percentEncode(valueToText(item) ?? ''))
    : Object.entries(value)
        .filter(([, item]) => !isNullish(item))
        .map(([key, item]) => `${percentEncode(key)}=${percentEncode(valueToText(item)!)}`)
  return items.length === 0 ? undefined : first + items.join(between)
}

/** An object as `a,1,b,2`, or as `a=1,b=2`; other values as text. */
export function serializeObject(value: unknown, between: ',' | '='): string | null {
  if (!isObject(value)) return valueToText(value) ?? null
  return Object.entries(value)
    .filter(([, item]) => !isNullish(item))
    .map(([key, item]) => `${key}${between}${valueToText(item)!}`)
    .join(',')
}
