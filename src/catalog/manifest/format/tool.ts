import { type Static, Type } from 'typebox'
import { IdempotencyKey, ToolLimits } from './limits.ts'
import { Pagination } from './pagination.ts'
import { conditionThat, OneOfText, optional, Path, Strict, TemplateText, Text, TextMap } from './shapes.ts'

/** Lists and objects in a query, a form or a multipart body. What each writes is in `styles.ts`. */
export const QUERY_STYLES = ['repeat', 'comma', 'space', 'pipe', 'tab', 'brackets', 'spread'] as const
/** RFC 6570 §3.2.2, §3.2.5 and §3.2.7. */
export const PATH_STYLES = [
  'simple',
  'simple_explode',
  'label',
  'label_explode',
  'matrix',
  'matrix_explode',
] as const
export const BODY_TYPES = ['json', 'form', 'text', 'multipart', 'binary'] as const

/**
 * JSON in which `{"$": "name"}` stands for the argument `name`, and a text may hold `{name}` places. An object member or
 * list item whose argument is absent is left out. `{"$": "name", "as": "csv"}` writes a list as `a,b`; `as` may also be `json` (its JSON text),
 * `string`, `number`, `base64`, `pairs` (an object as `a,1,b,2`), `members` (as `a=1,b=2`), `file` (bytes that were given as text,
 * base64 or an upload), `file_name`, `file_type` or `file_size` (of an upload).
 */
const ValueTemplateText = Type.Unknown({ description: 'JSON template: {"$": "argument"} or literal.' })

/** `["title", "body"]` is short for `{"title": {"$": "title"}, "body": {"$": "body"}}`. */
const Parameters = (description: string) =>
  Type.Union([Type.Array(Type.String()), Type.Record(Type.String(), ValueTemplateText)], { description })

const SerializationStyles = (description: string) =>
  Type.Record(Type.String(), OneOfText(QUERY_STYLES), { description })

export const Request = Strict(
  {
    method: OneOfText(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'], {
      description: 'HTTP method.',
    }),
    path: TemplateText(
      'Path below the base address (or an absolute address); `{name}` places are filled from arguments, percent-encoded. `{+name}` keeps slashes (RFC 6570).',
    ),
    path_style: optional(
      Type.Record(Type.String(), OneOfText(PATH_STYLES), {
        description:
          'How a list or an object is written in a path (RFC 6570): `a,b`, `.a,b`, `;name=a,b`, and their exploded forms. Default simple.',
      }),
    ),
    query: optional(Parameters('Query parameters.')),
    query_style: optional(
      SerializationStyles(
        'How a list or an object is written, by the name of the parameter. Default repeat.',
      ),
    ),
    headers: optional(Parameters('Header fields beyond those of the toolkit.')),
    cookies: optional(Parameters('Cookies; names and values are percent-encoded.')),
    body: optional(
      Type.Union([Type.Array(Type.String()), Type.Unknown()], {
        description:
          'A list of argument names, or a JSON template. `{"$": "document"}` makes one argument the whole body.',
      }),
    ),
    body_type: optional(
      OneOfText(BODY_TYPES, {
        description:
          'Default json. `multipart` is multipart/form-data; `binary` sends the bytes of one argument `as` file. A `content-type` header says more exactly what is sent.',
      }),
    ),
    body_style: optional(SerializationStyles('As query_style, for the members of a form or multipart body.')),
    part_types: optional(
      TextMap('Content type of a multipart member that is no file, where it is not plain text or JSON.'),
    ),
    body_optional: optional(
      Type.Boolean({
        description: 'No body is sent when all its members are left out. Default false: an empty one is.',
      }),
    ),
    timeout_seconds: optional(
      Type.Integer({
        minimum: 1,
        maximum: 300,
        description: 'How long a reply may take; default that of the toolkit.',
      }),
    ),
  },
  { description: 'The HTTP request that is made.' },
)

const Mcp = Strict(
  {
    tool: Text('Name of the tool at the server.', { maxLength: 256 }),
    headers: optional(
      Type.Record(Type.String(), Path('Where the value stands in the arguments.'), {
        description:
          'Arguments that the server wants in a header `Mcp-Param-<name>` too (MCP 2026-07-28, `x-mcp-header`): that name to the path of the argument.',
      }),
    ),
    timeout_seconds: optional(
      Type.Integer({
        minimum: 1,
        maximum: 300,
        description: 'How long the call may take, handshake included; default that of the toolkit.',
      }),
    ),
  },
  {
    description:
      'The tool of a remote MCP server that is called, with the arguments as they are. `base_url` is the whole address of the server, which speaks streamable HTTP.',
  },
)

export const Scope = Type.Union([
  Type.String(),
  Strict({ any_of: Type.Array(Type.String(), { description: 'One of these suffices.' }) }),
])

/** One tool: what a model sees (slug, description, input, output) and the request behind it. */
export const Tool = Strict(
  {
    slug: Text('`<TOOLKIT>_<ACTION>`, at most 64 characters, stable for ever.', {
      pattern: '^[A-Z0-9_]+$',
      maxLength: 64,
    }),
    name: Text('Short name in words.', { maxLength: 80 }),
    description: Text(
      'What it does, what it returns, when to use it; written for a model that has never seen the API.',
      { minLength: 20, maxLength: 1024 },
    ),
    human_description: optional(Text('One short line for people.')),
    effect: OneOfText(['read', 'create', 'update', 'delete'], { description: 'Becomes the hint tags.' }),
    idempotent: optional(
      Type.Boolean({
        description: 'Repeating the call changes nothing more. Default true for read and delete.',
      }),
    ),
    open_world: optional(
      Type.Boolean({
        description: 'Reaches systems outside the user’s own data. Default true, except for local toolkits.',
      }),
    ),
    important: optional(Type.Boolean({ description: 'Shown first; tag `important`.' })),
    tags: optional(
      Type.Array(Type.String(), { description: 'Tags beside the hints, e.g. the area of the API.' }),
    ),
    deprecated: optional(
      Type.Union(
        [
          Type.Boolean(),
          Strict({
            replaced_by: optional(Text('Slug of the tool to use in its place.')),
            reason: optional(Text('Why, in a sentence.', { maxLength: 300 })),
            gone: optional(
              Type.Boolean({
                description:
                  'The application no longer has it: a call is answered 410. Default false: it works on.',
              }),
            ),
          }),
        ],
        { description: 'Scheduled to go. `true`, or what replaces it and why.' },
      ),
    ),
    aliases: optional(
      Type.Array(Type.String({ pattern: '^[A-Z0-9_]+$', maxLength: 64 }), {
        maxItems: 20,
        description: 'Slugs that it had before. They work wherever its slug does, and are not listed.',
      }),
    ),
    scopes: optional(
      Strict(
        { all_of: Type.Array(Scope, { description: 'A scope, or alternatives of which one suffices.' }) },
        { description: 'OAuth scopes that the connection must have.' },
      ),
    ),
    no_auth: optional(
      Type.Boolean({ description: 'Works without a connection although the toolkit has one.' }),
    ),
    use_token: optional(
      Text(
        'Another token of the connection, e.g. `user_access_token`, in place of `access_token` in every request of this tool.',
      ),
    ),
    docs_url: optional(Text("The vendor's page for this operation.")),
    input: Type.Object(
      {},
      {
        additionalProperties: true,
        description:
          'JSON Schema (2020-12 subset) of the arguments; type object, every property with a description.',
      },
    ),
    output: Type.Object(
      {},
      { additionalProperties: true, description: 'JSON Schema of `data`; advisory, type object.' },
    ),
    request: optional(Request),
    mcp: optional(Mcp),
    run: optional(
      Type.Literal('code', {
        description:
          'The toolkit folder’s tools.ts exports a record `tools` that has this tool under its slug.',
      }),
    ),
    response: optional(
      Strict(
        {
          pick: optional(Path('Part of the reply that becomes `data`.')),
          wrap: optional(
            Text(
              'Key for a reply that is a list or a plain value. Default `items` for lists, `value` for others.',
            ),
          ),
          rename: optional(TextMap('Members of `data` and the names they get instead.')),
          omit: optional(
            Strict(
              {
                paths: Type.Array(
                  Text('E.g. `_links` or `items[*].html_url`.', {
                    pattern: '^[^.\\s\\[\\]]+(\\[\\*\\])?(\\.[^.\\s\\[\\]]+(\\[\\*\\])?)*$',
                    maxLength: 200,
                  }),
                  {
                    minItems: 1,
                    maxItems: 100,
                    description: 'Members of `data`, before `rename`; `[*]` is every item of a list.',
                  },
                ),
                asked_by: Text('The boolean argument with which a call asks for this.'),
              },
              { description: 'Noise that is left out when a call asks for it, and only then.' },
            ),
          ),
          file: optional(
            Strict(
              {
                member: Text(
                  'Member of `data` that becomes the file; marked `file_downloadable` in the output.',
                ),
                content: optional(
                  Path(
                    'Where the content stands in the reply as text. Without it the whole reply is the file.',
                  ),
                ),
                encoding: optional(
                  OneOfText(['base64', 'base64url', 'text'], {
                    description: 'How that text holds the bytes. Default base64.',
                  }),
                ),
                name: optional(Text('Name of the file; may hold arguments, e.g. `{file_name}`.')),
                mimetype: optional(Text('Its type, where the reply does not say it; may hold arguments.')),
              },
              {
                description: 'The reply is a file, or holds one: `data` has it as `{name, mimetype, s3url}`.',
              },
            ),
          ),
        },
        { description: 'How the reply becomes `data`.' },
      ),
    ),
    success_when: optional(conditionThat('In place of that of the toolkit.')),
    pagination: optional(Pagination),
    idempotency_key: optional(IdempotencyKey),
    limits: optional(ToolLimits),
  },
  { description: 'A tool has a `request`, or `mcp`, or `run: code`.' },
)

export const Tools = Strict({
  $schema: optional(Type.String({ description: 'For editors; ignored.' })),
  tools: Type.Array(Tool, { minItems: 1 }),
})

export type ToolManifest = Static<typeof Tool>
export type RequestManifest = Static<typeof Request>
export type QueryStyle = (typeof QUERY_STYLES)[number]
export type PathStyle = (typeof PATH_STYLES)[number]
export type BodyType = (typeof BODY_TYPES)[number]
