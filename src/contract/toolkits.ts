import { type Static, Type } from 'typebox'
import {
  Enum,
  Nullable,
  Open,
  PageBody,
  PageOf,
  PageQuery,
  QueryBoolean,
  Strings,
  Timestamp,
  ToolkitSlug,
  VersionText,
} from './common.ts'
import { route } from './route.ts'

const toolkits = { audience: 'project', permission: { area: 'toolkits', level: 'read' } } as const

/** A value that somebody supplies, at auth config creation or when connecting. */
export const FieldDescriptor = Type.Object(
  {
    name: Type.String(),
    displayName: Type.String(),
    type: Type.String(),
    description: Type.String(),
    required: Type.Boolean(),
    default: Nullable(Type.String()),
    legacy_template_name: Type.Optional(Type.String()),
    is_secret: Type.Optional(Type.Boolean()),
  },
  { $id: 'FieldDescriptor' },
)
export type FieldDescriptor = Static<typeof FieldDescriptor>
const FieldGroup = Type.Object({
  required: Type.Array(FieldDescriptor),
  optional: Type.Array(FieldDescriptor),
})

const Category = Type.Object({ id: Type.String(), slug: Type.String(), name: Type.String() })
const Meta = {
  created_at: Timestamp,
  updated_at: Timestamp,
  description: Type.String(),
  logo: Type.String(),
  app_url: Type.String(),
  categories: Type.Array(Category),
  triggers_count: Type.Integer(),
  tools_count: Type.Integer(),
  version: Type.String(),
  available_versions: Type.Array(Type.String()),
}
const Head = {
  slug: Type.String(),
  name: Type.String(),
  auth_schemes: Type.Array(Type.String()),
  service_managed_auth_schemes: Type.Array(Type.String()),
  is_local_toolkit: Type.Boolean(),
  no_auth: Type.Boolean(),
  type: Type.String(),
  auth_guide_url: Nullable(Type.String()),
}

/** A toolkit as lists show it. */
export const ToolkitSummary = Type.Object(
  { ...Head, deprecated: Type.Object({ toolkitId: Type.String() }), meta: Type.Object(Meta) },
  { $id: 'ToolkitSummary' },
)
export type ToolkitSummary = Static<typeof ToolkitSummary>

/** A toolkit with everything needed to connect to it. */
export const Toolkit = Type.Object(
  {
    ...Head,
    enabled: Type.Boolean(),
    auth_config_details: Type.Array(
      Type.Object({
        mode: Type.String(),
        name: Type.String(),
        fields: Type.Object({ auth_config_creation: FieldGroup, connected_account_initiation: FieldGroup }),
        proxy: Type.Object({ base_url: Type.String() }),
        deprecated_auth_provider_details: Type.Optional(
          Type.Object({ authorization_url: Type.String(), token_url: Type.String() }),
        ),
        auth_hint_url: Type.Optional(Type.String()),
      }),
    ),
    service_managed_auth: Type.Array(
      Type.Object({ mode: Type.String(), scopes: Type.Object({ available: Type.Array(Type.String()) }) }),
    ),
    base_url: Type.String(),
    get_current_user_endpoint: Type.String(),
    get_current_user_endpoint_method: Type.String(),
    meta: Type.Object(Meta),
    deprecated: Type.Object({
      toolkitId: Type.String(),
      getCurrentUserEndpoint: Type.String(),
      rawProxyInfoByAuthSchemes: Type.Array(Open({})),
    }),
  },
  { $id: 'Toolkit' },
)
export type Toolkit = Static<typeof Toolkit>

const Filters = {
  category: Type.Optional(Type.String({ maxLength: 128, description: 'Category id or name.' })),
  managed_by: Type.Optional(
    Enum(['service', 'all', 'project'], {
      description: 'Toolkits with managed auth, all, or those the project has an auth config for.',
    }),
  ),
  type: Type.Optional(Enum(['native', 'custom', 'all'])),
  sort_by: Type.Optional(Enum(['usage', 'alphabetically'])),
  include_deprecated: Type.Optional(QueryBoolean),
}
const ListQuery = Type.Object({
  ...Filters,
  search: Type.Optional(Type.String({ minLength: 3, maxLength: 256 })),
  ...PageQuery,
})
export type ToolkitFilters = Omit<Static<typeof ListQuery>, keyof typeof PageQuery>

export const listToolkits = route({
  ...toolkits,
  id: 'toolkits.list',
  method: 'GET',
  path: '/toolkits',
  summary: 'List toolkits',
  query: ListQuery,
  reply: PageOf(ToolkitSummary),
})
export const listToolkitsMulti = route({
  ...toolkits,
  permission: { area: 'toolkits', level: 'write' },
  id: 'toolkits.multi',
  method: 'POST',
  path: '/toolkits/multi',
  summary: 'List chosen toolkits',
  body: Type.Object({ ...Filters, toolkits: Type.Optional(Strings()), ...PageBody }),
  reply: PageOf(ToolkitSummary),
})
export const listToolkitCategories = route({
  ...toolkits,
  id: 'toolkits.categories',
  method: 'GET',
  path: '/toolkits/categories',
  summary: 'List the categories of toolkits',
  reply: PageOf(Category),
})
export const readToolkitChangelog = route({
  ...toolkits,
  id: 'toolkits.changelog',
  method: 'GET',
  path: '/toolkits/changelog',
  summary: 'The last 10 versions of each toolkit and what changed in them',
  reply: Type.Object({
    items: Type.Array(
      Type.Object({
        slug: Type.String(),
        name: Type.String(),
        display_name: Type.String(),
        versions: Type.Array(Type.Object({ version: Type.String(), changelog: Type.String() })),
      }),
    ),
  }),
})
export const readToolkit = route({
  ...toolkits,
  id: 'toolkits.read',
  method: 'GET',
  path: '/toolkits/:slug',
  summary: 'Read one toolkit',
  params: Type.Object({ slug: ToolkitSlug }),
  query: Type.Object({ version: Type.Optional(VersionText) }),
  reply: Toolkit,
  errors: ['Toolkit_ToolkitNotFound', 'Toolkit_VersionNotFound'],
})

const ToolkitVersion = Type.Object(
  {
    version: Type.String(),
    digest: Type.String({
      description: 'SHA-256 of what the version holds: equal contents have equal digests.',
    }),
    changes: Type.String(),
    created_at: Timestamp,
    source: Type.Object({
      kind: Type.String({
        description: 'How it came here: `built_in`, or the kind of document that was imported.',
      }),
      address: Nullable(Type.String()),
    }),
    tools_count: Type.Integer(),
    quarantined: Type.Array(Type.Object({ slug: Type.String(), reason: Type.String() }), {
      description: 'Tools that were left out, because no model would be given them.',
    }),
  },
  { $id: 'ToolkitVersion' },
)
export const listToolkitVersions = route({
  ...toolkits,
  id: 'toolkits.versions',
  method: 'GET',
  path: '/toolkits/:slug/versions',
  summary: 'List the versions of a toolkit, newest first',
  params: Type.Object({ slug: ToolkitSlug }),
  reply: Type.Object({ items: Type.Array(ToolkitVersion) }),
  errors: ['Toolkit_ToolkitNotFound'],
})
export const deleteToolkit = route({
  ...toolkits,
  permission: { area: 'toolkits', level: 'write' },
  id: 'toolkits.delete',
  method: 'DELETE',
  path: '/toolkits/:slug',
  summary: 'Delete a toolkit that the project imported, with all its versions',
  params: Type.Object({ slug: ToolkitSlug }),
  reply: Type.Object({ success: Type.Boolean() }),
  errors: ['Toolkit_ToolkitNotFound', 'Toolkit_NotOwn', 'Toolkit_InUse'],
})
