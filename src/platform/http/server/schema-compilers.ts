import type { Ajv, ValidateFunction } from 'ajv'
import { ajv } from '../../ajv.ts'
import { isPartlyUnparsed } from '../../json-outline/index.ts'
import { reusingJsonSource } from './json-source-reply.ts'

// A number that is too large to be one (1e999) would be stored as null.
const common = {
  useDefaults: true,
  strict: false,
  strictNumbers: true,
  validateFormats: true,
  addUsedSchema: false,
  // Errors carry the invalid value, which the message of the response describes.
  verbose: true,
} as const
/** The size up to which all errors are listed. For larger bodies, only the first is. */
const LISTED_VALUES_MAX = 2_000
const LISTED_CHARACTERS_MAX = 100_000

/**
 * Validates bodies without conversion, and converts path and query texts to the declared types. Schemas are compiled
 * when first used: a start should not pay for 100 routes, nor for the libraries that compile them. Servers of one
 * process share compiled schemas: tests start dozens of them.
 */
export const schemaCompilers: () => SchemaCompilers = () => (compilers ??= makeCompilers())

export type SchemaCompilers = ReturnType<typeof makeCompilers>
let compilers: SchemaCompilers | undefined

function makeCompilers() {
  const strict = { ...common, discriminator: true }
  const coercing = { ...common, coerceTypes: true }
  const bodies = twoCompilers(strict)
  const texts = twoCompilers(coercing)
  const serializers = new WeakMap<object, (data: unknown) => string | Buffer>()
  return {
    validator: (schema: object, part: string | undefined) =>
      lazyValidator(schema, part === 'body' ? bodies : texts),
    serializer(schema: object) {
      return (data: unknown) => {
        let stringify = serializers.get(schema)
        if (!stringify)
          serializers.set(
            schema,
            (stringify = reusingJsonSource(
              ajv.fastJson(withoutIds(schema) as never) as (data: unknown) => string,
            )),
          )
        return stringify(data)
      }
    },
  }
}

interface TwoCompilers {
  first(schema: object): ValidateFunction
  all(schema: object): ValidateFunction
}

function twoCompilers(options: object): TwoCompilers {
  const create = (allErrors: boolean) => ajv.addFormats(new ajv.Ajv({ ...options, allErrors }))
  let first: Ajv | undefined
  let all: Ajv | undefined
  return {
    first: (schema) => (first ??= create(false)).compile(schema),
    all: (schema) => (all ??= create(true)).compile(schema),
  }
}

/**
 * Validates with the validator that stops at the first error, and lists all errors only where that is cheap:
 * describing a body with three million invalid items took 6 s and 1.4 GB, and rejecting it takes 0.1 s.
 */
function lazyValidator(schema: object, compile: TwoCompilers) {
  let first: ValidateFunction | undefined
  let all: ValidateFunction | undefined
  const check = (data: unknown) => {
    first ??= compile.first(schema)
    if (first(data)) return true
    let { errors } = first
    if (isSmall(data)) {
      all ??= compile.all(schema)
      all(data)
      errors = all.errors ?? errors
    }
    ;(check as { errors?: unknown }).errors = errors
    return false
  }
  return check
}

function isSmall(data: unknown): boolean {
  if (isPartlyUnparsed(data)) return false
  const rest = [data]
  let values = 0
  let characters = 0
  for (let value = rest.pop(); value !== undefined || rest.length > 0; value = rest.pop()) {
    if (typeof value === 'string') characters += value.length
    if (++values > LISTED_VALUES_MAX || characters > LISTED_CHARACTERS_MAX) return false
    if (typeof value !== 'object' || value === null) continue
    if (Array.isArray(value) && value.length > LISTED_VALUES_MAX) return false
    for (const key in value) {
      characters += key.length
      if (rest.push((value as Record<string, unknown>)[key]) > LISTED_VALUES_MAX) return false
    }
  }
  return true
}

/**
 * The same shape can be in a schema twice. The serializer takes `$id` as a declaration and rejects the second
 * one.
 */
function withoutIds(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutIds)
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => !(key === '$id' && typeof value === 'string'))
      .map(([key, value]) => [key, withoutIds(value)]),
  )
}
