import type { JsonSchema } from '../../src/catalog/index.ts'
import { propertiesOf, typesOf } from './read-arguments.ts'

/** Where an object, or a list of them, is in the output of a tool; `path` is empty for the output itself. */
export interface Place {
  readonly kind: 'item' | 'list' | 'ids'
  readonly path: readonly string[]
  readonly schema: JsonSchema
}

const IDENTIFIER =
  /(^|[a-z_.])(id|gid|sid|iid|uid|uuid|key|number|ts|uri|sha)$|Id$|^id[A-Z]|^(name|title|path|email|code|label|date|text)$|_id$/
const DEPTH_MAX = 3

/** Whether objects of this schema can be told apart. */
export const hasIdentity = (schema: JsonSchema): boolean =>
  Object.keys(propertiesOf(schema)).some((name) => IDENTIFIER.test(name))

/**
 * Where the objects of a list stand: the first list of objects, nearest to the top; then a first list of
 * plain values.
 */
export function listPlace(output: JsonSchema): Place | undefined {
  return (
    nearest(output, (schema) =>
      typesOf(schema).includes('array') && isObjectSchema(schema['items'])
        ? { kind: 'list', schema: schema['items'] as JsonSchema }
        : undefined,
    ) ??
    nearest(output, (schema) =>
      typesOf(schema).includes('array') &&
      /string|integer|number/.test(String((schema['items'] as JsonSchema | undefined)?.['type']))
        ? { kind: 'ids', schema: schema['items'] as JsonSchema }
        : undefined,
    )
  )
}

/**
 * Where the object of a reply stands: the output itself if it can be told apart by a member, else the first
 * member that can, else a list of one.
 */
export function itemPlace(output: JsonSchema): Place | undefined {
  if (hasIdentity(output)) return { kind: 'item', path: [], schema: output }
  return (
    nearest(
      output,
      (schema) =>
        typesOf(schema).includes('object') && hasIdentity(schema) ? { kind: 'item', schema } : undefined,
      2,
    ) ??
    nearest(
      output,
      (schema) =>
        typesOf(schema).includes('array') && isObjectSchema(schema['items'])
          ? { kind: 'list', schema: schema['items'] as JsonSchema }
          : undefined,
      2,
    )
  )
}

/** The place that a note names. */
export function placeAt(output: JsonSchema, at: string): Place {
  const path = at === '$' ? [] : at.split('.')
  const schema = path.reduce<JsonSchema>((one, name) => propertiesOf(one)[name] ?? {}, output)
  return typesOf(schema).includes('array')
    ? {
        kind: isObjectSchema(schema['items']) ? 'list' : 'ids',
        path,
        schema: (schema['items'] ?? {}) as JsonSchema,
      }
    : { kind: 'item', path, schema }
}

/** The member in which the object of a list item stands: `{"added_at": …, "track": {…}}` is about a track. */
export function innerOf(schema: JsonSchema): { name: string; schema: JsonSchema } | undefined {
  if (hasIdentity(schema)) return undefined
  const inner = Object.entries(propertiesOf(schema)).filter(
    ([, one]) => typesOf(one).includes('object') && hasIdentity(one),
  )
  return inner.length === 1 ? { name: inner[0]![0], schema: inner[0]![1] } : undefined
}

const isObjectSchema = (schema: unknown): boolean =>
  schema !== null && typeof schema === 'object' && typesOf(schema as JsonSchema).includes('object')

function nearest(
  output: JsonSchema,
  look: (schema: JsonSchema) => Omit<Place, 'path'> | undefined,
  depthMax = DEPTH_MAX,
): Place | undefined {
  let level: { path: readonly string[]; schema: JsonSchema }[] = [{ path: [], schema: output }]
  for (let depth = 0; depth < depthMax; depth++) {
    const next = level.flatMap(({ path, schema }) =>
      Object.entries(propertiesOf(schema)).map(([name, inner]) => ({ path: [...path, name], schema: inner })),
    )
    for (const { path, schema } of next) {
      const found = look(schema)
      if (found) return { ...found, path }
    }
    level = next
  }
  return undefined
}
