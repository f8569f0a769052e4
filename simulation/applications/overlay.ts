import type { JsonSchema } from '../../src/catalog/index.ts'
import { isObject } from './read-back.ts'
import { propertiesOf, typesOf } from './read-arguments.ts'
import { plain } from './words.ts'

const DEPTH_MAX = 8

/**
 * Writes what a request said onto an object of the application: members of the same name, whatever their
 * spelling. A plain value for a member that is an object becomes its id or name: `assignees: ["ada"]` are
 * objects with that login, `teamId` is the id of `team`.
 */
export function overlay(
  target: Record<string, unknown>,
  schema: JsonSchema,
  source: Readonly<Record<string, unknown>>,
  depth = 0,
): void {
  if (depth > DEPTH_MAX) return
  const properties = propertiesOf(schema)
  if (!Object.keys(properties).length) {
    for (const [key, value] of Object.entries(source)) if (key !== '__proto__') target[key] = value
    return
  }
  for (const [key, value] of Object.entries(source)) {
    const name = nameFor(key, properties)
    if (name === undefined) continue
    const fitted = fit(value, properties[name]!, key, target[name], depth)
    if (fitted !== undefined) target[name] = fitted
  }
}

/** The member that an argument means: the same word, or an object that the argument gives the id of. */
function nameFor(key: string, properties: Record<string, JsonSchema>): string | undefined {
  if (Object.hasOwn(properties, key)) return key
  const names = Object.keys(properties)
  const target = plain(key)
  const bare = target.replace(/(id|ids|key|gid|name|login)$/, '')
  return (
    names.find((name) => plain(name) === target) ??
    names.find(
      (name) =>
        bare.length > 1 &&
        bare !== target &&
        (plain(name) === bare || plain(name) === `${bare}s`) &&
        isNested(properties[name]!),
    )
  )
}

const isNested = (schema: JsonSchema): boolean =>
  typesOf(schema).some((type) => type === 'object' || type === 'array')

/** The value as the schema has it; undefined when it cannot be that. */
function fit(value: unknown, schema: JsonSchema, key: string, before: unknown, depth: number): unknown {
  const types = typesOf(schema).length
    ? typesOf(schema)
    : Object.keys(propertiesOf(schema)).length
      ? ['object']
      : []
  if (value === null) return types.includes('null') || !types.length ? null : undefined
  if (!types.length) return value
  if (types.includes('array'))
    return (
      Array.isArray(value)
        ? value
        : typeof value === 'string' && value.includes(',')
          ? value.split(',')
          : [value]
    )
      .map((item) => fit(item, (schema['items'] ?? {}) as JsonSchema, key, undefined, depth + 1))
      .filter((item) => item !== undefined)
  if (types.includes('object'))
    return isObject(value)
      ? nested(value, schema, before, depth)
      : Array.isArray(value)
        ? inside(value, schema, key, before)
        : types.includes(typeof value)
          ? value
          : naming(value, schema, key, before)
  if (typeof value === 'object') return undefined
  if (types.includes('string')) return String(value)
  if (types.includes('boolean'))
    return typeof value === 'boolean'
      ? value
      : value === 'true'
        ? true
        : value === 'false'
          ? false
          : undefined
  return value !== '' && Number.isFinite(Number(value)) && typeof value !== 'boolean'
    ? Number(value)
    : undefined
}

function nested(
  value: Record<string, unknown>,
  schema: JsonSchema,
  before: unknown,
  depth: number,
): Record<string, unknown> {
  const out = isObject(before) ? { ...before } : {}
  overlay(out, schema, value, depth + 1)
  return out
}

/** A list where the application has an object with a list in it: `{"nodes": […]}`. */
function inside(
  value: unknown[],
  schema: JsonSchema,
  key: string,
  before: unknown,
): Record<string, unknown> | undefined {
  const lists = Object.entries(propertiesOf(schema)).filter(([, one]) => typesOf(one).includes('array'))
  const [only] = lists
  return only && lists.length === 1
    ? { ...(isObject(before) ? before : {}), [only[0]]: fit(value, only[1], key, undefined, DEPTH_MAX) }
    : undefined
}

const NAMES = [
  'login',
  'name',
  'displayName',
  'username',
  'email',
  'value',
  'label',
  'plain_text',
  'text',
  'title',
]

function naming(
  value: unknown,
  schema: JsonSchema,
  key: string,
  before: unknown,
): Record<string, unknown> | undefined {
  const properties = propertiesOf(schema)
  const names = Object.keys(properties)
  const ids = names.filter((name) => /^(id|gid|sid|key|accountId|Id)$/.test(name))
  const member = /(id|ids|gid|key)$/i.test(key)
    ? (ids[0] ?? names[0])
    : (NAMES.find((name) => names.includes(name)) ?? ids[0] ?? names[0])
  if (member === undefined) return undefined
  const fitted = fit(value, properties[member]!, key, undefined, DEPTH_MAX)
  return fitted === undefined ? undefined : { ...(isObject(before) ? before : {}), [member]: fitted }
}

/** The members of a value that a schema declares, all the way down; what declares none lets all pass. */
export function project(value: unknown, schema: JsonSchema, depth = 0): unknown {
  if (depth > DEPTH_MAX || value === null) return value
  if (typeof value !== 'object') return asTyped(value, typesOf(schema))
  if (Array.isArray(value))
    return value.map((item) => project(item, (schema['items'] ?? {}) as JsonSchema, depth + 1))
  const properties = propertiesOf(schema)
  if (!Object.keys(properties).length) return value
  const own = value as Record<string, unknown>
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => Object.hasOwn(own, name))
      .map(([name, inner]) => [name, project(own[name], inner, depth + 1)]),
  )
}

/** Two tools may show the same member as text and as number. */
function asTyped(value: unknown, types: readonly string[]): unknown {
  if (
    !types.length ||
    types.includes(typeof value) ||
    (typeof value === 'number' && types.includes('integer'))
  )
    return value
  return types.includes('string')
    ? String(value)
    : types.some((type) => type === 'integer' || type === 'number')
      ? Number(/-?\d+(\.\d+)?/.exec(String(value))?.[0] ?? 1)
      : value
}

/** Both schemas in one: the properties of either, all the way down. */
export function merged(a: JsonSchema, b: JsonSchema, depth = 0): JsonSchema {
  if (depth > DEPTH_MAX) return a
  const [one, other] = [propertiesOf(a), propertiesOf(b)]
  const isEmpty = !Object.keys(one).length && !Object.keys(other).length
  if (isEmpty) return { ...b, ...a }
  const items =
    a['items'] && b['items']
      ? { items: merged(a['items'] as JsonSchema, b['items'] as JsonSchema, depth + 1) }
      : {}
  const properties = Object.fromEntries(
    [...new Set([...Object.keys(one), ...Object.keys(other)])].map((name) => [
      name,
      one[name] && other[name] ? merged(one[name], other[name], depth + 1) : (one[name] ?? other[name]),
    ]),
  )
  return { ...b, ...a, ...items, properties }
}
