import { type Found, canBeAbsent, isObject, readBack } from './read-back.ts'
import type { JsonSchema } from '../../src/catalog/index.ts'

/** `["a"]` is short for `{"a": {"$": "a"}}`. */
export function members(shape: unknown): Record<string, unknown> {
  return Array.isArray(shape) && shape.every((name) => typeof name === 'string')
    ? Object.fromEntries(shape.map((name: string) => [name, { $: name }]))
    : ((shape as Record<string, unknown>) ?? {})
}

export function fits(
  templates: Record<string, unknown>,
  values: Record<string, unknown>,
  credentials: ReadonlySet<string>,
  found: Found,
): boolean {
  if (Object.keys(values).some((name) => !Object.hasOwn(templates, name) && !credentials.has(name)))
    return false
  return Object.entries(templates).every(([name, template]) =>
    Object.hasOwn(values, name)
      ? readBack(template, fromText(template, values[name]), found)
      : canBeAbsent(template),
  )
}

/**
 * A literal of the declaration that is no text, e.g. `true`, was written as text. An object was written as
 * its JSON.
 */
function fromText(template: unknown, value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (
    typeof template === 'number' ||
    typeof template === 'boolean' ||
    (isObject(template) && !Object.hasOwn(template, '$'))
  )
    return jsonOrText(value)
  return value
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export function propertiesOf(schema: JsonSchema | undefined): Record<string, JsonSchema> {
  const properties = schema?.['properties']
  return isObject(properties) ? (properties as Record<string, JsonSchema>) : {}
}

export const typesOf = (schema: JsonSchema | undefined): string[] =>
  [schema?.['type'] ?? []].flat() as string[]

export function isListArgument(template: unknown, input: JsonSchema): boolean {
  if (Array.isArray(template)) return true
  const name = isObject(template) && !Object.hasOwn(template, 'as') ? template['$'] : undefined
  return typeof name === 'string' && typesOf(propertiesOf(input)[name]).includes('array')
}

/** Text of a path, a query or a form as the schema of the argument means it. */
export function cast(value: unknown, schema: JsonSchema): unknown {
  const types = typesOf(schema)
  if (Array.isArray(value))
    return types.length && !types.includes('array') && value.length === 1
      ? cast(value[0], schema)
      : value.map((item) => cast(item, (schema['items'] ?? {}) as JsonSchema))
  if (isObject(value)) {
    const own = propertiesOf(schema)
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        name,
        Object.hasOwn(own, name) ? cast(inner, own[name]!) : inner,
      ]),
    )
  }
  if (typeof value !== 'string') return value
  if (types.includes('string')) return value
  if (
    (types.includes('integer') || types.includes('number')) &&
    value.trim() !== '' &&
    Number.isFinite(Number(value))
  )
    return Number(value)
  if (types.includes('boolean') && /^(true|false)$/.test(value)) return value === 'true'
  if (types.includes('array'))
    return value === ''
      ? []
      : value.split(',').map((item) => cast(item, (schema['items'] ?? {}) as JsonSchema))
  return types.includes('object') ? jsonOrText(value) : value
}
