import { type FoundTool, selectToolkits, type Toolkit } from '../../catalog/index.ts'
import type { ApiVersion } from '../../contract/route.ts'
import type { Tool } from '../../contract/tools.ts'
import { presentTool } from '../tools/index.ts'
import type { Connections } from './accounts.ts'
import { listedMetaTools, type MetaTool } from './meta.ts'
import { preloadedTools } from './preloaded.ts'
import { META_TOOLKIT, META_VERSION, type MetaDeps } from './run-meta.ts'
import type { SessionScope } from './scope.ts'

export interface ListDeps extends MetaDeps {
  logo(slug: string): string
  managedSchemes(toolkit: string): readonly string[]
}

/** What the session lists under its own name: meta tools in their order, then the preloaded ones in the order of their slugs. */
export const listed = ({ metaTools }: MetaDeps, scope: SessionScope): (MetaTool | FoundTool)[] => [
  ...listedMetaTools(metaTools, scope.config),
  ...preloadedTools(scope),
]

export const isMeta = (one: MetaTool | FoundTool): one is MetaTool => 'run' in one

/** A tool of the list; sessions always tell arguments as JSON Schema. */
export function presentListed(deps: ListDeps, scope: SessionScope, one: MetaTool | FoundTool): Tool {
  if (!isMeta(one)) return presentTool(one, scope.catalog, deps.logo, 'v3.1')
  const name = deps.spell(META_TOOLKIT)
  const [version, logo] = [
    { version: META_VERSION, available_versions: [META_VERSION], is_deprecated: false },
    deps.logo(name),
  ]
  const description = one.description(scope.config)
  return {
    slug: deps.spell(one.slug),
    name: one.name,
    description,
    human_description: description,
    toolkit: { slug: name, name, logo },
    input_parameters: one.input(scope.config),
    output_parameters: one.output,
    no_auth: true,
    tags: [...one.tags],
    scopes: [],
    scope_requirements: null,
    ...version,
    deprecated: { displayName: one.name, ...version, toolkit: { logo } },
  }
}

export interface ToolkitWish {
  toolkits?: readonly string[] | undefined
  search?: string | undefined
  connected?: boolean | undefined
}

/** Toolkits of the session, those with most tools first; `toolkits` takes the place of those of the session. With the accounts of those whose accounts had to be read. */
export async function toolkitsOf(
  scope: SessionScope,
  { toolkits, search, connected }: ToolkitWish,
): Promise<readonly Toolkit[]> {
  const shown = new Set(
    toolkits
      ? toolkits.flatMap((slug) => scope.catalog.toolkit(slug)?.slug ?? [])
      : scope.toolkits().map(({ slug }) => slug),
  )
  const found = selectToolkits(scope.catalog, {
    within: shown,
    search,
    sortBy: 'usage',
    includeDeprecated: toolkits !== undefined,
  })
  if (connected === undefined) return found
  const connections = await scope.connections(found.map(({ slug }) => slug))
  return found.filter(({ slug }) => Boolean(connections.get(slug)?.active.length) === connected)
}

export function presentToolkit(
  { logo, managedSchemes }: ListDeps,
  scope: SessionScope,
  toolkit: Toolkit,
  connections: Connections | undefined,
  apiVersion: ApiVersion,
) {
  const account = connections?.active[0] ?? connections?.others[0]
  const managed = toolkit.origin === 'project' ? [] : managedSchemes(toolkit.slug)
  return {
    slug: toolkit.slug,
    name: toolkit.name,
    enabled: scope.toolkit(toolkit.slug) !== undefined,
    is_no_auth: toolkit.noAuth,
    service_managed_auth_schemes: managed.map((scheme) =>
      apiVersion === 'v3' ? scheme.toLowerCase() : scheme,
    ),
    meta: { logo: logo(toolkit.slug), description: toolkit.description },
    connected_account: account
      ? {
          id: account.id,
          user_id: account.user_id,
          status: account.status,
          created_at: account.created_at.toISOString(),
          auth_config: {
            id: account.auth_config_id,
            auth_scheme: account.auth_scheme,
            is_service_managed: account.is_service_managed,
          },
        }
      : null,
  }
}
