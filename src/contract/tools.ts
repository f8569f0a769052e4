import { type Static, Type } from 'typebox'
import {
  Enum,
  FreeObject,
  Id,
  Nullable,
  Open,
  PageOf,
  PageQuery,
  QueryBoolean,
  QueryList,
  Slug,
  ToolkitVersions,
  UserId,
  VersionText,
  Url,
} from './common.ts'
import { route } from './route.ts'
import { AuthScheme } from './schemes.ts'

const tools = { audience: 'project', permission: { area: 'tools', level: 'read' } } as const

/** v3 writes parameters as a flat map, v3.1 as JSON Schema: both are open objects here. */
const Parameters = Open(
  {},
  { description: 'v3: map from parameter name to descriptor; v3.1: JSON Schema of type object.' },
)
const ScopeRequirements = Type.Unsafe<{ all_of: (string | { any_of: string[] })[] } | null>({
  type: ['object', 'null'],
  additionalProperties: true,
})

export const Tool = Type.Object(
  {
    slug: Type.String(),
    name: Type.String(),
    description: Type.String(),
    human_description: Type.String(),
    toolkit: Type.Object({ slug: Type.String(), name: Type.String(), logo: Type.String() }),
    input_parameters: Parameters,
    output_parameters: Parameters,
    no_auth: Type.Boolean(),
    version: Type.String(),
    available_versions: Type.Array(Type.String()),
    scopes: Type.Array(Type.String()),
    scope_requirements: ScopeRequirements,
    tags: Type.Array(Type.String()),
    is_deprecated: Type.Boolean(),
    deprecated: Type.Object({
      displayName: Type.String(),
      version: Type.String(),
      available_versions: Type.Array(Type.String()),
      is_deprecated: Type.Boolean(),
      toolkit: Type.Object({ logo: Type.String() }),
    }),
  },
  { $id: 'Tool' },
)
export type Tool = Static<typeof Tool>

/** Vendors of models refuse all tools of a request for one schema that they do not take. */
const Dialect = Enum(['openai', 'openai_strict', 'anthropic', 'gemini'], {
  description:
    'Write `input_parameters` as JSON Schema that this vendor of models takes; in a list, tools that cannot be written so are left out.',
})

const ListQuery = Type.Object({
  toolkit_slug: Type.Optional(QueryList({ description: 'Toolkit slugs.' })),
  tool_slugs: Type.Optional(QueryList({ description: 'Tool slugs; overrides every other filter.' })),
  auth_config_ids: Type.Optional(
    QueryList({ description: 'Restrict to the toolkits and allowed tools of these auth configs.' }),
  ),
  important: Type.Optional(Enum(['true', 'false'])),
  tags: Type.Optional(QueryList({ description: 'Any of these tags.' })),
  scopes: Type.Optional(QueryList({ description: 'Tools that work with these granted scopes.' })),
  query: Type.Optional(Type.String({ maxLength: 1024, description: 'Full text; ranks and narrows.' })),
  search: Type.Optional(Type.String({ maxLength: 1024, description: 'Deprecated: use query.' })),
  include_deprecated: Type.Optional(QueryBoolean),
  toolkit_versions: Type.Optional(ToolkitVersions),
  dialect: Type.Optional(Dialect),
  ...PageQuery,
})

export const listTools = route({
  ...tools,
  id: 'tools.list',
  method: 'GET',
  path: '/tools',
  summary: 'List tools',
  query: ListQuery,
  reply: PageOf(Tool),
})
export const listToolSlugs = route({
  ...tools,
  id: 'tools.enum',
  method: 'GET',
  path: '/tools/enum',
  summary: 'List the slugs of all tools',
  reply: Type.Array(Type.String()),
})
export const readTool = route({
  ...tools,
  id: 'tools.read',
  method: 'GET',
  path: '/tools/:tool_slug',
  summary: 'Read one tool',
  params: Type.Object({ tool_slug: Slug }),
  query: Type.Object({
    version: Type.Optional(VersionText),
    toolkit_versions: Type.Optional(ToolkitVersions),
    dialect: Type.Optional(Dialect),
  }),
  reply: Tool,
  errors: ['Tool_ToolNotFound'],
})
export const requiredScopes = route({
  ...tools,
  id: 'tools.scopesRequired',
  method: 'POST',
  path: '/tools/scopes/required',
  summary: 'The scopes that a set of tools of one toolkit needs',
  body: Type.Object({
    tools: Type.Array(Slug, { minItems: 1, maxItems: 1000 }),
    version: Type.Optional(VersionText),
  }),
  reply: Type.Object({
    scopes_required: Type.Array(Type.String()),
    per_tool_requirements: Type.Array(
      Type.Object({ tool: Type.String(), scope_requirements: ScopeRequirements }),
    ),
  }),
  errors: ['Tool_ToolNotFound'],
})

const CustomAuthParams = Type.Object({
  base_url: Type.Optional(Url),
  parameters: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String({ minLength: 1, maxLength: 256 }),
        in: Enum(['header', 'query']),
        value: Type.Unsafe<string | number | boolean>({
          type: ['string', 'number', 'boolean'],
          maxLength: 16_384,
        }),
      }),
      { maxItems: 100 },
    ),
  ),
  body: Type.Optional(FreeObject),
})
export const CustomConnectionData = Type.Object({
  authScheme: AuthScheme,
  toolkitSlug: Type.String({ minLength: 1, maxLength: 64 }),
  val: FreeObject,
})

/** Our own addition: what the caller wants of the answer. A misspelt option must not run a tool that was only to be shown, so unknown ones are refused. */
const ResponseOptions = Type.Object(
  {
    fields: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 256 }), {
        minItems: 1,
        maxItems: 100,
        description: 'Paths of data to keep, as items.id; * is any name.',
        examples: [['items.id', 'items.name']],
      }),
    ),
    max_tokens: Type.Optional(
      Type.Integer({
        minimum: 500,
        maximum: 1_000_000,
        description: 'About how much of data to answer at once; the rest is fetched page by page.',
      }),
    ),
    dry_run: Type.Optional(
      Type.Boolean({
        description: 'Answer the request that would be sent, without credentials, and send nothing.',
      }),
    ),
  },
  { additionalProperties: false, description: 'An addition to the specification.' },
)

/** There when one of the options, or a repetition, has something to say. */
const ResponseInfo = Type.Object({
  id: Type.Optional(
    Type.String({ description: 'By which the other pages are fetched.', examples: ['rsp_7hQ2vLk9TmXa'] }),
  ),
  page: Type.Optional(Type.Integer()),
  pages: Type.Optional(Type.Integer()),
  next_page: Type.Optional(Nullable(Type.Integer())),
  begins_at: Type.Optional(
    Type.String({
      description: 'The place in the whole at which this page begins; text@900 is within a text.',
      examples: ['items[40]'],
    }),
  ),
  tokens: Type.Optional(Type.Integer({ description: 'Estimated.' })),
  total_tokens: Type.Optional(Type.Integer()),
  expires_at: Type.Optional(Type.String()),
  missing_fields: Type.Optional(Type.Array(Type.String(), { description: 'Paths at which nothing stood.' })),
  replayed: Type.Optional(
    Type.Boolean({ description: 'The recorded answer of an earlier call with this Idempotency-Key.' }),
  ),
})
export type ResponseInfo = Static<typeof ResponseInfo>

/** An addition of ours. */
const PagingOptions = Type.Object(
  {
    max_pages: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Default 10.' })),
    max_items: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10_000,
        description: 'No further page is read once there are as many. Default 1,000.',
      }),
    ),
  },
  {
    description:
      'Read the pages of a list one after another and answer them as one; for tools whose list goes on page by page.',
  },
)
const PagingInfo = Type.Object(
  {
    pages: Type.Integer(),
    items: Type.Integer(),
    complete: Type.Boolean({ description: 'Whether that is all of the list.' }),
    next: Nullable(FreeObject),
    stopped_by: Nullable(Enum(['max_pages', 'max_items', 'size', 'repetition', 'not_allowed', 'error'])),
    error: Type.Optional(Nullable(Type.String())),
  },
  { description: 'How much of the list was read; `next` holds the arguments that go on from there.' },
)

const Execute = Type.Object({
  user_id: Type.Optional(UserId),
  entity_id: Type.Optional(UserId),
  connected_account_id: Type.Optional(Id('ca')),
  arguments: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  text: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 20_000,
      description: 'Task in natural language; not together with arguments.',
    }),
  ),
  version: Type.Optional(VersionText),
  custom_auth_params: Type.Optional(CustomAuthParams),
  custom_connection_data: Type.Optional(CustomConnectionData),
  allow_tracing: Type.Optional(Type.Unsafe<boolean | null>({ type: ['boolean', 'null'] })),
  response: Type.Optional(ResponseOptions),
  paging: Type.Optional(PagingOptions),
})

const ExecuteReply = Type.Object({
  data: Open({}),
  error: Nullable(Type.String()),
  successful: Type.Boolean(),
  session_info: Type.Unsafe<null>({ type: 'null' }),
  log_id: Type.String(),
  response: Type.Optional(ResponseInfo),
  paging: Type.Optional(PagingInfo),
})
export type ExecuteReply = Static<typeof ExecuteReply>

export const readResponsePage = route({
  audience: 'project',
  permission: { area: 'tool_execution', level: 'write' },
  id: 'tools.responsePage',
  method: 'GET',
  path: '/tools/responses/:response_id',
  summary: 'Read a further page of an answer that was larger than wanted',
  params: Type.Object({ response_id: Id('rsp') }),
  query: Type.Object({
    page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Default: 2.' })),
  }),
  reply: Type.Object({ data: Open({}), response: ResponseInfo }),
  errors: ['ActionExecute_ResponseNotFound'],
})

export const executeTool = route({
  audience: 'project',
  permission: { area: 'tool_execution', level: 'write' },
  neverRetry: true,
  id: 'tools.execute',
  method: 'POST',
  path: '/tools/execute/:tool_slug',
  summary: 'Execute a tool with the credentials of a user',
  params: Type.Object({ tool_slug: Slug }),
  body: Execute,
  reply: ExecuteReply,
  errors: [
    'ActionExecute_NotRecorded',
    'ActionExecute_IdempotencyKeyReused',
    'ActionExecute_IdempotentCallUnderWay',
    'ActionExecute_IdempotentOutcomeUnknown',
    'ActionExecute_IdempotentResultNotKept',
    'Tool_ToolNotFound',
    'ActionExecute_ConnectedAccountNotFound',
    'ActionExecute_ConnectedAccountEntityIdRequired',
    'ActionExecute_ConnectedAccountEntityIdMismatch',
    'ActionExecute_ConnectedAccountExpired',
    'ActionExecute_ConnectedAccountNotActive',
    'ActionExecute_SharedAccessDenied',
    'ActionExecute_ToolNotAllowed',
    'ActionExecute_ToolDeprecated',
    'ActionExecute_NoModelConfigured',
    'ActionExecute_ModelUnavailable',
    'ActionExecute_ModelBusy',
    'ActionExecute_UpstreamUnreachable',
    'ActionExecute_UpstreamUnavailable',
    'ActionExecute_UpstreamTimeout',
    'ConnectedAccount_ResourceNotFound',
    'ConnectedAccount_BadRequest',
    'Auth_Config_SchemeNotSupported',
    'ActionExecute_PolicyRefused',
    'Approval_LimitReached',
  ],
})

export const BinaryBody = Type.Object(
  {
    url: Type.Optional(Url),
    base64: Type.Optional(
      Type.String({ maxLength: 5_600_000, description: 'Bytes in base64, at most 4 MB of them.' }),
    ),
    content_type: Type.Optional(Type.String({ maxLength: 255, pattern: '^[\\x20-\\x7e]+/[\\x20-\\x7e]+$' })),
  },
  {
    description:
      'Bytes to send, either from an address, which is fetched without credentials, or in base64; not together with body.',
  },
)

const Proxy = Type.Object({
  connected_account_id: Type.Optional(Id('ca')),
  user_id: Type.Optional(UserId),
  endpoint: Type.String({
    minLength: 1,
    maxLength: 8_192,
    description: 'A path below the base address of the account, or a whole address of the same site.',
    examples: ['/gmail/v1/users/me/labels'],
  }),
  method: Enum(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD']),
  body: Type.Optional(
    Type.Unknown({
      description:
        'Objects and lists are sent as JSON (as a form, where a content-type header says so), texts as they are.',
    }),
  ),
  binary_body: Type.Optional(BinaryBody),
  parameters: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String({ minLength: 1, maxLength: 256 }),
        type: Enum(['header', 'query']),
        value: Type.String({ maxLength: 16_384 }),
      }),
      { maxItems: 100 },
    ),
  ),
  custom_connection_data: Type.Optional(CustomConnectionData),
})

export const proxyExecute = route({
  audience: 'project',
  permission: { area: 'proxy_execute', level: 'write' },
  neverRetry: true,
  id: 'tools.proxy',
  method: 'POST',
  path: '/tools/execute/proxy',
  summary: "Send a request with an account's credentials",
  body: Proxy,
  reply: Type.Object({
    status: Type.Integer({ description: 'What the application answered.' }),
    data: Type.Optional(Type.Unknown({ description: 'JSON or text.' })),
    binary_data: Type.Optional(
      Type.Object(
        { url: Type.String(), content_type: Type.String(), size: Type.Integer(), expires_at: Type.String() },
        { description: 'In place of data: an answer that is no text, or larger than 10 MB.' },
      ),
    ),
    headers: Type.Record(Type.String(), Type.String()),
  }),
  errors: [
    'ActionExecute_PolicyRefused',
    'ActionExecute_ApprovalRequired',
    'Approval_LimitReached',
    'ActionProxy_MissingAuthContext',
    'ActionProxy_OriginMismatch',
    'ActionExecute_ConnectedAccountEntityIdRequired',
    'ActionExecute_ConnectedAccountEntityIdMismatch',
    'ActionExecute_ConnectedAccountExpired',
    'ActionExecute_ConnectedAccountNotActive',
    'ActionExecute_SharedAccessDenied',
    'ActionExecute_ToolNotAllowed',
    'ActionExecute_UpstreamUnreachable',
    'ActionExecute_UpstreamUnavailable',
    'ActionExecute_UpstreamTimeout',
    'ConnectedAccount_ResourceNotFound',
    'ConnectedAccount_BadRequest',
    'Auth_Config_SchemeNotSupported',
    'Toolkit_ToolkitNotFound',
    'File_NotFound',
    'File_AddressRefused',
    'File_AddressExpired',
    'File_TooLarge',
    'File_QuotaExceeded',
    'File_StorageUnavailable',
  ],
})

export const toolInput = route({
  audience: 'project',
  permission: { area: 'tool_execution', level: 'write' },
  id: 'tools.input',
  method: 'POST',
  path: '/tools/execute/:tool_slug/input',
  summary: 'Turn text into arguments',
  params: Type.Object({ tool_slug: Slug }),
  body: Type.Object({
    text: Type.String({
      minLength: 1,
      maxLength: 20_000,
      description: 'Task in natural language.',
      examples: ['mail bob@example.com that the build is green'],
    }),
    custom_description: Type.Optional(
      Type.String({ maxLength: 8_192, description: "In place of the tool's own description." }),
    ),
    system_prompt: Type.Optional(
      Type.String({
        maxLength: 20_000,
        description: "In place of the server's own instructions to the model.",
      }),
    ),
    version: Type.Optional(VersionText),
  }),
  reply: Type.Object({
    arguments: Type.Optional(Open({})),
    error: Type.Optional(Type.String({ description: 'What the text lacks.' })),
  }),
  errors: [
    'Tool_ToolNotFound',
    'ActionExecute_NoModelConfigured',
    'ActionExecute_ModelUnavailable',
    'ActionExecute_ModelBusy',
  ],
})
