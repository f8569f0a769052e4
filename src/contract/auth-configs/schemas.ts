import { type Static, Type } from '../schema-type.ts'
import { Described, Enum, FreeObject, Name, Nullable, Open, Timestamp, Url } from '../common.ts'
import { AuthConfigScheme, AuthScheme } from '../schemes.ts'
import { FieldDescriptor } from '../toolkits/schemas.ts'

/** Text, lists such as scopes, and any other JSON. Fields of a scheme take text, numbers, booleans and lists of text. */
const CredentialValue = Type.Unsafe<unknown>({
  anyOf: [
    { type: ['string', 'number', 'boolean', 'null'], maxLength: 32_768 },
    { type: 'array', maxItems: 1000 },
    { type: 'object', maxProperties: 200, propertyNames: { maxLength: 128 } },
  ],
})

export const Credentials = Type.Record(Type.String({ maxLength: 128 }), CredentialValue, {
  maxProperties: 100,
  propertyNames: { maxLength: 128 },
})

export const ScopeList = Type.Unsafe<string | string[]>({
  anyOf: [
    { type: 'string', maxLength: 8192 },
    { type: 'array', items: { type: 'string', maxLength: 1024 }, maxItems: 1000 },
  ],
})

export const ToolSlugs = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 1000 })

const ProxyConfig = Type.Object({
  proxy_url: Described(Url, 'URL of the proxy through which all requests to the application are sent.'),
  proxy_auth_key: Type.Optional(
    Type.String({ maxLength: 4096, description: 'Key that the proxy requires.' }),
  ),
})

export const NullableProxyConfig = Type.Unsafe<Static<typeof ProxyConfig> | null>({
  ...ProxyConfig,
  type: ['object', 'null'],
})

const DraftFields = {
  name: Type.Optional(
    Described(Name, 'Display name, up to 128 characters. Default: the toolkit slug and a random suffix.'),
  ),
  credentials: Type.Optional(
    Described(
      Credentials,
      'Credentials of the application by field name, such as `client_id`, `client_secret` ' +
        'and `scopes`. The toolkit lists them in `auth_config_details[].fields.auth_config_creation`.',
    ),
  ),
  restrict_to_following_tools: Type.Optional(
    Described(
      ToolSlugs,
      'Deprecated: use `tool_access_config.tools_available_for_execution`. Slugs of the ' +
        'tools that may be executed.',
    ),
  ),
  shared_credentials: Type.Optional(
    Described(
      FreeObject,
      'Values that all connections of this auth config share, by field name. Users are not ' +
        'asked for them.',
    ),
  ),
  is_enabled_for_tool_router: Type.Optional(
    Type.Boolean({
      description: 'Whether sessions may select this auth config automatically. Default true.',
    }),
  ),
}

export const ToolAccess = Type.Object({
  tools_for_connected_account_creation: Type.Optional(
    Described(
      ToolSlugs,
      'Tool slugs. For OAuth, the scopes that these tools need replace the scopes of the auth config.',
    ),
  ),
  tools_available_for_execution: Type.Optional(
    Described(ToolSlugs, 'Slugs of the tools that may be executed. Empty: every tool of the toolkit.'),
  ),
})

export const ManagedAuth = Type.Object({
  type: Type.Literal('use_service_managed_auth', {
    description: 'The server uses credentials that its administrator configured for the toolkit.',
  }),
  ...DraftFields,
  tool_access_config: Type.Optional(Described(ToolAccess, 'Restrictions on tools.')),
})

export const CustomAuth = Type.Object({
  type: Type.Literal('use_custom_auth', { description: 'The project brings its own credentials.' }),
  authScheme: Described(
    AuthScheme,
    'Authentication scheme, in any letter case: one of the modes in `auth_config_details` of the toolkit.',
  ),
  ...DraftFields,
  tool_access_config: Type.Optional(Described(ToolAccess, 'Restrictions on tools.')),
  proxy_config: Type.Optional(
    Described(NullableProxyConfig, 'Proxy for requests to the application; null for none.'),
  ),
})

export type AuthConfigDraft = Static<typeof ManagedAuth> | Static<typeof CustomAuth>

export const AuthConfig = Type.Object(
  {
    id: Type.String({ description: 'Id of the auth config, `ac_…`.' }),
    uuid: Type.String({ description: 'Legacy UUID of the auth config.' }),
    type: Enum(['default', 'custom'], {
      description: '`default`: managed credentials of the server. `custom`: credentials of the project.',
    }),
    name: Type.String({ description: 'Display name.' }),
    toolkit: Type.Object(
      {
        slug: Type.String({ description: 'Slug of the toolkit.' }),
        logo: Type.String({ description: 'URL of the logo.' }),
        auth_guide_url: Nullable(
          Type.String({
            description: 'URL of a guide to creating the credentials; null when there is none.',
          }),
        ),
        auth_hint_url: Nullable(
          Type.String({
            description:
              'URL of the page of the application that shows the credentials; null when there is none.',
          }),
        ),
      },
      { description: 'Toolkit of the auth config.' },
    ),
    ...AuthConfigScheme,
    credentials: Open(
      {},
      {
        description:
          'Credentials by field name. Secrets are masked: the first four characters for custom ' +
          'credentials, `REDACTED` for managed ones.',
      },
    ),
    redirect_uri: Nullable(
      Type.String({
        description:
          'Redirect URI to register at the provider; null for a scheme that redirects no browser. Where a project ' +
          'chooses the authorization server, each auth config has its own.',
      }),
    ),
    proxy_config: Type.Optional(
      Type.Object(
        {
          proxy_url: Type.String({ description: 'URL of the proxy.' }),
          proxy_auth_key: Type.Optional(Type.String({ description: 'Key of the proxy, masked.' })),
        },
        { description: 'Proxy for requests to the application, when one is configured.' },
      ),
    ),
    status: Enum(['ENABLED', 'DISABLED'], {
      description: '`DISABLED`: no new connections, and the existing ones cannot execute tools.',
    }),
    created_by: Type.String({ description: 'Id of the user that created the auth config.' }),
    created_at: Described(Timestamp, 'When the auth config was created.'),
    last_updated_at: Described(Timestamp, 'When the auth config was last changed.'),
    no_of_connections: Type.Integer({ description: 'Number of ACTIVE connected accounts.' }),
    expected_input_fields: Type.Array(FieldDescriptor, {
      description: 'Fields that a user supplies when connecting, without those in `shared_credentials`.',
    }),
    restrict_to_following_tools: Type.Array(Type.String(), {
      description: 'Deprecated: the same as `tool_access_config.tools_available_for_execution`.',
    }),
    tool_access_config: Type.Object(
      {
        tools_for_connected_account_creation: Type.Array(Type.String(), {
          description: 'Slugs of the tools whose scopes new connections request.',
        }),
        tools_available_for_execution: Type.Array(Type.String(), {
          description: 'Slugs of the tools that may be executed. Empty: every tool of the toolkit.',
        }),
      },
      { description: 'Restrictions on tools.' },
    ),
    shared_credentials: Open({}, { description: 'Values that all connections share. Secrets are masked.' }),
    is_enabled_for_tool_router: Type.Boolean({
      description: 'Whether sessions may select this auth config automatically.',
    }),
    deprecated_params: Type.Object(
      {
        default_connector_id: Nullable(
          Type.String({ description: 'Deprecated: UUID of the newest enabled auth config of the toolkit.' }),
        ),
        member_uuid: Type.String({ description: 'Deprecated: UUID of the member or key in `created_by`.' }),
        toolkit_id: Type.String({ description: 'Deprecated: legacy UUID of the toolkit.' }),
        expected_input_fields: Type.Array(FieldDescriptor, {
          description: 'Deprecated: use the field of the same name above.',
        }),
      },
      { description: 'Deprecated fields of earlier versions.' },
    ),
  },
  { $id: 'AuthConfig' },
)

export type AuthConfig = Static<typeof AuthConfig>

export const PatchFields = {
  type: Type.Optional(
    Enum(['custom', 'default'], {
      description: 'Type of the auth config. It cannot be changed and must equal the stored one.',
    }),
  ),
  name: Type.Optional(Described(Name, 'New display name.')),
  credentials: Type.Optional(
    Described(
      Credentials,
      'Credentials to change, by field name. Other credentials stay as they are; masked ' +
        'values are ignored.',
    ),
  ),
  scopes: Type.Optional(
    Described(ScopeList, 'OAuth scopes, as a list or as text separated by commas or spaces.'),
  ),
  user_scopes: Type.Optional(
    Described(ScopeList, 'OAuth scopes of the user token, for applications with two tokens such as Slack.'),
  ),
  proxy_config: Type.Optional(
    Described(NullableProxyConfig, 'Proxy for requests to the application; null removes it.'),
  ),
  tool_access_config: Type.Optional(
    Described(
      ToolAccess,
      'Restrictions on tools. A list that is left out stays as it is; an empty list clears it.',
    ),
  ),
  restrict_to_following_tools: Type.Optional(
    Described(ToolSlugs, 'Deprecated: use `tool_access_config.tools_available_for_execution`.'),
  ),
  shared_credentials: Type.Optional(
    Described(FreeObject, 'Values that all connections share, by field name.'),
  ),
  is_enabled_for_tool_router: Type.Optional(
    Type.Boolean({ description: 'Whether sessions may select this auth config automatically.' }),
  ),
}

export const Patch = Type.Object(PatchFields)
export type AuthConfigPatch = Static<typeof Patch>
