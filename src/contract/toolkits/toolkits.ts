import { type Static, Type } from '../schema-type.ts'
import {
  Described,
  Enum,
  PageBody,
  PageOf,
  PageQuery,
  QueryBoolean,
  Strings,
  ToolkitSlug,
  VersionText,
} from '../common.ts'
import { route } from '../route.ts'
import { Category, Toolkit, ToolkitSummary } from './schemas.ts'

const toolkits = { audience: 'project', permission: { area: 'toolkits', level: 'read' } } as const

const Filters = {
  category: Type.Optional(Type.String({ maxLength: 128, description: 'Id or name of a category.' })),
  managed_by: Type.Optional(
    Enum(['service', 'all', 'project'], {
      description:
        '`service`: toolkits of the server, as `type=native`. `project`: toolkits that the project imported, as ' +
        '`type=custom`. Default `all`.',
    }),
  ),
  type: Type.Optional(
    Enum(['native', 'custom', 'all'], {
      description:
        '`native` toolkits of the server, or `custom` ones that the project imported. ' +
        'Default `all`. It takes precedence over `managed_by`.',
    }),
  ),
  sort_by: Type.Optional(
    Enum(['usage', 'alphabetically'], {
      description:
        'Sort order. Default: the best match first with `search`, else `usage`: the toolkits that the project ' +
        'called most in its last 10,000 calls, then those with most tools.',
    }),
  ),
  include_deprecated: Type.Optional(Described(QueryBoolean, 'Include deprecated toolkits. Default false.')),
}

const ListQuery = Type.Object({
  ...Filters,
  search: Type.Optional(
    Type.String({
      minLength: 3,
      maxLength: 256,
      description: 'Part of the name, the slug or the description.',
    }),
  ),
  ...PageQuery,
})

export type ToolkitFilters = Omit<Static<typeof ListQuery>, keyof typeof PageQuery>

export const listToolkits = route({
  ...toolkits,
  id: 'toolkits.list',
  method: 'GET',
  path: '/toolkits',
  summary: 'List toolkits',
  description: 'Returns a page of the toolkits: those of the server and those that the project imported.',
  example: { query: { search: 'mail', limit: 20 } },
  query: ListQuery,
  reply: PageOf(ToolkitSummary),
})

export const listToolkitsMulti = route({
  ...toolkits,
  permission: { area: 'toolkits', level: 'write' },
  id: 'toolkits.multi',
  audit: false,
  method: 'POST',
  path: '/toolkits/multi',
  summary: 'List several toolkits by slug',
  description:
    'Returns a page of the toolkits with the given slugs. The filters are those of `GET /toolkits`.',
  example: { body: { toolkits: ['hackernews', 'utilities'] } },
  body: Type.Object({
    ...Filters,
    toolkits: Type.Optional(
      Strings({ description: 'Slugs of toolkits. Unknown slugs are skipped. Default: all.' }),
    ),
    ...PageBody,
  }),
  reply: PageOf(ToolkitSummary),
})

export const listToolkitCategories = route({
  ...toolkits,
  id: 'toolkits.categories',
  method: 'GET',
  path: '/toolkits/categories',
  summary: 'List the categories of toolkits',
  description: 'Returns all categories of toolkits on one page.',
  reply: PageOf(Category),
})

export const readToolkitChangelog = route({
  ...toolkits,
  id: 'toolkits.changelog',
  method: 'GET',
  path: '/toolkits/changelog',
  summary: 'List recent versions of all toolkits',
  description: 'Returns the last 10 versions of every toolkit, with the changes in each.',
  reply: Type.Object({
    items: Type.Array(
      Type.Object({
        slug: Type.String({ description: 'Slug of the toolkit.' }),
        name: Type.String({ description: 'Name of the toolkit.' }),
        display_name: Type.String({ description: 'Display name of the toolkit.' }),
        versions: Type.Array(
          Type.Object({
            version: Type.String({ description: 'Version, `YYYYMMDD_NN`.' }),
            changelog: Type.String({ description: 'Changes in the version.' }),
          }),
          { description: 'Versions, newest first.' },
        ),
      }),
      { description: 'Toolkits.' },
    ),
  }),
})

export const readToolkit = route({
  ...toolkits,
  id: 'toolkits.read',
  method: 'GET',
  path: '/toolkits/:slug',
  summary: 'Read one toolkit',
  description: 'Returns one toolkit with its authentication schemes and the fields that each needs.',
  example: { params: { slug: 'github' } },
  params: Type.Object({ slug: Described(ToolkitSlug, 'Slug of the toolkit.') }),
  query: Type.Object({
    version: Type.Optional(Described(VersionText, 'Version of the toolkit. Default `latest`.')),
  }),
  reply: Toolkit,
  errors: ['Toolkit_ToolkitNotFound', 'Toolkit_VersionNotFound'],
})

export const deleteToolkit = route({
  ...toolkits,
  permission: { area: 'toolkits', level: 'write' },
  id: 'toolkits.delete',
  method: 'DELETE',
  path: '/toolkits/:slug',
  summary: 'Delete an imported toolkit',
  description:
    'Deletes a toolkit that the project imported, with all its versions. Toolkits of the server ' +
    'cannot be deleted. Delete the auth configs of the toolkit first.',
  example: { params: { slug: 'status_api' }, needs: 'an imported toolkit' },
  params: Type.Object({ slug: Described(ToolkitSlug, 'Slug of the toolkit.') }),
  reply: Type.Object({
    success: Type.Boolean({ description: 'Always true: a failure returns an error envelope.' }),
  }),
  errors: ['Toolkit_ToolkitNotFound', 'Toolkit_NotOwn', 'Toolkit_InUse'],
})
