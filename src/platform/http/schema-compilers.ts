import addFormats from 'ajv-formats'
import { Ajv, type ValidateFunction } from 'ajv'
import fastJson from 'fast-json-stringify'

// Errors of one request that are collected; more would only help an attacker to burn time.
const common = { allErrors: true, useDefaults: true, strict: false, validateFormats: true, addUsedSchema: false } as const

/** Bodies are taken as sent; text parts (path, query) are read into the declared types. Compiled at first use: a start should not pay for 100 routes. */
export function schemaCompilers() {
  const strict = addFormats.default(new Ajv({ ...common, discriminator: true }))
  const coercing = addFormats.default(new Ajv({ ...common, coerceTypes: true }))
  const serializers = new WeakMap<object, (data: unknown) => string>()
  return {
    validator: (schema: object, part: string | undefined) => lazily(() => (part === 'body' ? strict : coercing).compile(schema)),
    serializer(schema: object) {
      return (data: unknown) => {
        let stringify = serializers.get(schema)
        if (!stringify) serializers.set(schema, stringify = fastJson(withoutIds(schema) as never) as (data: unknown) => string)
        return stringify(data)
      }
    },
  }
}

function lazily(compile: () => ValidateFunction) {
  let validate: ValidateFunction | undefined
  const check = (data: unknown) => {
    validate ??= compile()
    const fits = validate(data)
    ;(check as { errors?: unknown }).errors = validate.errors
    return fits
  }
  return check
}

/** The same shape may stand in one schema twice; the serializer takes `$id` for a declaration and refuses the second. */
function withoutIds(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutIds)
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(Object.entries(schema).filter(([key, value]) => !(key === '$id' && typeof value === 'string')).map(([key, value]) => [key, withoutIds(value)]))
}
