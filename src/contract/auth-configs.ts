import { type Static, Type } from 'typebox'
import {
  AnyCase,
  Enum,
  FreeObject,
  Id,
  Name,
  Nullable,
  OneOf,
  Open,
  PageOf,
  PageQuery,
  QueryBoolean,
  QueryList,
  Timestamp,
  ToolkitSlug,
  Url,
} from './common.ts'
import { route } from './route.ts'
import { AuthScheme } from './schemes.ts'
import { FieldDescriptor } from './toolkits.ts'

const reads = { audience: 'project', permission: { area: 'auth_configs', level: 'read' } } as const
const writes = { audience: 'project', permission: { area: 'auth_configs', level: 'write' } } as const
const AuthConfigId = Type.Object({ nanoid: Id('ac') })

/** Scalars, or lists of text such as scopes; anything deeper is refused. */
const CredentialValue = Type.Unsafe<string | number | boolean | string[]>({
  anyOf: [
    { type: ['string', 'number', 'boolean'], maxLength: 32_768 },
    { type: 'array', items: { type: 'string', maxLength: 1024 }, maxItems: 1000 },
  ],
})
const Credentials = Type.Record(Type.String({ maxLength: 128 }), CredentialValue, { maxProperties: 100 })
const ScopeList = Type.Unsafe<string | string[]>({
  anyOf: [
    { type: 'string', maxLength: 8192 },
    { type: 'array', items: { type: 'string', maxLength: 1024 }, maxItems: 1000 },
  ],
})
const ToolSlugs = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 1000 })
const ProxyConfig = Type.Object({
  proxy_url: Url,
  proxy_auth_key: Type.Optional(Type.String({ maxLength: 4096 })),
})
const NullableProxyConfig = Type.Unsafe<Static<typeof ProxyConfig> | null>({
  ...ProxyConfig,
  type: ['object', 'null'],
})

const Draft = {
  name: Type.Optional(Name),
  credentials: Type.Optional(Credentials),
  restrict_to_following_tools: Type.Optional(ToolSlugs),
  shared_credentials: Type.Optional(FreeObject),
  is_enabled_for_tool_router: Type.Optional(Type.Boolean()),
}
const BothToolLists = Type.Object({
  tools_for_connected_account_creation: Type.Optional(ToolSlugs),
  tools_available_for_execution: Type.Optional(ToolSlugs),
})
const ManagedAuth = Type.Object({
  type: Type.Literal('use_service_managed_auth'),
  ...Draft,
  tool_access_config: Type.Optional(BothToolLists),
})
const CustomAuth = Type.Object({
  type: Type.Literal('use_custom_auth'),
  authScheme: AuthScheme,
  ...Draft,
  tool_access_config: Type.Optional(BothToolLists),
  proxy_config: Type.Optional(NullableProxyConfig),
})
export type AuthConfigDraft = Static<typeof ManagedAuth> | Static<typeof CustomAuth>

export const AuthConfig = Type.Object(
  {
    id: Type.String(),
    uuid: Type.String(),
    type: Enum(['default', 'custom']),
    name: Type.String(),
    toolkit: Type.Object({
      slug: Type.String(),
      logo: Type.String(),
      auth_guide_url: Nullable(Type.String()),
      auth_hint_url: Nullable(Type.String()),
    }),
    auth_scheme: Type.String(),
    is_service_managed: Type.Boolean(),
    credentials: Open({}),
    proxy_config: Type.Optional(
      Type.Object({ proxy_url: Type.String(), proxy_auth_key: Type.Optional(Type.String()) }),
    ),
    status: Enum(['ENABLED', 'DISABLED']),
    created_by: Type.String(),
    created_at: Timestamp,
    last_updated_at: Timestamp,
    no_of_connections: Type.Integer(),
    expected_input_fields: Type.Array(FieldDescriptor),
    restrict_to_following_tools: Type.Array(Type.String()),
    tool_access_config: Type.Object({
      tools_for_connected_account_creation: Type.Array(Type.String()),
      tools_available_for_execution: Type.Array(Type.String()),
    }),
    shared_credentials: Open({}),
    is_enabled_for_tool_router: Type.Boolean(),
    deprecated_params: Type.Object({
      default_connector_id: Nullable(Type.String()),
      member_uuid: Type.String(),
      toolkit_id: Type.String(),
      expected_input_fields: Type.Array(FieldDescriptor),
    }),
  },
  { $id: 'AuthConfig' },
)
export type AuthConfig = Static<typeof AuthConfig>

export const listAuthConfigs = route({
  ...reads,
  id: 'authConfigs.list',
  method: 'GET',
  path: '/auth_configs',
  summary: 'List auth configs, newest first',
  query: Type.Object({
    is_service_managed: Type.Optional(QueryBoolean),
    toolkit_slug: Type.Optional(QueryList({ description: 'Toolkit slugs.' })),
    show_disabled: Type.Optional(QueryBoolean),
    search: Type.Optional(Type.String({ maxLength: 256 })),
    deprecated_app_id: Type.Optional(Type.String({ maxLength: 128 })),
    deprecated_status: Type.Optional(
      AnyCase(['ENABLED', 'DISABLED'], { description: 'ENABLED or DISABLED.' }),
    ),
    ...PageQuery,
  }),
  reply: PageOf(AuthConfig),
})
export const createAuthConfig = route({
  ...writes,
  id: 'authConfigs.create',
  method: 'POST',
  path: '/auth_configs',
  summary: 'Define how users authenticate with a toolkit',
  body: Type.Object({
    toolkit: Type.Object({ slug: ToolkitSlug }),
    auth_config: Type.Optional(OneOf('type', [ManagedAuth, CustomAuth])),
  }),
  status: 201,
  reply: Type.Object({
    toolkit: Type.Object({ slug: Type.String() }),
    auth_config: Type.Object({
      id: Type.String(),
      auth_scheme: Type.String(),
      is_service_managed: Type.Boolean(),
      restrict_to_following_tools: Type.Array(Type.String()),
    }),
  }),
  errors: [
    'Toolkit_ToolkitNotFound',
    'Auth_Config_NoAuthApp',
    'Auth_Config_SchemeNotSupported',
    'Auth_Config_MissingRequiredField',
    'Auth_Config_DefaultAuthConfigNotFound',
  ],
})
export const readAuthConfig = route({
  ...reads,
  id: 'authConfigs.read',
  method: 'GET',
  path: '/auth_configs/:nanoid',
  summary: 'Read one auth config',
  params: AuthConfigId,
  reply: AuthConfig,
  errors: ['Auth_Config_NotFound'],
})

const PatchFields = {
  type: Type.Optional(Enum(['custom', 'default'])),
  name: Type.Optional(Name),
  credentials: Type.Optional(Credentials),
  scopes: Type.Optional(ScopeList),
  user_scopes: Type.Optional(ScopeList),
  proxy_config: Type.Optional(NullableProxyConfig),
  tool_access_config: Type.Optional(BothToolLists),
  restrict_to_following_tools: Type.Optional(ToolSlugs),
  shared_credentials: Type.Optional(FreeObject),
  is_enabled_for_tool_router: Type.Optional(Type.Boolean()),
}
const Patch = Type.Object(PatchFields)
export type AuthConfigPatch = Static<typeof Patch>
export const updateAuthConfig = route({
  ...writes,
  id: 'authConfigs.update',
  method: 'PATCH',
  path: '/auth_configs/:nanoid',
  summary: 'Change parts of an auth config',
  params: AuthConfigId,
  body: Type.Object({ ...PatchFields, auth_config: Type.Optional(Patch) }),
  errors: ['Auth_Config_NotFound'],
})
export const deleteAuthConfig = route({
  ...writes,
  id: 'authConfigs.delete',
  method: 'DELETE',
  path: '/auth_configs/:nanoid',
  summary: 'Delete an auth config; its connections can no longer execute',
  params: AuthConfigId,
  query: Type.Object({
    revoke_on_delete: Type.Optional(
      Type.Boolean({
        description: 'End the access of its connections at the provider too; this goes on after the answer.',
      }),
    ),
  }),
  reply: Type.Object({ revoke_job_id: Type.Optional(Type.String()) }),
  errors: ['Auth_Config_NotFound'],
})
export const setAuthConfigStatus = route({
  ...writes,
  id: 'authConfigs.setStatus',
  method: 'PATCH',
  path: '/auth_configs/:nanoid/:status',
  summary: 'Enable or disable an auth config',
  params: Type.Object({ nanoid: Id('ac'), status: Enum(['ENABLED', 'DISABLED']) }),
  errors: ['Auth_Config_NotFound'],
})
