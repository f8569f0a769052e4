import { type Static, Type } from '../schema-type.ts'
import { Described, Enum, Nullable, Url } from '../common.ts'
import { route } from '../route.ts'
import { ACCENT_PATTERN } from '../theme-colors.ts'
import { V3_PARAMETER_FORMATS } from './call-settings.ts'

/** The longest retention of events. Events of all projects share partitions, and each costs all of them. */
export const EVENT_RETENTION_DAYS_MAX = 365

/** Settings of a project. Each can be changed alone. */
export const Config = {
  is_2FA_enabled: Type.Boolean({
    description:
      'Whether a call that names a connected account must name its owner in `user_id`, too. ' +
      'Without it, a call may name the account alone, and its owner is the user of the call. Default false.',
  }),
  logo_url: Nullable(
    Type.String({ maxLength: 2048, description: 'URL of the logo on hosted pages; null for none.' }),
  ),
  display_name: Nullable(
    Type.String({ maxLength: 128, description: 'Name on hosted pages; null for the name of the project.' }),
  ),
  accent_color: Nullable(
    Type.String({
      pattern: ACCENT_PATTERN,
      maxLength: 7,
      examples: ['#0f766e'],
      description:
        'Colour of buttons and links on hosted pages, as `#rrggbb`; null for the default. It is made darker or ' +
        'lighter where it would not be readable. An addition of this server.',
    }),
  ),
  support_url: Nullable(
    Type.String({
      maxLength: 2048,
      description: 'URL of your support, linked on hosted pages; null for none. An addition of this server.',
    }),
  ),
  privacy_url: Nullable(
    Type.String({
      maxLength: 2048,
      description:
        'URL of your privacy policy, linked on hosted pages; null for none. An addition of this server.',
    }),
  ),
  mask_secret_keys_in_connected_account: Type.Boolean({
    description: 'Whether responses mask the secrets of custom connections. Default true.',
  }),
  log_visibility_setting: Enum(['show_all', 'dont_store_data'], {
    description: '`dont_store_data`: execution logs hold no arguments and results. Default `show_all`.',
  }),
  require_mcp_api_key: Type.Boolean({
    description:
      'Whether MCP clients have to send `x-api-key` or the token of a user. Default true. With false, anyone ' +
      'who knows the URL of an MCP server or session calls its tools as any user that the URL names.',
  }),
  is_service_link_enabled_for_managed_auth: Type.Boolean({
    description: 'Deprecated: whether managed connections use the hosted page. Default true.',
  }),
  signed_url_file_expiry_in_seconds: Type.Number({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Lifetime of file URLs, in seconds. Default 3600. URLs are valid for at most seven days.',
  }),
  triggers_enabled: Type.Boolean({
    description:
      'Whether triggers run. With false, applications are not polled and their webhooks make no events; polls ' +
      'continue afterwards where they ended. Default true. An addition of this server.',
  }),
  event_retention_days: Type.Integer({
    minimum: 1,
    maximum: EVENT_RETENTION_DAYS_MAX,
    description:
      'Number of days for which events can be read and replayed. Default 30. An addition of this server.',
  }),
  rank_tools_by_use: Type.Boolean({
    description:
      'Whether searches in sessions rank tools higher that the project called successfully in the last 30 days. ' +
      'Only numbers of calls are read. Default true. An addition of this server.',
  }),
  v3_parameter_format: Nullable(
    Enum(V3_PARAMETER_FORMATS, {
      description:
        'Form of the parameters of tools and trigger types under /api/v3. `map`: a map of names to descriptions. ' +
        '`json_schema`: JSON Schema, as under /api/v3.1. Null, the default: `map`, or `json_schema` on a server ' +
        'with WIRE_BRAND. An addition of this server.',
    }),
  ),
  mcp_sign_in_url: Nullable(
    Type.String({
      maxLength: 2048,
      description:
        'URL of your application to which browsers are redirected, with `sign_in_id`, when ' +
        'an MCP client starts a sign-in. Redirect the user to the link of `POST ' +
        '/mcp/sign_in_links`. Null for none. An addition of this server.',
    }),
  ),
  identity_verification_url: Nullable(
    Type.String({
      maxLength: 2048,
      description:
        'URL of your application to which browsers are redirected, with `session_uri`, after ' +
        'a provider. Connections become ACTIVE after `POST ' +
        '/connected_accounts/complete_auth`. Null for none. An addition of this server.',
    }),
  ),
}

export const ProjectConfig = Type.Object(Config, { $id: 'ProjectConfig' })

export type ProjectConfig = Static<typeof ProjectConfig>

export const ProjectConfigPatch = Type.Partial(
  Type.Object({
    ...Config,
    logo_url: Nullable(Described(Url, 'URL of the logo on hosted pages; null for none.')),
    support_url: Nullable(
      Described(
        Url,
        'URL of your support, linked on hosted pages; null for none. An addition of this server.',
      ),
    ),
    privacy_url: Nullable(
      Described(
        Url,
        'URL of your privacy policy, linked on hosted pages; null for none. An addition of this server.',
      ),
    ),
    mcp_sign_in_url: Nullable(
      Described(
        Url,
        'URL of your application that signs users in for MCP clients; null for none. An ' +
          'addition of this server.',
      ),
    ),
    identity_verification_url: Nullable(
      Described(
        Url,
        'URL of your application that confirms the user of a connection; null for none. An ' +
          'addition of this server.',
      ),
    ),
  }),
)

export type ProjectConfigPatch = Static<typeof ProjectConfigPatch>

export const readProjectConfig = route({
  id: 'projectConfig.read',
  method: 'GET',
  path: '/org/project/config',
  summary: 'Read the settings of the project',
  description: 'Returns the settings of the project of the key.',
  audience: 'project',
  reply: ProjectConfig,
})

export const updateProjectConfig = route({
  id: 'projectConfig.update',
  method: 'PATCH',
  path: '/org/project/config',
  summary: 'Change settings of the project',
  description:
    'Changes the settings that the body contains; all others stay as they are. Returns all settings.',
  example: { body: { display_name: 'Billing', log_visibility_setting: 'dont_store_data' } },
  audience: 'project',
  body: ProjectConfigPatch,
  reply: ProjectConfig,
})
