import { type Static, Type } from '../schema-type.ts'
import { Described, Enum, OneOf, Open, Url } from '../common.ts'
import { route } from '../route.ts'
import { Report } from './import-report.ts'

const Scopes = Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 256 }), { maxItems: 200 }))

const HeaderName = Type.String({ minLength: 1, maxLength: 128, pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$" })

const Prefix = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 64,
    pattern: '^[\\x21-\\x7e ]+$',
    description: 'Word before the value, e.g. Token.',
  }),
)

const AuthKind = <const T extends string>(type: T) => ({
  type: Type.Literal(type, { description: 'Kind of authentication.' }),
})

/** Authentication of the API in short form. */
const Auth = OneOf(
  'type',
  [
    Type.Object(AuthKind('none')),
    Type.Object(AuthKind('basic')),
    Type.Object({ ...AuthKind('bearer'), prefix: Prefix }),
    Type.Object({
      ...AuthKind('api_key'),
      in: Type.Optional(
        Enum(['header', 'query'], { description: 'Where the key is sent. Default `header`.' }),
      ),
      name: Type.Optional(Described(HeaderName, 'Name of the header or query parameter.')),
      prefix: Prefix,
    }),
    Type.Object({
      ...AuthKind('oauth2'),
      authorization_url: Described(Url, 'URL of the authorization endpoint.'),
      token_url: Described(Url, 'URL of the token endpoint.'),
      scopes: Described(Scopes, 'OAuth scopes.'),
    }),
    Type.Object({
      ...AuthKind('client_credentials'),
      token_url: Described(Url, 'URL of the token endpoint.'),
      scopes: Described(Scopes, 'OAuth scopes.'),
    }),
  ],
  {
    description: 'Authentication of the API, in place of the schemes of the document.',
    examples: [{ type: 'api_key', in: 'header', name: 'X-API-Key' }],
  },
)

const Body = Type.Object({
  type: Type.Optional(
    Enum(['auto', 'openapi', 'graphql', 'postman', 'mcp', 'toolkit'], {
      description:
        'Kind of the document. `toolkit`: content that GET /toolkits/{slug}/versions/{version}/content returned. ' +
        'Default: detected from the content.',
    }),
  ),
  url: Type.Optional(
    Type.String({
      pattern: '^https?://',
      maxLength: 2048,
      description:
        'URL of the document, of a GraphQL endpoint, or of a remote MCP server. With ' +
        '`content`: the URL that the content comes from.',
      examples: ['https://api.example.com/openapi.json'],
    }),
  ),
  content: Type.Optional(
    Type.Unsafe<string | Record<string, unknown>>({
      type: ['string', 'object'],
      additionalProperties: true,
      description: 'The document, as text or as JSON.',
    }),
  ),
  content_gzip: Type.Optional(
    Type.String({
      minLength: 1,
      pattern: '^[A-Za-z0-9+/]+={0,2}$',
      description:
        'The document as text, compressed with gzip, in base64. For documents of several megabytes.',
    }),
  ),
  slug: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 40,
      pattern: '^[a-z0-9_]+$',
      description: 'Slug of the toolkit. Default: made from the title.',
      examples: ['my_api'],
    }),
  ),
  name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 80,
      description: 'Name of the toolkit. Default: the title of the document.',
    }),
  ),
  server: Type.Optional(
    Type.String({
      pattern: '^https?://',
      maxLength: 2048,
      description: 'Base URL of the API, in place of the servers of the document.',
    }),
  ),
  auth: Type.Optional(Auth),
  auth_schemes: Type.Optional(
    Type.Array(
      Open({
        scheme: Type.String({ maxLength: 64, description: 'Authentication scheme, such as `OAUTH2`.' }),
      }),
      {
        minItems: 1,
        maxItems: 14,
        description: 'Authentication schemes in the format of a toolkit manifest, in place of `auth`.',
      },
    ),
  ),
  headers: Type.Optional(
    Type.Record(HeaderName, Type.String({ maxLength: 8192 }), {
      maxProperties: 20,
      description:
        'Headers that are sent to the host of `url` while the document is fetched. They are ' +
        'never stored.',
    }),
  ),
  confirm_accounts: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
      maxItems: 10_000,
      description:
        'IDs of all connected accounts of the toolkit. Confirms that their credentials go to the hosts of this ' +
        'import, which differ from those of the version before. Only with a key without restrictions.',
    }),
  ),
  version: Type.Optional(
    Type.String({
      pattern: '^\\d{8}_\\d{2}$',
      maxLength: 11,
      description:
        'Number of the new version, `YYYYMMDD_NN`, for copies of a toolkit of another server. It must be newer than ' +
        'all versions of the toolkit, and not of a day after tomorrow. The same content under the same number ' +
        'creates nothing. Default: the next number of today.',
      examples: ['20261121_00'],
    }),
  ),
  lenient: Type.Optional(
    Type.Boolean({
      description:
        'Imports an OpenAPI document with faults: repeated YAML keys and a missing or newer version are notes of ' +
        'the response, and arguments of JSON bodies are not checked against its schemas. Default false.',
    }),
  ),
  dry_run: Type.Optional(
    Type.Boolean({ description: 'Preview the result without saving it. Default false.' }),
  ),
})

export type ToolkitImport = Static<typeof Body>

export const importToolkit = route({
  audience: 'project',
  permission: { area: 'toolkits', level: 'write' },
  id: 'toolkits.import',
  method: 'POST',
  path: '/toolkits/import',
  summary: 'Import an API description as a toolkit',
  description:
    'Turns an API description into a toolkit of the project: OpenAPI, Swagger, GraphQL, Postman, or ' +
    'a remote MCP server, or a version that another server exported. A second import of a slug creates a new ' +
    'version if the content differs. ' +
    'The response reports operations that cannot become tools; lists are cut, counts are complete. ' +
    'Bodies are limited to 6 MB.',
  example: {
    body: {
      slug: 'status_api',
      dry_run: true,
      content: {
        openapi: '3.1.0',
        info: { title: 'Status', version: '1' },
        servers: [{ url: 'https://status.example.com' }],
        paths: {
          '/health': {
            get: {
              operationId: 'getHealth',
              summary: 'Get the health',
              responses: { 200: { description: 'Healthy' } },
            },
          },
        },
      },
    },
  },
  body: Body,
  forwardsBody: true,
  reply: Report,
  errors: [
    'Toolkit_DocumentRefused',
    'Toolkit_DocumentTooLarge',
    'Toolkit_DocumentUnreachable',
    'Toolkit_SlugTaken',
    'Toolkit_VersionTaken',
    'Toolkit_LimitReached',
  ],
})
