import fc from 'fast-check'
import type { Route } from '../../src/contract/route.ts'
import type { Raw } from './send.ts'
import { HOSTILE_TEXTS, HOSTILE_VALUES, HOSTILE_JSON } from './hostile-values.ts'

interface Node {
  properties?: Record<string, Node>
  patternProperties?: Record<string, Node>
  items?: Node
  anyOf?: Node[]
  oneOf?: Node[]
  allOf?: Node[]
}
type Path = readonly (string | number)[]

/** Every place that a schema declares, the root included. */
export function placesOf(schema: unknown, at: Path = []): Path[] {
  const {
    properties = {},
    patternProperties = {},
    items,
    anyOf = [],
    oneOf = [],
    allOf = [],
  } = schema as Node
  const places = [
    at,
    ...Object.entries(properties).flatMap(([name, member]) => placesOf(member, [...at, name])),
    ...Object.values(patternProperties).flatMap((member) => placesOf(member, [...at, 'any'])),
    ...(items ? placesOf(items, [...at, 0]) : []),
    ...[...anyOf, ...oneOf, ...allOf].flatMap((variant) => placesOf(variant, at)),
  ]
  return [...new Map(places.map((path) => [JSON.stringify(path), path])).values()]
}

/** The value with one place replaced; what lies on the way is made. `undefined` removes. */
export function withPlace(value: unknown, [key, ...rest]: Path, put: unknown): unknown {
  if (key === undefined) return put
  const inner = withPlace(
    typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined,
    rest,
    put,
  )
  if (typeof key === 'number') return [inner, ...(Array.isArray(value) ? value.slice(1) : [])]
  const others = Object.entries(
    typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {},
  ).filter(([name]) => name !== key)
  // defines its keys, so that `__proto__` is one
  return Object.fromEntries(inner === undefined ? others : [...others, [key, inner]])
}
const text = fc.oneof(
  fc.constantFrom(...HOSTILE_TEXTS),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ maxLength: 40 }),
)
/** `jsonValue` leaves out half characters; `anyHalf` puts them in. */
const value = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...HOSTILE_VALUES) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
  { weight: 1, arbitrary: text },
)

const brokenBody = (example: unknown, places: readonly Path[]) =>
  fc
    .tuple(
      fc.constantFrom(...places),
      fc.oneof({ weight: 6, arbitrary: value }, { weight: 1, arbitrary: fc.constant(undefined) }),
    )
    .map(([path, put]): Raw => ({ text: JSON.stringify(withPlace(example, path, put)) ?? '' }))
const extraMember = (example: unknown) =>
  fc
    .tuple(text, value)
    .map(([name, put]): Raw => ({ text: JSON.stringify(withPlace(example, [name], put)) ?? '' }))
const anyBody = fc
  .oneof(fc.constantFrom(...HOSTILE_JSON), fc.json({ maxDepth: 6 }), text)
  .map((body): Raw => ({ text: body }))

const brokenParam = (example: Raw, names: readonly string[]) =>
  fc.oneof(
    fc
      .tuple(fc.constantFrom(...names), text)
      .map(([name, put]): Raw => ({ params: { ...example.params, [name]: put } })),
    fc
      .tuple(
        fc.constantFrom(...names),
        fc.constantFrom(
          '%',
          '%zz',
          '%00',
          '%ED%A0%80',
          '%C0%AE',
          '%2F',
          '..%2F..',
          ';',
          'a%0d%0ab',
          '%u0041',
          '*',
          '@',
        ),
      )
      .map(([name, put]): Raw => ({ encoded: true, params: { ...example.params, [name]: put } })),
  )

const queryName = (names: readonly string[]) =>
  fc.oneof(fc.constantFrom(...names, 'limit', 'cursor', '__proto__', 'constructor', ''), text.map(encodeAny))
const querySuffix = fc.constantFrom(
  '',
  '',
  '',
  '[]',
  '[a]',
  '[__proto__]',
  '[a][b]',
  '[',
  ']',
  '%5B%5D',
  '%5Bgmail%5D',
  '[0]',
)
const brokenQuery = (names: readonly string[]) =>
  fc
    .array(
      fc.tuple(
        queryName(names),
        querySuffix,
        fc.oneof(
          text.map(encodeAny),
          fc.constantFrom('%', '%zz', '%00', ',', ',,', 'a,b', '%2C', 'true', '1', '=', '&'),
        ),
      ),
      { minLength: 1, maxLength: 6 },
    )
    .map((parts): Raw => ({ query: parts.map(([name, suffix, put]) => `${name}${suffix}=${put}`).join('&') }))
const HEADER_NAMES = [
  'x-request-id',
  'content-type',
  'content-encoding',
  'accept',
  'x-llm-gateway-headers',
  'x-framework',
  'x-source',
  'x-runtime',
  'x-sdk-version',
  'user-agent',
  'cookie',
  'authorization',
  'x-forwarded-for',
  'origin',
  'if-none-match',
  'x-http-method-override',
]
const HEADER_TEXTS = [
  '',
  '{',
  '{}',
  '[]',
  'null',
  '{"__proto__":1}',
  '*/*',
  'gzip',
  'application/json; charset=utf-16',
  'application/json;',
  'application/vnd.x+json',
  'multipart/form-data',
  'text/json',
  'é',
  '\u00ff',
  'a'.repeat(4_000),
  '127.0.0.1',
  "' or 1=1",
]
const brokenHeaders = fc
  .dictionary(
    fc.constantFrom(...HEADER_NAMES),
    fc.oneof(fc.constantFrom(...HEADER_TEXTS), fc.string({ maxLength: 40 })),
    { minKeys: 1, maxKeys: 4 },
  )
  .map((headers): Raw => ({ headers }))

/** Half characters cannot be encoded; the rest is as a careless client sends it. */
function encodeAny(value: string): string {
  return encodeURIComponent(value.toWellFormed())
}

/** Requests that are close to a good one and wrong in one respect, or in none that the server could name. */
export function badInput(route: Route, example: Raw): fc.Arbitrary<Raw> {
  const names = Object.keys((route.params as Node).properties ?? {})
  const queries = Object.keys((route.query as Node).properties ?? {})
  const places = placesOf(route.body)
  const kinds: fc.WeightedArbitrary<Raw>[] = [
    { weight: 2, arbitrary: brokenQuery(queries) },
    { weight: 1, arbitrary: brokenHeaders },
  ]
  if (names.length) kinds.push({ weight: 2, arbitrary: brokenParam(example, names) })
  if (route.method !== 'GET') kinds.push({ weight: 2, arbitrary: anyBody })
  if (places.length > 1)
    kinds.push(
      { weight: 6, arbitrary: brokenBody(example.body, places) },
      { weight: 1, arbitrary: extraMember(example.body) },
    )
  return fc.oneof(...kinds)
}
