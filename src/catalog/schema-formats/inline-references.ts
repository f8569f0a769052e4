import { SCHEMA_LIST_KEYWORDS, SCHEMA_MAP_KEYWORDS, SINGLE_SCHEMA_KEYWORDS } from '../schema-keywords.ts'
import type { JsonSchema } from '../types/index.ts'
import { isSchema, mergeSchemas, type JsonObject } from './merge.ts'

/**
 * More nodes than this in one schema, references written out, are no input for a model; also the bound
 * against references that double at every level.
 */
const NODES_MAX = 5_000
const DEPTH_MAX = 24
const REFERENCES_MAX = 64

const REMOVED_KEYWORDS = new Set([
  '__proto__',
  '$ref',
  '$defs',
  'definitions',
  '$schema',
  '$id',
  'id',
  '$anchor',
  '$comment',
  '$vocabulary',
  'allOf',
  'nullable',
  'discriminator',
  'xml',
  'externalDocs',
])

interface InlineState {
  root: JsonObject
  nodes: number
}

/**
 * The same schema without references, for readers that know none: `$ref` written out, a cycle cut with a note
 * in the description, `allOf` merged, `nullable` and boolean bounds (OpenAPI 3.0) as JSON Schema 2020-12 says
 * them, `required` without doubles and without names that are not there. Never fails: what is too deep, too
 * large or refers to nothing becomes an open value that says so.
 */
export function inlineReferences(schema: JsonSchema): JsonSchema {
  return inlineNode(schema, { root: schema as JsonObject, nodes: 0 }, [], 0, 'whole')
}

/** A branch of `allOf` or `anyOf` may require a property that another branch describes. */
function inlineNode(
  schema: JsonObject,
  state: InlineState,
  via: readonly string[],
  depth: number,
  place: 'whole' | 'part',
): JsonObject {
  const reason =
    ++state.nodes > NODES_MAX
      ? 'the schema is larger than can be told'
      : depth > DEPTH_MAX
        ? 'nested deeper than can be told'
        : undefined
  if (reason) return openSchema(schema, reason)
  const { target, via: followed, cut } = followReferences(schema, state.root, via)
  if (cut) return openSchema(target, cut)
  const own = convertOldKeywords(inlineMembers(target, state, followed, depth))
  const parts = Array.isArray(target.allOf)
    ? target.allOf.filter(isSchema).map((part) => inlineNode(part, state, followed, depth + 1, 'part'))
    : []
  return deduplicateRequired(
    parts.reduce<JsonObject>((all, part) => mergeSchemas(all, part), own),
    place,
  )
}

/**
 * Follows `$ref` to its end; keywords next to a `$ref` win over its target (JSON Schema 2020-12,
 * 7.7.1).
 */
function followReferences(
  schema: JsonObject,
  root: JsonObject,
  via: readonly string[],
): { target: JsonObject; via: readonly string[]; cut?: string } {
  let target = schema
  let followed = via
  for (let ref = target.$ref; typeof ref === 'string'; ref = target.$ref) {
    if (followed.includes(ref))
      return {
        target,
        via: followed,
        cut: `the same form again as ${ref.slice(ref.lastIndexOf('/') + 1)} above`,
      }
    if (followed.length >= REFERENCES_MAX)
      return { target, via: followed, cut: 'refers further than can be told' }
    const found = resolvePointer(root, ref)
    if (!found) return { target, via: followed, cut: `refers to ${ref.slice(0, 100)}, which is not there` }
    followed = [...followed, ref]
    const { $ref: _, ...siblings } = target
    target = { ...found, ...siblings }
  }
  return { target, via: followed }
}

/** What a local reference names (RFC 6901 as a fragment), own members only. */
function resolvePointer(root: JsonObject, ref: string): JsonObject | undefined {
  if (ref === '#') return root
  if (!ref.startsWith('#/')) return undefined
  let value: unknown = root
  for (const part of ref.slice(2).split('/')) {
    const name = decode(part).replaceAll('~1', '/').replaceAll('~0', '~')
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, name)) return undefined
    value = (value as JsonObject)[name]
  }
  return isSchema(value) ? value : undefined
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function inlineMembers(
  schema: JsonObject,
  state: InlineState,
  via: readonly string[],
  depth: number,
): JsonObject {
  const inner = (value: unknown, place: 'whole' | 'part' = 'whole') =>
    isSchema(value) ? inlineNode(value, state, via, depth + 1, place) : value
  const result: JsonObject = {}
  for (const [key, value] of Object.entries(schema)) {
    if (REMOVED_KEYWORDS.has(key) || key.startsWith('x-')) continue
    if (SINGLE_SCHEMA_KEYWORDS.includes(key)) result[key] = inner(value)
    else if (SCHEMA_LIST_KEYWORDS.includes(key))
      result[key] = Array.isArray(value) ? value.map((one) => inner(one, 'part')) : value
    else if (SCHEMA_MAP_KEYWORDS.includes(key))
      result[key] = isSchema(value)
        ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inner(one)]))
        : value
    else result[key] = value
  }
  if (schema.nullable === true) return addNullType(result)
  return result
}

/** The value or null. */
function addNullType(schema: JsonObject): JsonObject {
  if (typeof schema.type === 'string')
    return {
      ...schema,
      type: [schema.type, 'null'],
      ...(Array.isArray(schema.enum) && !schema.enum.includes(null) && { enum: [...schema.enum, null] }),
    }
  return schema
}

/**
 * Converts draft 4 and OpenAPI 3.0: `exclusiveMinimum: true` next to `minimum`; a list as `items`; `example`.
 */
function convertOldKeywords(schema: JsonObject): JsonObject {
  const result = { ...schema }
  for (const [exclusive, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (typeof result[exclusive] !== 'boolean') continue
    if (result[exclusive] && typeof result[bound] === 'number') {
      result[exclusive] = result[bound]
      delete result[bound]
    } else delete result[exclusive]
  }
  if (Array.isArray(result.items)) {
    result.prefixItems ??= result.items
    delete result.items
  }
  if (Object.hasOwn(result, 'example')) {
    result.examples ??= [result.example]
    delete result.example
  }
  return result
}

function deduplicateRequired(schema: JsonObject, place: 'whole' | 'part'): JsonObject {
  if (!Object.hasOwn(schema, 'required')) return schema
  const { required, ...rest } = schema
  const properties = isSchema(schema.properties) ? schema.properties : {}
  const names = Array.isArray(required)
    ? [...new Set(required)].filter(
        (name): name is string =>
          typeof name === 'string' && (place === 'part' || Object.hasOwn(properties, name)),
      )
    : []
  return names.length > 0 ? { ...rest, required: names } : rest
}

/** A place that is not told further: any value of the type it had, with a note. */
function openSchema({ type, title, description }: JsonObject, reason: string): JsonObject {
  const note = `Not written out here: ${reason}.`
  return {
    ...(typeof type === 'string' && { type }),
    ...(typeof title === 'string' && { title }),
    description: typeof description === 'string' ? `${description} ${note}` : note,
  }
}
