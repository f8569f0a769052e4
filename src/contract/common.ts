import { type Static, type TProperties, type TSchema, Type } from 'typebox'

/** `null` or the value; written as a JSON Schema type list, which the serializer turns into a plain branch. */
export function Nullable<T extends TSchema>(schema: T, options: object = {}) {
  const type = (schema as { type?: unknown }).type
  return Type.Unsafe<Static<T> | null>({ ...schema, type: [type, 'null'], ...options })
}

/** Literal strings as one `enum`, so that a wrong value gives one message. */
export const Enum = <const T extends readonly string[]>(values: T, options: object = {}) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options })

/** Enum in any letter case; handlers see it as sent and normalise it where they use it. */
export const AnyCase = <const T extends readonly string[]>(values: T, options: object = {}) =>
  Type.String({
    pattern: `^(${values.map((value) => [...value].map((c) => (/[a-z]/i.test(c) ? `[${c.toLowerCase()}${c.toUpperCase()}]` : c)).join('')).join('|')})$`,
    maxLength: 64,
    ...options,
  })

/** An identifier: prefix, underscore, 12 letters and digits; read loosely (`contract: identifiers`). */
export const Id = (...prefixes: string[]) =>
  Type.String({
    pattern: `^(${prefixes.join('|')})_[A-Za-z0-9_-]{1,64}$`,
    maxLength: 80,
    examples: [`${prefixes[0]}_7hQ2vLk9TmXa`],
  })
export const Slug = Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9_-]+$' })
export const ToolkitSlug = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^[A-Za-z0-9_-]+$',
  examples: ['github'],
})
export const UserId = Type.String({ minLength: 1, maxLength: 256, examples: ['user-17'] })
export const Name = Type.String({ minLength: 1, maxLength: 128 })
export const Url = Type.String({ format: 'uri', pattern: '^https?://', maxLength: 2048 })
export const Timestamp = Type.String({ format: 'date-time', examples: ['2026-02-03T09:12:44.120Z'] })
export const FreeObject = Type.Record(Type.String(), Type.Unknown(), { maxProperties: 200 })
export const Strings = (options: object = {}) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 256 }), { maxItems: 1000, ...options })

/** A list in the query: comma-joined, repeated, or `key[]=`; the server splits it before validation. */
export const QueryList = (options: object = {}) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 256 }), { maxItems: 1000, ...options })
/** true/false in the query. */
export const QueryBoolean = Type.Boolean()

/** `latest`, a bare version, or `toolkit_versions[slug]=version` (an object map in bodies). */
export const VersionText = Type.String({
  pattern: '^(latest|\\d{8}_\\d{2})$',
  maxLength: 16,
  examples: ['latest', '20261121_00'],
})
export const ToolkitVersions = Type.Union([
  VersionText,
  Type.Record(Type.String({ maxLength: 64 }), VersionText, { maxProperties: 1000 }),
])

const Limit = Type.Integer({
  minimum: 1,
  description: 'Items a page; more than 1000 is read as 1000.',
  examples: [20],
})
const Cursor = Type.String({ maxLength: 512, description: 'next_cursor of the page before.' })
export const PageQuery = { limit: Type.Optional(Limit), cursor: Type.Optional(Cursor) }
/** The same in a body, where clients write `null` for what they leave out. */
export const PageBody = { limit: Type.Optional(Nullable(Limit)), cursor: Type.Optional(Nullable(Cursor)) }

/** What every cursor page carries beside its items. */
export const PageMeta = {
  next_cursor: Nullable(Type.String()),
  total_pages: Type.Integer(),
  current_page: Type.Integer(),
  total_items: Type.Integer(),
}
/** Cursor page envelope. */
export const PageOf = <T extends TSchema>(item: T) => Type.Object({ items: Type.Array(item), ...PageMeta })

/** Chosen by the value of `key`; a wrong variant is judged as the variant it names. */
export const OneOf = <const K extends string, T extends TSchema[]>(
  key: K,
  variants: [...T],
  options: object = {},
) =>
  Type.Unsafe<Static<T[number]>>({
    type: 'object',
    required: [key],
    discriminator: { propertyName: key },
    oneOf: variants,
    ...options,
  })

/** An object that keeps what it does not declare. */
export const Open = <T extends TProperties>(properties: T, options: object = {}) =>
  Type.Object(properties, { additionalProperties: true, ...options })

export const Success = Type.Object({ success: Type.Boolean() })

/** The error envelope of every failing response. */
export const ErrorEnvelope = Type.Object(
  {
    error: Type.Object({
      message: Type.String(),
      code: Type.Integer(),
      slug: Type.String(),
      status: Type.Integer(),
      request_id: Type.String(),
      suggested_fix: Type.String(),
      errors: Type.Array(Type.String()),
    }),
  },
  { $id: 'ErrorEnvelope' },
)
