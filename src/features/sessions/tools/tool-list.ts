import { type ResolvedTool, selectToolkits, type Toolkit } from '../../../catalog/index.ts'
import type { ApiVersion } from '../../../contract/route.ts'
import type { Tool } from '../../../contract/tools/index.ts'
import { presentTool } from '../../tools/index.ts'
import type { SessionConnections } from '../scope/accounts.ts'
import { listedMetaTools, type MetaTool } from '../meta-tools/meta-tool.ts'
import { preloadedTools } from '../scope/preloaded-tools.ts'
import { META_TOOLKIT } from '../execution-row.ts'
import { META_VERSION, type MetaToolRunDeps } from '../meta-tools/run-meta-tool.ts'
import type { SessionScope } from '../scope/scope.ts'

export interface ToolListDeps extends MetaToolRunDeps {
  logo(slug: string): string
  managedSchemes(toolkit: string): readonly string[]
}

/**
 * What the session lists under its own name: meta tools in their order, then the preloaded ones in the order
 * of their slugs.
 */
export const listedTools = (
  { metaTools }: MetaToolRunDeps,
  scope: SessionScope,
): (MetaTool | ResolvedTool)[] => [...listedMetaTools(metaTools, scope.config), ...preloadedTools(scope)]

export const isMetaTool = (one: MetaTool | ResolvedTool): one is MetaTool => 'run' in one

/** A tool of the list; sessions always tell arguments as JSON Schema. */
export function presentListedTool(
  deps: ToolListDeps,
  scope: SessionScope,
  one: MetaTool | ResolvedTool,
): Tool {
  if (!isMetaTool(one)) return presentTool(one, scope.catalog, deps.logo, 'json_schema')
  const name = deps.toWireName(META_TOOLKIT)
  const [version, logo] = [
    { version: META_VERSION, available_versions: [META_VERSION], is_deprecated: false },
    deps.logo(name),
  ]
  const description = one.description(scope.config)
  return {
    slug: deps.toWireName(one.slug),
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

export interface ToolkitQuery {
  toolkits?: readonly string[] | undefined
  search?: string | undefined
  connected?: boolean | undefined
}

/**
 * Toolkits of the session, those with most tools first; `toolkits` takes the place of those of the session.
 * With the accounts of those whose accounts had to be read.
 */
export async function selectSessionToolkits(
  scope: SessionScope,
  { toolkits, search, connected }: ToolkitQuery,
): Promise<readonly Toolkit[]> {
  const candidates = new Set(
    toolkits
      ? toolkits.flatMap((slug) => scope.catalog.toolkit(slug)?.slug ?? [])
      : scope.toolkits().map(({ slug }) => slug),
  )
  const found = selectToolkits(scope.catalog, {
    within: candidates,
    search,
    sortBy: 'usage',
    includeDeprecated: toolkits !== undefined,
  })
  if (connected === undefined) return found
  const connections = await scope.connections(found.map(({ slug }) => slug))
  return found.filter(({ slug }) => Boolean(connections.get(slug)?.active.length) === connected)
}

export function presentSessionToolkit(
  { logo, managedSchemes }: ToolListDeps,
  scope: SessionScope,
  toolkit: Toolkit,
  connections: SessionConnections | undefined,
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
