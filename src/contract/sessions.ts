import { type Static, type TSchema, Type } from 'typebox'
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
  Timestamp,
  ToolkitSlug,
  Url,
  UserId,
} from './common.ts'
import { type Permission, route } from './route.ts'
import { BinaryBody, CustomConnectionData, Tool } from './tools.ts'

const reads = { audience: 'project', permission: { area: 'sessions', level: 'read' } } as const
const writes = { audience: 'project', permission: { area: 'sessions', level: 'write' } } as const
export const EXECUTES: Permission = { area: 'tool_execution', level: 'write' }

export const META_TOOLS = [
  'SERVICE_SEARCH_TOOLS',
  'SERVICE_MULTI_EXECUTE_TOOL',
  'SERVICE_MANAGE_CONNECTIONS',
  'SERVICE_WAIT_FOR_CONNECTIONS',
  'SERVICE_REMOTE_WORKBENCH',
  'SERVICE_REMOTE_BASH_TOOL',
  'SERVICE_GET_TOOL_SCHEMAS',
  'SERVICE_UPSERT_RECIPE',
  'SERVICE_GET_RECIPE',
] as const
const HINTS = [
  'readOnlyHint',
  'destructiveHint',
  'idempotentHint',
  'openWorldHint',
  'createHint',
  'updateHint',
] as const
const SANDBOX_SIZES = ['standard', 'medium', 'large', 'xlarge'] as const

const OrNull = <T extends TSchema>(schema: T) => Type.Optional(Nullable(schema))
const Flag = OrNull(Type.Boolean())
const Toolkits = Type.Array(ToolkitSlug, { maxItems: 1000 })
const ToolSlug = Type.String({
  minLength: 1,
  maxLength: 128,
  pattern: '^[A-Za-z0-9_-]+$',
  examples: ['GMAIL_FETCH_EMAILS'],
})
const ToolSlugs = Type.Array(ToolSlug, { maxItems: 1000 })
const Hints = Type.Array(Enum(HINTS), { maxItems: 20 })
/** Answers spell them `enabled` and `disabled`, and requests may. */
const HintLists = Type.Object({
  enable: Type.Optional(Hints),
  disable: Type.Optional(Hints),
  enabled: Type.Optional(Hints),
  disabled: Type.Optional(Hints),
  require_approval: Type.Optional(Hints),
})
const TagFilter = Type.Union([Hints, HintLists], {
  description:
    'A list is one of enabled tags: a tool needs one of these, and none of the disabled ones. Calls of tools with a tag of require_approval wait for a person.',
})
const mapOf = <T extends TSchema>(value: T, options: object = {}) =>
  Type.Record(Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9_-]+$' }), value, {
    maxProperties: 1000,
    additionalProperties: false,
    ...options,
  })

const CustomToolShape = {
  slug: Type.String({ minLength: 1, maxLength: 60, pattern: '^[A-Za-z0-9_-]+$' }),
  name: Type.String({ minLength: 1, maxLength: 256 }),
  description: Type.String({ minLength: 1, maxLength: 8_192 }),
  input_schema: FreeObject,
  output_schema: Type.Optional(FreeObject),
  preload: Type.Optional(Type.Boolean()),
}
/** Tools that run in the caller's process; they are not stored. */
const Custom = {
  custom_tools: OrNull(
    Type.Array(Type.Object({ ...CustomToolShape, extends_toolkit: Type.Optional(ToolkitSlug) }), {
      maxItems: 100,
    }),
  ),
  custom_toolkits: OrNull(
    Type.Array(
      Type.Object({
        slug: CustomToolShape.slug,
        name: CustomToolShape.name,
        description: CustomToolShape.description,
        preload: Type.Optional(Type.Boolean()),
        tools: Type.Array(Type.Object(CustomToolShape), { maxItems: 100 }),
      }),
      { maxItems: 50 },
    ),
  ),
}
export const WithCustom = Type.Optional(Nullable(Type.Object(Custom)))
export type CustomTools = NonNullable<Static<typeof WithCustom>>

const Permissions = Type.Object(
  {
    default: Type.Optional(Enum(['allow_all', 'ask_every_call', 'ask_once_per_session'])),
    overrides: Type.Optional(
      Type.Record(
        Type.String({ minLength: 1, maxLength: 256 }),
        Enum(['always_allow', 'always_deny', 'ask_once', 'ask_always']),
        { maxProperties: 1000 },
      ),
    ),
  },
  {
    description:
      'Which calls have to be approved before they run. Keys of overrides: tool, colon, account id or __none__; * is any tool.',
  },
)

const Hook = Open(
  {
    id: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    name: Type.Optional(Type.String({ maxLength: 128 })),
    type: Enum(['before_execute', 'after_execute']),
    applies_to: Type.Optional(Open({ toolkits: Type.Optional(Toolkits) })),
    handler: Open({ type: Type.String({ minLength: 1, maxLength: 64 }) }, { maxProperties: 20 }),
  },
  { maxProperties: 20 },
)

/** What configures a session. `null`: the default. */
export const Blocks = {
  toolkits: OrNull(
    Type.Object(
      { enable: Type.Optional(Toolkits), disable: Type.Optional(Toolkits) },
      { description: 'Either enable or disable. Left out: all toolkits.' },
    ),
  ),
  auth_configs: OrNull(
    mapOf(Id('ac'), { description: 'By toolkit: the auth config to use in place of the default one.' }),
  ),
  connected_accounts: OrNull(
    mapOf(Type.Union([Id('ca'), Type.Array(Id('ca'), { minItems: 1, maxItems: 10 })]), {
      description: 'By toolkit: the accounts to use; several only with multi_account.',
    }),
  ),
  manage_connections: OrNull(
    Type.Object({
      enable: Flag,
      callback_url: OrNull(Url),
      enable_wait_for_connections: Flag,
      enable_connection_removal: Flag,
    }),
  ),
  tools: OrNull(
    mapOf(
      Type.Object({
        enable: Type.Optional(ToolSlugs),
        disable: Type.Optional(ToolSlugs),
        tags: Type.Optional(TagFilter),
      }),
      { description: 'By toolkit: one of enable, disable and tags.' },
    ),
  ),
  tags: Type.Optional(Type.Union([Hints, HintLists, Type.Null()])),
  workbench: OrNull(
    Type.Object({
      enable: Flag,
      enable_proxy_execution: Flag,
      auto_offload_threshold: OrNull(
        Type.Number({ exclusiveMinimum: 0, maximum: 10_000_000, description: 'Characters.' }),
      ),
      sandbox_size: Type.Optional(
        Type.Unsafe<(typeof SANDBOX_SIZES)[number] | null>({
          type: ['string', 'null'],
          enum: [...SANDBOX_SIZES, null],
        }),
      ),
    }),
  ),
  multi_account: OrNull(
    Type.Object({
      enable: Flag,
      max_accounts_per_toolkit: OrNull(Type.Integer({ minimum: 2, maximum: 10 })),
      require_explicit_selection: Flag,
    }),
  ),
  preload: OrNull(
    Type.Object(
      { tools: Type.Union([ToolSlugs, Type.Literal('all')]) },
      { description: 'Tools that are listed beside the meta tools; all: every tool that the filters show.' },
    ),
  ),
  search: OrNull(Type.Object({ enable: Flag })),
  execute: OrNull(Type.Object({ enable_multi_execute: Flag })),
  hooks: OrNull(Type.Array(Hook, { maxItems: 20 })),
}
const Experiments = {
  assistive_prompt_config: OrNull(
    Type.Object({
      user_timezone: Type.Optional(Type.String({ minLength: 1, maxLength: 64, examples: ['Europe/Lisbon'] })),
    }),
  ),
  permissions: OrNull(Permissions),
  link_url_overwrite: OrNull(Url),
}
const CreateBody = Type.Object({
  user_id: UserId,
  ...Blocks,
  experimental: OrNull(
    Type.Object({
      ...Experiments,
      ...Custom,
      session_config_id: Type.Optional(
        Type.Unsafe<string | null>({
          type: ['string', 'null'],
          maxLength: 80,
          description: 'A saved configuration, in place of toolkits, tools and tags.',
        }),
      ),
    }),
  ),
  premium_usage: Type.Optional(Type.Boolean({ description: 'Accepted, and without effect.' })),
})
export type CreateSession = Static<typeof CreateBody>
const PatchBody = Type.Object({
  ...Blocks,
  experimental: OrNull(Type.Object(Experiments)),
  expected_config_version: OrNull(
    Type.Integer({ minimum: 1, description: 'Change this version only: 409 if it is another by now.' }),
  ),
})
export type PatchSession = Static<typeof PatchBody>

const Lists = {
  enabled: Type.Optional(Type.Array(Type.String())),
  disabled: Type.Optional(Type.Array(Type.String())),
}
const TagsView = Type.Object({ ...Lists, require_approval: Type.Optional(Type.Array(Type.String())) })
const ListsView = Type.Object(Lists)
const Config = Type.Object(
  {
    user_id: Type.String(),
    toolkits: Type.Optional(ListsView),
    auth_configs: Type.Record(Type.String(), Type.String()),
    connected_accounts: Type.Record(
      Type.String(),
      Type.Unknown({ description: 'v3: an id; v3.1: a list of ids.' }),
    ),
    manage_connections: Type.Object({
      enabled: Type.Boolean(),
      callback_url: Type.Optional(Type.String()),
      enable_wait_for_connections: Type.Boolean(),
      enable_connection_removal: Type.Boolean(),
    }),
    tools: Type.Record(Type.String(), Type.Object({ ...Lists, tags: Type.Optional(TagsView) })),
    tags: Type.Optional(TagsView),
    workbench: Type.Object({
      enable: Type.Boolean(),
      proxy_execution_enabled: Type.Boolean(),
      auto_offload_threshold: Type.Number(),
      sandbox_size: Type.String(),
    }),
    multi_account: Type.Object({
      enable: Type.Boolean(),
      max_accounts_per_toolkit: Type.Integer(),
      require_explicit_selection: Type.Boolean(),
    }),
    preload: Type.Object({ tools: Type.Unknown({ description: 'A list of tools, or all.' }) }),
    search: Type.Object({ enable: Type.Boolean() }),
    execute: Type.Object({ enable_multi_execute: Type.Boolean() }),
    hooks: Type.Optional(Type.Array(Open({}))),
  },
  { $id: 'SessionConfig' },
)
export type SessionConfigView = Static<typeof Config>

const CustomToolView = Open({
  slug: Type.String(),
  original_slug: Type.String(),
  name: Type.String(),
  description: Type.String(),
  input_schema: Open({}),
})
export const Session = Type.Object(
  {
    session_id: Type.String({ examples: ['trs_h3Pw7Yc0bR2k'] }),
    mcp: Type.Object({ type: Type.Literal('http'), url: Type.String() }),
    tool_router_tools: Type.Array(Enum(META_TOOLS)),
    config: Config,
    config_version: Type.Integer(),
    warnings: Type.Array(Type.Object({ code: Type.String(), message: Type.String() })),
    experimental: Type.Optional(
      Type.Object({
        assistive_prompt: Type.Optional(
          Type.String({ description: 'Of a new session only: a system prompt.' }),
        ),
        permissions: Type.Optional(Open({})),
        source_session_config: Type.Optional(Type.Object({ id: Type.String() })),
        custom_tools: Type.Optional(Type.Array(CustomToolView)),
        custom_toolkits: Type.Optional(
          Type.Array(
            Open({
              slug: Type.String(),
              name: Type.String(),
              description: Type.String(),
              tools: Type.Array(CustomToolView),
            }),
          ),
        ),
      }),
    ),
  },
  { $id: 'Session' },
)
export type Session = Static<typeof Session>

export const One = Type.Object({ session_id: Id('trs') })
export const CONFIG_ERRORS = ['ToolRouterV2_InvalidConfig'] as const
export const NOT_FOUND = ['ToolRouterV2_SessionNotFound'] as const

export const createSession = route({
  ...writes,
  id: 'sessions.create',
  method: 'POST',
  path: '/tool_router/session',
  summary: 'Open a tool router session',
  body: CreateBody,
  status: 201,
  reply: Session,
  errors: [...CONFIG_ERRORS, 'ToolRouterV2_SavedConfigNotFound'],
})
export const readSession = route({
  ...reads,
  id: 'sessions.read',
  method: 'GET',
  path: '/tool_router/session/:session_id',
  summary: 'Read a session',
  params: One,
  reply: Session,
  errors: NOT_FOUND,
})
export const updateSession = route({
  ...writes,
  id: 'sessions.update',
  method: 'PATCH',
  path: '/tool_router/session/:session_id',
  summary: 'Change a session',
  params: One,
  body: PatchBody,
  reply: Session,
  errors: [...NOT_FOUND, ...CONFIG_ERRORS, 'ToolRouterV2_ConfigVersionConflict'],
})
export const deleteSession = route({
  ...writes,
  id: 'sessions.delete',
  method: 'DELETE',
  path: '/tool_router/session/:session_id',
  summary: 'Close a session',
  params: One,
  reply: Type.Object({ session_id: Type.String(), deleted: Type.Literal(true) }),
  errors: NOT_FOUND,
})
export const attachSession = route({
  ...reads,
  id: 'sessions.attach',
  method: 'POST',
  path: '/tool_router/session/:session_id/attach',
  summary: 'Attach to a session',
  permission: { area: 'sessions', level: 'write' },
  params: One,
  body: Type.Object({ experimental: WithCustom }),
  reply: Session,
  errors: [...NOT_FOUND, ...CONFIG_ERRORS],
})
export const sessionConfigHistory = route({
  ...reads,
  id: 'sessions.configHistory',
  method: 'GET',
  path: '/tool_router/session/:session_id/config_history',
  summary: 'How the configuration of a session changed',
  params: One,
  query: Type.Object(PageQuery),
  reply: PageOf(
    Type.Object({
      version: Type.Integer(),
      is_current: Type.Boolean(),
      created_at: { ...Timestamp, description: 'Of a former one: when it was superseded.' },
      config: Config,
    }),
  ),
  errors: NOT_FOUND,
})
export const createLabsSession = route({
  ...writes,
  id: 'sessions.createLabs',
  method: 'POST',
  path: '/labs/tool_router/session',
  summary: 'Open a tool router session (older address)',
  body: Type.Object({
    user_id: UserId,
    config: OrNull(
      Type.Object({
        manually_manage_connections: Flag,
        toolkits: OrNull(
          Type.Array(Type.Object({ toolkit: ToolkitSlug, auth_config_id: Type.Optional(Id('ac')) }), {
            maxItems: 1000,
          }),
        ),
      }),
    ),
  }),
  status: 201,
  reply: Type.Object({
    session_id: Type.String(),
    chat_session_mcp_url: Type.String(),
    tool_router_instance_mcp_url: Type.String(),
  }),
  errors: [...CONFIG_ERRORS, 'ToolRouterV2_SessionExists'],
})

export const sessionTools = route({
  ...reads,
  id: 'sessions.tools',
  method: 'GET',
  path: '/tool_router/session/:session_id/tools',
  summary: 'List the tools of a session',
  params: One,
  query: Type.Object(PageQuery),
  reply: PageOf(Tool),
  errors: NOT_FOUND,
})
export const sessionToolkits = route({
  ...reads,
  id: 'sessions.toolkits',
  method: 'GET',
  path: '/tool_router/session/:session_id/toolkits',
  summary: 'List the toolkits of a session',
  params: One,
  query: Type.Object({
    toolkits: Type.Optional(QueryList({ description: 'In place of the toolkits of the session.' })),
    is_connected: Type.Optional(QueryBoolean),
    search: Type.Optional(
      Type.String({ maxLength: 256, description: 'A part of the name, slug or description.' }),
    ),
    ...PageQuery,
  }),
  reply: PageOf(
    Type.Object({
      slug: Type.String(),
      name: Type.String(),
      enabled: Type.Boolean(),
      is_no_auth: Type.Boolean(),
      service_managed_auth_schemes: Type.Array(Type.String()),
      meta: Type.Object({ logo: Type.String(), description: Type.String() }),
      connected_account: Nullable(
        Type.Object({
          id: Type.String(),
          user_id: Type.String(),
          status: Type.String(),
          created_at: Timestamp,
          auth_config: Type.Object({
            id: Type.String(),
            auth_scheme: Type.String(),
            is_service_managed: Type.Boolean(),
          }),
        }),
      ),
    }),
  ),
  errors: NOT_FOUND,
})

export const Arguments = Type.Optional(Type.Record(Type.String(), Type.Unknown()))
export const Outcome = Type.Object({
  data: Open({}),
  error: Nullable(Type.String()),
  log_id: Type.String(),
  result_type: Type.Optional(
    Enum(['blocked'], { description: 'A hook of the session blocked the call, or withheld its answer.' }),
  ),
  block_reason: Type.Optional(Type.String()),
  hook_results: Type.Optional(
    Type.Array(
      Type.Object({
        hook_id: Type.String(),
        type: Type.String(),
        action: Type.String(),
        message: Nullable(Type.String()),
      }),
    ),
  ),
})
const EXECUTION_ERRORS = [
  'ToolRouterV2_NoActiveConnection',
  'ToolRouterV2_AccountRequired',
  'Tool_ToolNotFound',
  'ActionExecute_ToolDeprecated',
  'ActionExecute_ToolNotAllowed',
  'ActionExecute_ConnectedAccountExpired',
  'ActionExecute_ConnectedAccountNotActive',
  'ActionExecute_SharedAccessDenied',
  'ActionExecute_PolicyRefused',
  'Approval_LimitReached',
  'ActionExecute_NotRecorded',
  'ActionExecute_UpstreamUnreachable',
  'ActionExecute_UpstreamUnavailable',
  'ActionExecute_UpstreamTimeout',
] as const
export const executeInSession = route({
  audience: 'project',
  permission: EXECUTES,
  neverRetry: true,
  id: 'sessions.execute',
  method: 'POST',
  path: '/tool_router/session/:session_id/execute',
  summary: 'Execute a tool in a session',
  params: One,
  body: Type.Object({
    tool_slug: ToolSlug,
    arguments: Arguments,
    account: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 256,
        description: 'Id, word id or alias of a connected account.',
      }),
    ),
    enable_auto_workbench_offload: Type.Optional(
      Type.Boolean({
        description: 'Store a large result in the mount of the session and answer the beginning of it.',
      }),
    ),
    experimental: WithCustom,
  }),
  reply: Outcome,
  errors: [
    ...NOT_FOUND,
    ...CONFIG_ERRORS,
    'ToolRouterV2_MetaToolDisabled',
    'ToolRouterV2_LocalTool',
    ...EXECUTION_ERRORS,
  ],
})
const SharedAccount = Type.Object({
  account_type: Type.Optional(Enum(['PRIVATE', 'SHARED'])),
  acl_config_for_shared: Type.Optional(
    Type.Object({
      allow_all_users: Type.Optional(Type.Boolean()),
      allowed_user_ids: Type.Optional(Type.Array(UserId, { maxItems: 1000 })),
      not_allowed_user_ids: Type.Optional(Type.Array(UserId, { maxItems: 1000 })),
    }),
  ),
})
export const linkInSession = route({
  ...writes,
  neverRetry: true,
  id: 'sessions.link',
  method: 'POST',
  path: '/tool_router/session/:session_id/link',
  summary: 'Start connecting in a session',
  params: One,
  body: Type.Object({
    toolkit: ToolkitSlug,
    callback_url: Type.Optional(Url),
    alias: Type.Optional(Type.String({ maxLength: 128 })),
    experimental: Type.Optional(SharedAccount),
  }),
  status: 201,
  reply: Type.Object({
    link_token: Type.String(),
    redirect_url: Type.String(),
    connected_account_id: Type.String(),
    experimental: Type.Optional(Open({})),
  }),
  errors: [
    ...NOT_FOUND,
    ...CONFIG_ERRORS,
    'ToolRouterV2_AccountPinned',
    'ToolRouterV2_NoAuthConfig',
    'Toolkit_ToolkitNotFound',
    'Auth_Config_NotFound',
    'Auth_Config_NoAuthApp',
    'Auth_Config_Disabled',
    'Auth_Config_SchemeNotSupported',
    'ConnectedAccount_BadRequest',
    'ConnectedAccount_AliasConflict',
    'ConnectedAccount_AclOnlyForShared',
    'ConnectedAccount_NotImplemented',
  ],
})
export const proxyInSession = route({
  audience: 'project',
  permission: { area: 'proxy_execute', level: 'write' },
  neverRetry: true,
  id: 'sessions.proxy',
  method: 'POST',
  path: '/tool_router/session/:session_id/proxy_execute',
  summary: 'Send a request in a session',
  params: One,
  body: Type.Object({
    toolkit_slug: ToolkitSlug,
    endpoint: Type.String({ minLength: 1, maxLength: 8_192, examples: ['/graphql'] }),
    method: Enum(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD']),
    body: Type.Optional(Type.Unknown()),
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
    account: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 256,
        description: 'Id, word id or alias of a connected account.',
      }),
    ),
  }),
  reply: Type.Object({
    status: Type.Integer(),
    data: Type.Optional(Type.Unknown()),
    headers: Type.Record(Type.String(), Type.String()),
    binary_data: Type.Optional(
      Type.Object({
        url: Type.String(),
        content_type: Type.String(),
        size: Type.Integer(),
        expires_at: Type.String(),
      }),
    ),
  }),
  errors: [
    ...NOT_FOUND,
    'ToolRouterV2_NoActiveConnection',
    'ToolRouterV2_AccountRequired',
    'Toolkit_ToolkitNotFound',
    'Auth_Config_NoAuthApp',
    'Auth_Config_SchemeNotSupported',
    'ActionProxy_OriginMismatch',
    'ActionExecute_ConnectedAccountExpired',
    'ActionExecute_ConnectedAccountNotActive',
    'ActionExecute_SharedAccessDenied',
    'ActionExecute_ToolNotAllowed',
    'ActionExecute_PolicyRefused',
    'ActionExecute_ApprovalRequired',
    'Approval_LimitReached',
    'ActionExecute_UpstreamUnreachable',
    'ActionExecute_UpstreamUnavailable',
    'ActionExecute_UpstreamTimeout',
    'File_NotFound',
    'File_AddressRefused',
    'File_AddressExpired',
    'File_TooLarge',
    'File_QuotaExceeded',
    'File_StorageUnavailable',
  ],
})
