import { isNullable, valueTypeOf } from './kinds.ts'
import { isSchema, type JsonObject } from './merge.ts'
import { safePropertyNames } from './property-names.ts'

const DEPTH_MAX = 32
const JSON_TEXT = /^\s*[[{]/

/**
 * Arguments that a model made from a dialect, as the tool's own schema means them; in place. Renamed
 * properties get their names back, null for an optional value that cannot be null means that it is absent,
 * and a text that holds the JSON of an object or list becomes that. What fits the schema already stays as it
 * is. `schema` is plain (`plainSchema`).
 */
export function restoreArguments(schema: JsonObject, args: JsonObject): void {
  restoreMembers(schema, args, 0)
}

/**
 * Some property, at any depth, has a name that a dialect writes another way: then arguments may fit the
 * schema and still have to be restored.
 */
export function hasRenamedProperties(schema: JsonObject): boolean {
  const { properties, items } = schema
  if (
    isSchema(properties) &&
    (safePropertyNames(Object.keys(properties)).size > 0 ||
      Object.values(properties).some((one) => isSchema(one) && hasRenamedProperties(one)))
  )
    return true
  return isSchema(items) && hasRenamedProperties(items)
}

function restoreMembers(schema: JsonObject, args: JsonObject, depth: number): void {
  const properties = isSchema(schema.properties) ? schema.properties : undefined
  if (!properties || depth > DEPTH_MAX) return
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  for (const [own, written] of safePropertyNames(Object.keys(properties))) {
    if (!Object.hasOwn(args, written) || Object.hasOwn(args, own)) continue
    Object.defineProperty(args, own, {
      value: args[written],
      enumerable: true,
      configurable: true,
      writable: true,
    })
    delete args[written]
  }
  for (const [name, property] of Object.entries(properties)) {
    if (!Object.hasOwn(args, name) || !isSchema(property)) continue
    if (args[name] === null && !required.has(name) && !allowsNull(property)) delete args[name]
    else args[name] = restoreValue(property, args[name], depth)
  }
}

function restoreValue(schema: JsonObject, argument: unknown, depth: number): unknown {
  const kind = valueTypeOf(schema)
  const value =
    typeof argument === 'string' && (kind === 'object' || kind === 'array') && JSON_TEXT.test(argument)
      ? parseJsonText(argument, kind)
      : argument
  if (isSchema(value)) restoreMembers(schema, value, depth + 1)
  else if (Array.isArray(value) && isSchema(schema.items)) {
    const { items } = schema
    for (const [index, item] of value.entries()) value[index] = restoreValue(items, item, depth + 1)
  }
  return value
}

/** Says nothing of a type, so null may be meant. */
const allowsNull = (schema: JsonObject): boolean =>
  isNullable(schema) ||
  (schema.type === undefined &&
    valueTypeOf(schema) === 'any' &&
    !Array.isArray(schema.anyOf) &&
    !Array.isArray(schema.oneOf))

function parseJsonText(text: string, kind: 'object' | 'array'): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return kind === 'array' ? (Array.isArray(value) ? value : text) : isSchema(value) ? value : text
  } catch {
    return text
  }
}
