import { type Static, Type } from 'typebox'
import { Enum, Id, Nullable, PageMeta, PageQuery, Timestamp, Url } from './common.ts'
import { AREAS, route } from './route.ts'

const ProjectId = Id('proj', 'pr')

/** Settings of a project; every key may be changed alone. */
const Config = {
  is_2FA_enabled: Type.Boolean({
    description: 'Check that user_id owns the connected account on execution.',
  }),
  logo_url: Nullable(Type.String({ maxLength: 2048 })),
  display_name: Nullable(Type.String({ maxLength: 128 })),
  mask_secret_keys_in_connected_account: Type.Boolean(),
  log_visibility_setting: Enum(['show_all', 'dont_store_data']),
  require_mcp_api_key: Type.Boolean(),
  is_service_link_enabled_for_managed_auth: Type.Boolean(),
  signed_url_file_expiry_in_seconds: Type.Integer({ minimum: 60, maximum: 604_800 }),
  event_retention_days: Type.Integer({
    minimum: 1,
    maximum: 3650,
    description: 'An addition of this server: for how long events can be shown and replayed.',
  }),
  mcp_sign_in_url: Nullable(
    Type.String({
      maxLength: 2048,
      description:
        'An addition of this server: browsers that an MCP client sends for a sign-in go here with `sign_in_id`, and on to the link that `mcp.createSignInLink` answers.',
    }),
  ),
  identity_verification_url: Nullable(
    Type.String({
      maxLength: 2048,
      description:
        'An addition of this server: browsers that come back from a provider are sent here with `session_uri`, and the connection stands once `complete_auth` was called.',
    }),
  ),
}
export const ProjectConfig = Type.Object(Config, { $id: 'ProjectConfig' })
export type ProjectConfig = Static<typeof ProjectConfig>
const ProjectConfigPatch = Type.Partial(
  Type.Object({
    ...Config,
    logo_url: Nullable(Url),
    mcp_sign_in_url: Nullable(Url),
    identity_verification_url: Nullable(Url),
  }),
)
export type ProjectConfigPatch = Static<typeof ProjectConfigPatch>

export const ApiKey = Type.Object({
  id: Type.String(),
  name: Type.String(),
  key: Type.String(),
  created_at: Timestamp,
})
const Permissions = Type.Object(
  Object.fromEntries(
    Object.entries(AREAS).map(([area, levels]) => [
      area,
      Type.Optional(Type.Array(Enum(levels as readonly ('read' | 'write')[]), { maxItems: 2 })),
    ]),
  ),
  {
    additionalProperties: false,
    minProperties: 1,
    description: 'Permission area to levels; fixed at creation.',
  },
)
const ScopedApiKey = Type.Object({
  ...ApiKey.properties,
  permissions: Nullable(Type.Object({}, { additionalProperties: true })),
  allowed_ips: Type.Array(Type.String()),
})

const ProjectFields = {
  id: Type.String(),
  org_id: Type.String(),
  name: Type.String(),
  email: Type.String(),
  created_at: Timestamp,
  updated_at: Timestamp,
  last_subscribed_at: Nullable(Type.String()),
  webhook_url: Nullable(Type.String()),
  event_webhook_url: Nullable(Type.String()),
  webhook_secret: Nullable(Type.String()),
  triggers_enabled: Type.Boolean(),
  is_new_webhook: Type.Boolean(),
  deleted: Type.Boolean(),
  webhook_version: Type.String(),
}
export const Project = Type.Object({ ...ProjectFields, api_keys: Type.Array(ApiKey) }, { $id: 'Project' })
export type Project = Static<typeof Project>

export const createProject = route({
  id: 'projects.create',
  method: 'POST',
  path: '/org/owner/project/new',
  summary: 'Create a project',
  audience: 'organization',
  body: Type.Object({
    name: Type.String({
      minLength: 3,
      maxLength: 75,
      pattern: '^[a-zA-Z0-9_-]+$',
      examples: ['billing_prod'],
    }),
    should_create_api_key: Type.Optional(Type.Boolean({ default: false })),
    config: Type.Optional(
      Type.Intersect([
        ProjectConfigPatch,
        Type.Object({
          is_2FA_enabled: Type.Boolean(),
          mask_secret_keys_in_connected_account: Type.Boolean(),
          log_visibility_setting: Config.log_visibility_setting,
        }),
      ]),
    ),
  }),
  reply: Type.Object({ id: Type.String(), name: Type.String(), api_key: Nullable(Type.String()) }),
  errors: ['Project_NameTaken'],
})
export const listProjects = route({
  id: 'projects.list',
  method: 'GET',
  path: '/org/owner/project/list',
  summary: 'List the projects of the organization, newest first',
  audience: 'organization',
  query: Type.Object(PageQuery),
  reply: Type.Object({ data: Type.Array(Project), ...PageMeta }),
})
export const readProject = route({
  id: 'projects.read',
  method: 'GET',
  path: '/org/owner/project/:nano_id',
  summary: 'Read a project with its keys',
  audience: 'organization',
  params: Type.Object({ nano_id: ProjectId }),
  reply: Project,
  errors: ['Project_NotFound'],
})
export const deleteProject = route({
  id: 'projects.delete',
  method: 'DELETE',
  path: '/org/owner/project/:nano_id',
  summary: 'Delete a project; its keys stop working at once',
  audience: 'organization',
  params: Type.Object({ nano_id: ProjectId }),
  reply: Type.Object({ status: Type.String() }),
  errors: ['Project_NotFound', 'Project_LastProject'],
})
export const regenerateProjectKey = route({
  id: 'projects.regenerateApiKey',
  method: 'POST',
  path: '/org/owner/project/:nano_id/regenerate_api_key',
  summary: 'Make a new project key; every earlier key of the project stops working',
  audience: 'organization',
  params: Type.Object({ nano_id: ProjectId }),
  reply: Type.Object({ api_key: ApiKey, message: Type.String() }),
  errors: ['Project_NotFound'],
})
export const createProjectKey = route({
  id: 'projectKeys.create',
  method: 'POST',
  path: '/org/owner/project/:nano_id/api_keys',
  summary: 'Make a further project key, limited to chosen permissions',
  audience: 'organization',
  params: Type.Object({ nano_id: ProjectId }),
  body: Type.Object({
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
    permissions: Type.Optional(Permissions),
    allowed_ips: Type.Optional(
      Type.Array(Type.String({ minLength: 2, maxLength: 64 }), {
        maxItems: 100,
        description: 'Addresses or CIDR ranges that may use the key; empty for any.',
      }),
    ),
  }),
  status: 201,
  reply: ScopedApiKey,
  errors: ['Project_NotFound'],
})
export const listProjectKeys = route({
  id: 'projectKeys.list',
  method: 'GET',
  path: '/org/owner/project/:nano_id/api_keys',
  summary: 'List the keys of a project, masked',
  audience: 'organization',
  params: Type.Object({ nano_id: ProjectId }),
  reply: Type.Object({ items: Type.Array(ScopedApiKey) }),
  errors: ['Project_NotFound'],
})
export const deleteProjectKey = route({
  id: 'projectKeys.delete',
  method: 'DELETE',
  path: '/org/owner/project/:nano_id/api_keys/:key_id',
  summary: 'Revoke one key of a project',
  audience: 'organization',
  params: Type.Object({ nano_id: ProjectId, key_id: Id('key') }),
  reply: Type.Object({ success: Type.Boolean() }),
  errors: ['Project_NotFound', 'APIKey_NotFound'],
})

export const readProjectConfig = route({
  id: 'projectConfig.read',
  method: 'GET',
  path: '/org/project/config',
  summary: 'Read the configuration of the project',
  audience: 'project',
  reply: ProjectConfig,
})
export const updateProjectConfig = route({
  id: 'projectConfig.update',
  method: 'PATCH',
  path: '/org/project/config',
  summary: 'Change parts of the configuration of the project',
  audience: 'project',
  body: ProjectConfigPatch,
  reply: ProjectConfig,
})

const SessionProject = Type.Object({
  auto_id: Type.Integer(),
  ...ProjectFields,
  nano_id: Type.String(),
  org: Type.Object({ id: Type.String(), name: Type.String(), plan: Type.String() }),
})
export const readSessionInfo = route({
  id: 'session.info',
  method: 'GET',
  path: '/auth/session/info',
  summary: 'Which project and key this call is made with',
  audience: 'project',
  reply: Type.Object({
    project: SessionProject,
    api_key: Type.Object({
      auto_id: Type.Integer(),
      id: Type.String(),
      name: Type.String(),
      project_id: Type.String(),
      org_member_id: Type.String(),
      created_at: Timestamp,
      updated_at: Timestamp,
      deleted_at: Nullable(Type.String()),
      key: Type.String(),
      deleted: Type.Boolean(),
    }),
    org_member: Type.Object({
      id: Type.String(),
      email: Type.String(),
      name: Type.String(),
      role: Type.String(),
    }),
  }),
})
export const readNanoId = route({
  id: 'migration.getNanoid',
  method: 'GET',
  path: '/migration/get-nanoid',
  summary: 'Convert a legacy UUID to its NanoId',
  audience: 'project',
  query: Type.Object({
    uuid: Type.String({ format: 'uuid', maxLength: 36 }),
    type: Enum(['CONNECTED_ACCOUNT', 'AUTH_CONFIG', 'TRIGGER_INSTANCE']),
  }),
  reply: Type.Object({ nanoid: Type.String() }),
  errors: ['Migration_NotFound', 'Migration_Gone'],
})
