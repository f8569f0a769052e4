import { type Static, Type } from 'typebox'
import { Enum, Nullable, OneOf, Open, Url } from './common.ts'
import { route } from './route.ts'

const Scopes = Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 256 }), { maxItems: 200 }))
const HeaderWord = Type.String({ minLength: 1, maxLength: 128, pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$" })
const Prefix = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 64,
    pattern: '^[\\x21-\\x7e ]+$',
    description: 'Word before the value, e.g. Token.',
  }),
)
const kind = <const T extends string>(type: T) => ({ type: Type.Literal(type) })

/** How one signs in, in a line. */
const Auth = OneOf(
  'type',
  [
    Type.Object(kind('none')),
    Type.Object(kind('basic')),
    Type.Object({ ...kind('bearer'), prefix: Prefix }),
    Type.Object({
      ...kind('api_key'),
      in: Type.Optional(Enum(['header', 'query'])),
      name: Type.Optional(HeaderWord),
      prefix: Prefix,
    }),
    Type.Object({ ...kind('oauth2'), authorization_url: Url, token_url: Url, scopes: Scopes }),
    Type.Object({ ...kind('client_credentials'), token_url: Url, scopes: Scopes }),
  ],
  {
    description: 'How to sign in, in place of what the document says.',
    examples: [{ type: 'api_key', in: 'header', name: 'X-API-Key' }],
  },
)

const Body = Type.Object({
  type: Type.Optional(
    Enum(['auto', 'openapi', 'graphql', 'postman', 'mcp'], {
      description: 'What it is; told from the content by default.',
    }),
  ),
  url: Type.Optional(
    Type.String({
      pattern: '^https?://',
      maxLength: 2048,
      description:
        'Where the document lies, or the address of a GraphQL endpoint or of a remote MCP server. With content: where that came from.',
      examples: ['https://api.example.com/openapi.json'],
    }),
  ),
  content: Type.Optional(
    Type.Unsafe<string | Record<string, unknown>>({
      type: ['string', 'object'],
      additionalProperties: true,
      description: 'The document: its text, or its JSON.',
    }),
  ),
  content_gzip: Type.Optional(
    Type.String({
      minLength: 1,
      pattern: '^[A-Za-z0-9+/]+={0,2}$',
      description: 'Its text, gzip in base64: for documents of several megabytes.',
    }),
  ),
  slug: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 40,
      pattern: '^[a-z0-9_]+$',
      description: 'Slug of the toolkit; made from the title by default.',
      examples: ['my_api'],
    }),
  ),
  name: Type.Optional(
    Type.String({ minLength: 1, maxLength: 80, description: 'Name of the toolkit, in place of the title.' }),
  ),
  server: Type.Optional(
    Type.String({
      pattern: '^https?://',
      maxLength: 2048,
      description: "Address of the API, in place of the document's servers.",
    }),
  ),
  auth: Type.Optional(Auth),
  auth_schemes: Type.Optional(
    Type.Array(Open({ scheme: Type.String({ maxLength: 64 }) }), {
      minItems: 1,
      maxItems: 14,
      description: 'Ways to sign in as a manifest writes them, in place of auth.',
    }),
  ),
  headers: Type.Optional(
    Type.Record(HeaderWord, Type.String({ maxLength: 8192 }), {
      maxProperties: 20,
      description: 'Sent to the host of url while it is fetched, and never stored.',
    }),
  ),
  dry_run: Type.Optional(Type.Boolean({ description: 'Tell what would become of it, and keep nothing.' })),
})
export type ToolkitImport = Static<typeof Body>

const Changes = { breaking: Type.Array(Type.String()), other: Type.Array(Type.String()) }

/** What became of a document. Lists are cut to their first entries; the counts are whole. */
const Report = Type.Object(
  {
    slug: Type.String(),
    name: Type.String(),
    type: Enum(['openapi', 'graphql', 'postman', 'mcp']),
    version: Nullable(Type.String({ description: 'Null in a dry run that would make a new one.' })),
    created: Type.Boolean({ description: 'False when the content is that of the newest version.' }),
    dry_run: Type.Boolean(),
    auth_schemes: Type.Array(Type.String()),
    counts: Type.Object({
      operations: Type.Integer(),
      tools: Type.Integer(),
      refused: Type.Integer(),
      quarantined: Type.Integer(),
    }),
    tools: Type.Array(Type.String(), { description: 'Slugs of the first 100 tools.' }),
    refused: Type.Array(
      Type.Object({
        cause: Type.String(),
        count: Type.Integer(),
        examples: Type.Array(Type.Object({ operation: Type.String(), reason: Type.String() })),
      }),
    ),
    quarantined: Type.Array(Type.Object({ tool: Type.String(), reason: Type.String() })),
    notes: Type.Array(Type.String()),
    difference: Nullable(
      Type.Object({
        counts: Type.Object({
          added: Type.Integer(),
          removed: Type.Integer(),
          changed: Type.Integer(),
          breaking: Type.Integer(),
        }),
        added: Type.Array(Type.String()),
        removed: Type.Array(Type.String()),
        changed: Type.Array(Type.Object({ slug: Type.String(), ...Changes })),
        toolkit: Type.Object(Changes),
      }),
      { description: 'To the version before; null when this is the first.' },
    ),
  },
  { $id: 'ToolkitImportReport' },
)
export type ToolkitImportReport = Static<typeof Report>

export const importToolkit = route({
  audience: 'project',
  permission: { area: 'toolkits', level: 'write' },
  id: 'toolkits.import',
  method: 'POST',
  path: '/toolkits/import',
  summary: 'Import an API description as a toolkit of the project',
  body: Body,
  reply: Report,
  errors: [
    'Toolkit_DocumentRefused',
    'Toolkit_DocumentTooLarge',
    'Toolkit_DocumentUnreachable',
    'Toolkit_SlugTaken',
    'Toolkit_LimitReached',
  ],
})
