import { type TProperties, type TSchema, Type } from '../../../contract/schema-type.ts'

/** An object that rejects unknown keys, so that a misspelt key is never ignored. */
export const Strict = <T extends TProperties>(properties: T, options: object = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options })

export const Text = (description: string, options: object = {}) =>
  Type.String({ description, minLength: 1, ...options })
export const TextMap = (description: string) => Type.Record(Type.String(), Type.String(), { description })
/** One of several strings. */
export const OneOfText = <const T extends readonly string[]>(words: T, options: object = {}) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...words], ...options })
export const optional = <T extends TSchema>(schema: T) => Type.Optional(schema)

/**
 * Text with `{name}` places filled from the connection (fields the user gave, tokens, captured values) and,
 * in a tool's request, from its arguments. `{a||b}` takes the first that is set, `{name||'text'}` has a
 * default, `{name|base64}` passes through a filter (base64, base64url, md5, sha256, urlencode, lower, upper,
 * trim, before_colon, after_colon, public_key_sha256 of a PEM), and a header, query or body member whose
 * template holds `{name?}` is left out when `name` is not set. Any other name that nothing supplies is an
 * error, never an empty string. `{{` writes one brace; so does a brace before white space, a quote or another
 * closing brace, as in JSON.
 */
export const TemplateText = (description: string) => Text(description)

const KEY = '[^.\\s\\[\\]]+'
const QUOTED = "\\['[^'\\]]+'\\]"
const STEP = `(\\[\\d+\\]|\\[[\\w@-]+=[^'\\[\\]]+\\]|${QUOTED})*`
/**
 * Dotted path into JSON: `data.token.access_token`, `items[0].id`, `headers[name=Subject].value` for the item
 * that has this name, `['@odata.nextLink']` for a key that holds a dot, or `$` for the whole value.
 */
export const Path = (description: string) =>
  Text(description, { pattern: `^(\\$|(${KEY}|${QUOTED})${STEP}(\\.${KEY}${STEP})*)$` })

/** A condition on a response. It holds when every part of it holds. */
export const conditionThat = (description: string) =>
  Strict(
    {
      status: optional(
        Type.Union([Type.Integer(), Type.Array(Type.Integer())], {
          description: 'HTTP status, or a list of which one must match.',
        }),
      ),
      header: optional(
        Strict(
          {
            name: Text('Header name, lower case.'),
            equals: optional(Type.String({ description: 'The value must equal this.' })),
            exists: optional(
              Type.Boolean({ description: 'Whether the header must be present. Default true.' }),
            ),
          },
          { description: 'Condition on a response header.' },
        ),
      ),
      body: optional(
        Strict(
          {
            path: Path('Path into the JSON body.'),
            equals: optional(Type.Unknown({ description: 'The value must equal this JSON value.' })),
            one_of: optional(
              Type.Array(Type.Unknown(), { description: 'The value must equal one of these.' }),
            ),
            contains: optional(Type.String({ description: 'The value, as text, must contain this.' })),
            exists: optional(Type.Boolean({ description: 'Whether a value must be present.' })),
          },
          { description: 'Condition on the JSON body of the response.' },
        ),
      ),
    },
    { description },
  )

export const Condition = conditionThat('A condition on a response: status, header and body must all match.')

/** A form field, for an auth config or a connection. */
export const Field = Strict(
  {
    name: Text('Name of the value in templates and in the API.', {
      pattern: '^[A-Za-z][A-Za-z0-9_-]*$',
    }),
    display_name: Text('Label of the field.'),
    type: optional(
      Type.Union([Type.Literal('string'), Type.Literal('number'), Type.Literal('boolean')], {
        default: 'string',
        description: 'Type of the value.',
      }),
    ),
    description: Text('Where to find the value, in one sentence.'),
    required: optional(Type.Boolean({ default: true, description: 'Whether a value is required.' })),
    default: optional(
      Type.Union([Type.String(), Type.Null()], { description: 'Value when the field is empty.' }),
    ),
    secret: optional(Type.Boolean({ default: false, description: 'Masked in every response of the API.' })),
    pattern: optional(
      Type.String({
        description: 'Regular expression that the value must match, without prefix and suffix.',
      }),
    ),
    enum: optional(Type.Array(Type.String(), { description: 'Allowed values.' })),
    multiline: optional(
      Type.Boolean({
        default: false,
        description: 'The value has several lines, like a private key: the page shows a text area.',
      }),
    ),
    prefix: optional(
      Type.String({ description: 'Shown before the input and removed from the value, e.g. `https://`.' }),
    ),
    suffix: optional(
      Type.String({ description: 'Shown after the input and removed from the value, e.g. `.zendesk.com`.' }),
    ),
    example: optional(Type.String({ description: 'Placeholder of the input.' })),
    legacy_template_name: optional(
      Type.String({ description: 'Former name of the field, which the API returns.' }),
    ),
  },
  { description: 'A value that a person enters.' },
)
