import { isObject } from '../../platform/json-object.ts'
import { SCHEMA_LIST_KEYWORDS, SCHEMA_MAP_KEYWORDS, SINGLE_SCHEMA_KEYWORDS } from '../schema-keywords.ts'
import { pointerSegment } from './diagnostics.ts'

const SCHEMA_MAPS = [...SCHEMA_MAP_KEYWORDS, '$defs', 'definitions']
const SCHEMA_LISTS = [...SCHEMA_LIST_KEYWORDS, 'allOf']

type SchemaNode = Record<string, unknown>

/** Visits every schema inside a schema. The reader of the file limits the depth. */
export function visitSchemas(
  schema: unknown,
  at: string,
  visit: (node: SchemaNode, at: string) => void,
): void {
  if (!isObject(schema)) return
  visit(schema, at)
  for (const [inner, path] of innerSchemas(schema, at)) visitSchemas(inner, path, visit)
}

function* innerSchemas(schema: SchemaNode, at: string): Generator<[inner: unknown, path: string]> {
  for (const key of SINGLE_SCHEMA_KEYWORDS) yield [schema[key], `${at}/${key}`]
  for (const key of SCHEMA_MAPS) {
    const map = schema[key]
    if (isObject(map))
      for (const [name, inner] of Object.entries(map)) yield [inner, `${at}/${key}${pointerSegment(name)}`]
  }
  for (const key of SCHEMA_LISTS) {
    const list = schema[key]
    if (Array.isArray(list))
      yield* list.map((inner, index): [unknown, string] => [inner, `${at}/${key}/${index}`])
  }
}

/** Returns a copy of a schema with every schema directly inside it replaced. */
export function mapInnerSchemas(
  schema: SchemaNode,
  at: string,
  replace: (inner: unknown, at: string) => unknown,
): SchemaNode {
  const copy = { ...schema }
  for (const key of SINGLE_SCHEMA_KEYWORDS)
    if (isObject(copy[key])) copy[key] = replace(copy[key], `${at}/${key}`)
  for (const key of SCHEMA_MAPS) {
    const map = copy[key]
    if (isObject(map))
      copy[key] = Object.fromEntries(
        Object.entries(map).map(([name, inner]) => [
          name,
          replace(inner, `${at}/${key}${pointerSegment(name)}`),
        ]),
      )
  }
  for (const key of SCHEMA_LISTS) {
    const list = copy[key]
    if (Array.isArray(list))
      copy[key] = list.map((inner: unknown, index) => replace(inner, `${at}/${key}/${index}`))
  }
  return copy
}

/** Returns the declared properties of an object schema, or none. */
export function propertiesOf(schema: Readonly<SchemaNode>): Record<string, SchemaNode> {
  const { properties } = schema
  return isObject(properties) ? (properties as Record<string, SchemaNode>) : {}
}
