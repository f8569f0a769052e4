import type { Type as TypeBox } from 'typebox'

// Builders of JSON Schemas that TypeScript reads as types. The types are those of TypeBox; its code is not loaded: 373
// modules, which take a third of the time in which a command of the CLI starts.

export type { Static, TObject, TProperties, TSchema } from 'typebox'

type Schema = Readonly<Record<string, unknown>>
type Properties = Readonly<Record<string, Schema>>

/** A mark that JSON does not show: an object that has the schema as an optional property does not require it. */
const OPTIONAL = '~optional'

const withMarks = (schema: Schema): Schema =>
  Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema))

function optional(schema: Schema): Schema {
  const marked = withMarks(schema)
  return Object.defineProperty(marked, OPTIONAL, { value: true, configurable: true, writable: true })
}

function object(properties: Properties, options: Schema = {}): Schema {
  const names = Object.keys(properties).filter((name) => !Object.hasOwn(properties[name]!, OPTIONAL))
  return { type: 'object', ...(names.length > 0 && { required: names }), properties, ...options }
}

/** Options of the source, such as `additionalProperties`, are not part of the result. */
function mapProperties(
  source: Schema,
  map: (name: string, schema: Schema) => Schema | undefined,
  options: Schema = {},
): Schema {
  const properties = Object.entries(source['properties'] as Properties).flatMap(([name, schema]) => {
    const mapped = map(name, schema)
    return mapped ? [[name, mapped] as const] : []
  })
  return object(Object.fromEntries(properties), options)
}

function record(key: Schema, value: Schema, options?: Schema): Schema {
  if (key['type'] !== 'string') throw new TypeError('Type.Record: the key is a Type.String().')
  return { type: 'object', patternProperties: { [String(key['pattern'] ?? '^.*$')]: value }, ...options }
}

const builders = {
  String: (options?: Schema) => ({ type: 'string', ...options }),
  Number: (options?: Schema) => ({ type: 'number', ...options }),
  Integer: (options?: Schema) => ({ type: 'integer', ...options }),
  Boolean: (options?: Schema) => ({ type: 'boolean', ...options }),
  Null: (options?: Schema) => ({ type: 'null', ...options }),
  Unknown: (options?: Schema) => ({ ...options }),
  Literal: (value: string | number | boolean, options?: Schema) => ({
    type: typeof value,
    const: value,
    ...options,
  }),
  Array: (items: Schema, options?: Schema) => ({ type: 'array', items, ...options }),
  Union: (anyOf: readonly Schema[], options?: Schema) => ({ anyOf, ...options }),
  Intersect: (allOf: readonly Schema[], options?: Schema) => ({ allOf, ...options }),
  Unsafe: withMarks,
  Optional: optional,
  Object: object,
  Record: record,
  Partial: (source: Schema, options?: Schema) =>
    mapProperties(source, (_name, schema) => optional(schema), options),
  Omit: (source: Schema, names: readonly string[], options?: Schema) =>
    mapProperties(source, (name, schema) => (names.includes(name) ? undefined : schema), options),
}

/** The builders of TypeBox that this project uses, with the same results. */
export const Type = builders as unknown as Pick<typeof TypeBox, keyof typeof builders>
