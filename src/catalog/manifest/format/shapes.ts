import { type TProperties, type TSchema, Type } from 'typebox'

/** An object whose unknown keys are refused: a misspelt manifest key must never be ignored in silence. */
export const Strict = <T extends TProperties>(properties: T, options: object = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options })

export const Text = (description: string, options: object = {}) =>
  Type.String({ description, minLength: 1, ...options })
export const TextMap = (description: string) => Type.Record(Type.String(), Type.String(), { description })
/** One of these words. */
export const OneOfText = <const T extends readonly string[]>(words: T, options: object = {}) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...words], ...options })
export const optional = <T extends TSchema>(schema: T) => Type.Optional(schema)

/**
 * Text with `{name}` places filled from the connection (fields the user gave, tokens, captured values) and,
 * in a tool's request, from its arguments. `{a||b}` takes the first that is set, `{name||'text'}` has a default,
 * `{name|base64}` passes through a filter (base64, base64url, md5, sha256, urlencode, lower, upper, trim, before_colon,
 * after_colon, public_key_sha256 of a PEM), and a header, query or body
 * member whose template holds `{name?}` is left out when `name` is not set. Any other name that nothing supplies is an error, never an empty string.
 * `{{` writes one brace; so does a brace before white space, a quote or another closing brace, as in JSON.
 */
export const TemplateText = (description: string) => Text(description)

const KEY = '[^.\\s\\[\\]]+'
const QUOTED = "\\['[^'\\]]+'\\]"
const STEP = `(\\[\\d+\\]|\\[[\\w@-]+=[^'\\[\\]]+\\]|${QUOTED})*`
/** Dotted path into JSON: `data.token.access_token`, `items[0].id`, `headers[name=Subject].value` for the item that has this name, `['@odata.nextLink']` for a key that holds a dot, or `$` for the whole value. */
export const Path = (description: string) =>
  Text(description, { pattern: `^(\\$|(${KEY}|${QUOTED})${STEP}(\\.${KEY}${STEP})*)$` })

/** A predicate over a response, with what it means where it stands. It holds when every named part holds. */
export const conditionThat = (description: string) =>
  Strict(
    {
      status: optional(
        Type.Union([Type.Integer(), Type.Array(Type.Integer())], {
          description: 'HTTP status, or one of several.',
        }),
      ),
      header: optional(
        Strict(
          {
            name: Text('Header name, lower case.'),
            equals: optional(Type.String({ description: 'Its value must be this.' })),
            exists: optional(Type.Boolean({ description: 'Whether it must be there at all. Default true.' })),
          },
          { description: 'Holds for a header field of the response.' },
        ),
      ),
      body: optional(
        Strict(
          {
            path: Path('Where to look in the JSON body.'),
            equals: optional(Type.Unknown({ description: 'The value found must equal this JSON value.' })),
            one_of: optional(
              Type.Array(Type.Unknown(), { description: 'The value found must equal one of these.' }),
            ),
            contains: optional(Type.String({ description: 'The value found, as text, must contain this.' })),
            exists: optional(Type.Boolean({ description: 'Whether a value must be there at all.' })),
          },
          { description: 'Holds for the JSON body of the response.' },
        ),
      ),
    },
    { description },
  )

export const Condition = conditionThat(
  'A predicate over a response: status, header and body parts must all hold.',
)

/** A form field that a person fills, at auth config creation or when connecting. */
export const Field = Strict(
  {
    name: Text('Key under which the value is stored and used in templates.', {
      pattern: '^[A-Za-z][A-Za-z0-9_-]*$',
    }),
    display_name: Text('What the person reads.'),
    type: optional(
      Type.Union([Type.Literal('string'), Type.Literal('number'), Type.Literal('boolean')], {
        default: 'string',
        description: 'Kind of value.',
      }),
    ),
    description: Text('Where to find the value, in one sentence.'),
    required: optional(Type.Boolean({ default: true, description: 'Whether it must be filled.' })),
    default: optional(
      Type.Union([Type.String(), Type.Null()], { description: 'Used when it is left blank.' }),
    ),
    secret: optional(Type.Boolean({ default: false, description: 'Masked in every read.' })),
    pattern: optional(
      Type.String({
        description: 'Regular expression that a value must match (after prefix and suffix are removed).',
      }),
    ),
    enum: optional(Type.Array(Type.String(), { description: 'The only values it may have.' })),
    multiline: optional(
      Type.Boolean({
        default: false,
        description:
          'Its value has several lines, as a private key or a key file: the page asks for it in a box of several lines.',
      }),
    ),
    prefix: optional(
      Type.String({ description: 'Shown before the input and removed when typed, e.g. `https://`.' }),
    ),
    suffix: optional(
      Type.String({ description: 'Shown after the input and removed when typed, e.g. `.zendesk.com`.' }),
    ),
    example: optional(Type.String({ description: 'Shown in the empty input.' })),
    legacy_template_name: optional(Type.String({ description: 'Older name of the field, told to clients.' })),
  },
  { description: 'A value that a person supplies.' },
)
