import { type Static, type TProperties, type TSchema, Type } from './schema-type.ts'

/** Returns a copy of a schema with a description of the field that uses it. The marks of the schema library stay. */
export const Described = <T extends TSchema>(schema: T, description: string): T =>
  Object.defineProperties(
    {},
    {
      ...Object.getOwnPropertyDescriptors(schema),
      description: { value: description, enumerable: true, configurable: true, writable: true },
    },
  ) as T

/** `null` or the value; written as a JSON Schema type list, which the serializer turns into a plain branch. */
export function Nullable<T extends TSchema>(schema: T, options: object = {}) {
  const { type, enum: values } = schema as { type?: unknown; enum?: unknown[] }
  return Type.Unsafe<Static<T> | null>({
    ...schema,
    type: [type, 'null'],
    ...(values && { enum: [...values, null] }),
    ...options,
  })
}

/** Literal strings as one `enum`: a wrong value gives one message, not one for each literal. */
export const Enum = <const T extends readonly string[]>(values: T, options: object = {}) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options })

const anyCaseLetter = (letter: string): string =>
  /[a-z]/i.test(letter) ? `[${letter.toLowerCase()}${letter.toUpperCase()}]` : letter
/** Enum in any letter case. Handlers receive the value as sent and normalise it where they use it. */
export const AnyCase = <const T extends readonly string[]>(values: T, options: object = {}) =>
  Type.String({
    pattern: `^(${values.map((value) => [...value].map(anyCaseLetter).join('')).join('|')})$`,
    maxLength: 64,
    ...options,
  })

/** The id that examples show for a prefix. */
export const exampleId = (prefix: string): string => `${prefix}_7hQ2vLk9TmXa`

/** An identifier: prefix, underscore, 12 letters and digits. Requests may send up to 64 characters. */
export const Id = (...prefixes: string[]) =>
  Type.String({
    pattern: `^(${prefixes.join('|')})_[A-Za-z0-9_-]{1,64}$`,
    maxLength: 80,
    examples: [exampleId(prefixes[0] as string)],
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

/** A list in the query: `a,b`, a repeated key, or `key[]=`. The server splits it before validation. */
export const QueryList = (options: object = {}) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 256 }), { maxItems: 1000, ...options })
/** true/false in the query. */
export const QueryBoolean = Type.Boolean()

/** `latest` or a version. Queries may also send `toolkit_versions[slug]=version`, and bodies an object. */
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
  description: 'Largest number of items on a page. Default 20; values above 1000 count as 1000.',
  examples: [20],
})
const Cursor = Type.String({
  maxLength: 512,
  description: '`next_cursor` of the previous page. Omit it for the first page.',
})
export const PageQuery = { limit: Type.Optional(Limit), cursor: Type.Optional(Cursor) }
/** Paging fields of a body, in which clients may send `null` for a field that they do not set. */
export const PageBody = { limit: Type.Optional(Nullable(Limit)), cursor: Type.Optional(Nullable(Cursor)) }

/** Cursor of the lists of logs, whose pages have `nextCursor`. */
export const NumberCursor = Type.Optional(
  Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: '`nextCursor` of the previous page. Omit it for the first page.',
  }),
)

/** Fields of every cursor page, next to its items. */
export const PageMeta = {
  next_cursor: Nullable(
    Type.String({ description: 'Value of `cursor` for the next page; null on the last page.' }),
  ),
  total_pages: Type.Integer({ description: 'Number of pages at this `limit`.' }),
  current_page: Type.Integer({ description: 'Number of this page, from 1.' }),
  total_items: Type.Integer({ description: 'Number of items on all pages.' }),
}
/** Cursor page envelope. */
export const PageOf = <T extends TSchema>(item: T) =>
  Type.Object({ items: Type.Array(item, { description: 'Items of this page.' }), ...PageMeta })

/** Cursor page envelope of a list that is not counted to its end. */
export const BoundedPageOf = <T extends TSchema>(item: T) =>
  Type.Object({
    items: Type.Array(item, { description: 'Items of this page.' }),
    ...PageMeta,
    total_items: Type.Integer({
      description: 'Number of items on all pages; the least possible one if `total_is_minimum`.',
    }),
    total_is_minimum: Type.Boolean({
      description: 'Whether there are more than 10,000 items, which are not counted further.',
    }),
  })

/** Object with variants, selected by the value of `key`. Validation errors are those of the selected variant. */
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

/** An object that may have further fields, which validation and serialization keep. */
export const Open = <T extends TProperties>(properties: T, options: object = {}) =>
  Type.Object(properties, { additionalProperties: true, ...options })

export const Success = Type.Object({
  success: Type.Boolean({ description: 'Always true: a failure returns an error envelope.' }),
})

/** The error envelope of every failing response. */
export const ErrorEnvelope = Type.Object(
  {
    error: Type.Object(
      {
        message: Type.String({
          description: 'The problem in one sentence, for people. The wording may change.',
        }),
        code: Type.Integer({ description: 'Numeric code of the error. It never changes its meaning.' }),
        slug: Type.String({ description: 'Name of the error. It never changes its meaning.' }),
        status: Type.Integer({ description: 'HTTP status of the response.' }),
        request_id: Type.String({
          description: 'Id of the request, also in the header `x-request-id` and in the log of the server.',
        }),
        suggested_fix: Type.String({ description: 'The next step that resolves the error.' }),
        errors: Type.Array(Type.String(), {
          description: 'One text for each invalid field; empty for other errors. At most 50.',
        }),
      },
      { description: 'The error.' },
    ),
  },
  { $id: 'ErrorEnvelope' },
)
