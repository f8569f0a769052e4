import { type Static, Type } from '../schema-type.ts'
import { Described, Enum, FreeObject, Nullable, Url } from '../common.ts'
import { AuthScheme } from '../schemes.ts'

export const CustomAuthParams = Type.Object({
  base_url: Type.Optional(Described(Url, 'Base URL of the API, in place of the one of the toolkit.')),
  parameters: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String({
          minLength: 1,
          maxLength: 256,
          description: 'Name of the header or query parameter.',
        }),
        in: Enum(['header', 'query'], { description: 'Where the parameter is sent.' }),
        value: Type.Unsafe<string | number | boolean>({
          type: ['string', 'number', 'boolean'],
          maxLength: 16_384,
          description: 'Value of the parameter.',
        }),
      }),
      { maxItems: 100, description: 'Headers and query parameters to add. At most 100.' },
    ),
  ),
  body: Type.Optional(Described(FreeObject, 'Fields to add to a JSON body.')),
})

export const CustomConnectionData = Type.Object({
  authScheme: Described(AuthScheme, 'Authentication scheme, in any letter case.'),
  toolkitSlug: Type.String({ minLength: 1, maxLength: 64, description: 'Slug of the toolkit of the tool.' }),
  val: Described(FreeObject, 'Credentials by field name, such as `access_token`.'),
})

/**
 * Options for the result. An addition of this server. Unknown options are rejected: with a misspelt `dry_run`,
 * the tool would run.
 */
export const ResponseOptions = Type.Object(
  {
    fields: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 256 }), {
        minItems: 1,
        maxItems: 100,
        description: 'Paths of the result to return, such as `items.id`; `*` matches every name.',
        examples: [['items.id', 'items.name']],
      }),
    ),
    max_tokens: Type.Optional(
      Type.Integer({
        minimum: 500,
        maximum: 1_000_000,
        description:
          'About how many tokens of the result to return at once. Further pages are read with ' +
          '`GET /tools/responses/{response_id}`.',
      }),
    ),
    dry_run: Type.Optional(
      Type.Boolean({
        description:
          'Return the request that would be sent, without credentials, and send nothing. Default false.',
      }),
    ),
  },
  { additionalProperties: false, description: 'Options for the result. An addition of this server.' },
)

/** Details of a result that was filtered, paged, previewed or replayed. */
export const ResponseInfo = Type.Object({
  id: Type.Optional(
    Type.String({ description: 'Id with which the other pages are read.', examples: ['rsp_7hQ2vLk9TmXa'] }),
  ),
  page: Type.Optional(Type.Integer({ description: 'Number of this page, from 1.' })),
  pages: Type.Optional(Type.Integer({ description: 'Number of pages.' })),
  next_page: Type.Optional(
    Nullable(Type.Integer({ description: 'Number of the next page; null on the last one.' })),
  ),
  begins_at: Type.Optional(
    Type.String({
      description: 'Path of the result at which this page begins; `text@900` is a position inside a text.',
      examples: ['items[40]'],
    }),
  ),
  tokens: Type.Optional(Type.Integer({ description: 'Estimated tokens of this page.' })),
  total_tokens: Type.Optional(Type.Integer({ description: 'Estimated tokens of the whole result.' })),
  expires_at: Type.Optional(Type.String({ description: 'When the pages are removed.' })),
  missing_fields: Type.Optional(
    Type.Array(Type.String(), { description: 'Paths of `fields` at which the result has no value.' }),
  ),
  replayed: Type.Optional(
    Type.Boolean({
      description: 'True when this is the recorded result of an earlier call with the same Idempotency-Key.',
    }),
  ),
})

export type ResponseInfo = Static<typeof ResponseInfo>

/** An addition of this server. */
export const PagingOptions = Type.Object(
  {
    max_pages: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, description: 'Largest number of pages to read. Default 10.' }),
    ),
    max_items: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10_000,
        description: 'Stop reading pages after this number of items. Default 1000.',
      }),
    ),
  },
  {
    description:
      'Read the pages of a list one after another and return them as one. For tools that return pages. An ' +
      'addition of this server.',
  },
)

export const PagingInfo = Type.Object(
  {
    pages: Type.Integer({ description: 'Number of pages that were read.' }),
    items: Type.Integer({ description: 'Number of items that were read.' }),
    complete: Type.Boolean({ description: 'Whether the list is complete.' }),
    next: Nullable(Described(FreeObject, 'Arguments that continue the list; null when it is complete.')),
    stopped_by: Nullable(
      Enum(['max_pages', 'max_items', 'size', 'repetition', 'not_allowed', 'error'], {
        description: 'Reason why the list is not complete; null when it is.',
      }),
    ),
    error: Type.Optional(
      Nullable(Type.String({ description: 'Error of the page that could not be read; null for none.' })),
    ),
  },
  {
    description:
      'Number of pages and items that were read. `next` holds the arguments that continue the list.',
  },
)
