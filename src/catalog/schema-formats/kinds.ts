import { isSchema, type JsonObject } from './merge.ts'

export type ValueType = 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'any'

const VALUE_TYPES: ReadonlySet<unknown> = new Set([
  'object',
  'array',
  'string',
  'number',
  'integer',
  'boolean',
])

export const isValueType = (type: unknown): type is Exclude<ValueType, 'any'> => VALUE_TYPES.has(type)

/**
 * Returns the type of a value, declared or inferred from the other keywords. `any` where several types fit.
 */
export function valueTypeOf(schema: JsonObject): ValueType {
  const types = [schema.type].flat().filter((one) => one !== undefined && one !== 'null')
  if (types.length === 1 && VALUE_TYPES.has(types[0])) return types[0] as ValueType
  if (types.length > 1) return 'any'
  if (isSchema(schema.properties) || isSchema(schema.additionalProperties)) return 'object'
  if (isSchema(schema.items) || Array.isArray(schema.prefixItems)) return 'array'
  const values: unknown[] = Array.isArray(schema.enum)
    ? schema.enum
    : Object.hasOwn(schema, 'const')
      ? [schema.const]
      : []
  const kinds = new Set(
    values.filter((one) => one !== null).map((one) => (Number.isInteger(one) ? 'integer' : typeof one)),
  )
  if (kinds.size === 1 && VALUE_TYPES.has([...kinds][0])) return [...kinds][0] as ValueType
  return typeof schema.pattern === 'string' || (typeof schema.format === 'string' && kinds.size === 0)
    ? 'string'
    : 'any'
}

/** Null is one of the values. */
export function isNullable(schema: JsonObject): boolean {
  if (schema.nullable === true || [schema.type].flat().includes('null')) return true
  return [schema.anyOf, schema.oneOf].some(
    (list) => Array.isArray(list) && list.some((one) => isSchema(one) && isNullable(one)),
  )
}

/** The same without null: in `type`, in `enum`, among the alternatives. */
export function withoutNull(schema: JsonObject): JsonObject {
  const result: JsonObject = { ...schema }
  delete result.nullable
  if (result.type === 'null') delete result.type
  if (Array.isArray(result.type)) {
    const types = result.type.filter((one) => one !== 'null')
    if (types.length === 0) delete result.type
    else result.type = types.length === 1 ? types[0] : types
  }
  if (Array.isArray(result.enum)) result.enum = result.enum.filter((one) => one !== null)
  for (const key of ['anyOf', 'oneOf']) {
    const list = result[key]
    if (Array.isArray(list))
      result[key] = list
        .filter(
          (one) =>
            !isSchema(one) ||
            (one.type !== 'null' &&
              !(Array.isArray(one.enum) && one.enum.length === 1 && one.enum[0] === null)),
        )
        .map((one) => (isSchema(one) ? withoutNull(one) : one))
  }
  return result
}
