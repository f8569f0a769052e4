import { importantFirst } from './build.ts'
import { FIRST_VERSION, LATEST } from './catalog.ts'
import type { Catalog, FoundTool, Tool, Toolkit } from './records.ts'
import { rankTools } from './search.ts'

export interface ToolFilter {
  /** Overrides every other filter but the version; unknown ones are left out. */
  slugs?: readonly string[] | undefined
  toolkits?: readonly string[] | undefined
  /** Any of these, case-sensitive. */
  tags?: readonly string[] | undefined
  important?: boolean | undefined
  /** Granted scopes: only tools that they suffice for. */
  scopes?: readonly string[] | undefined
  /** Default true. */
  includeDeprecated?: boolean | undefined
  /** Soft full text: ranks and narrows, and is ignored when nothing matches. */
  query?: string | undefined
  /** Toolkit slug to the tools allowed there (`null`: all); toolkits not named are left out. */
  allowed?: ReadonlyMap<string, readonly string[] | null> | undefined
  /** One version for all, or toolkit slug to version. */
  versions?: string | Readonly<Record<string, string>> | undefined
  /** For toolkits that `versions` does not name: `00000000_00` on v3, `latest` on v3.1. */
  defaultVersion: string
}

/** The tools that a filter leaves, important ones first and then by slug, or best match first when there is a query. */
export function selectTools(catalog: Catalog, filter: ToolFilter): readonly FoundTool[] {
  const versionOf = (toolkit: string): string => versionFor(filter, toolkit)
  if (filter.slugs) {
    const found = filter.slugs.map((slug) => {
      const known = catalog.tool(slug, LATEST) ?? catalog.tool(slug, FIRST_VERSION)
      return known && catalog.tool(slug, versionOf(known.tool.toolkit))
    })
    return [...new Set(found.filter((one) => one !== undefined))]
  }
  const chosen = filter.toolkits && new Set(filter.toolkits.map((slug) => slug.toLowerCase()))
  const found: FoundTool[] = []
  for (const { slug } of catalog.toolkits) {
    if (chosen && !chosen.has(slug)) continue
    const allowed = filter.allowed ? filter.allowed.get(slug) : null
    if (allowed === undefined) continue
    const version = versionOf(slug)
    const release = catalog.toolkit(slug, version)
    const tools = (release?.tools ?? []).filter((tool) => !allowed || allowed.includes(tool.slug))
    // A client asks for important tools on its own when it names only toolkits; a toolkit where none is left must not look empty.
    const important = filter.important && (!chosen || tools.some((tool) => tool.important))
    for (const tool of tools) {
      if (important && !tool.important) continue
      if (passes(tool, filter, release!.deprecated)) found.push(catalog.tool(tool.slug, version)!)
    }
  }
  found.sort((a, b) => importantFirst(a.tool, b.tool))
  return filter.query?.trim() ? ranked(catalog, found, filter.query) : found
}

/** The version of a toolkit that a request asks for. */
export function versionFor({ versions, defaultVersion }: Pick<ToolFilter, 'versions' | 'defaultVersion'>, toolkit: string): string {
  if (typeof versions === 'string') return versions
  return versions && Object.hasOwn(versions, toolkit) ? versions[toolkit]! : defaultVersion
}

/** Whether granted scopes suffice for a tool; one that asks for none always passes. */
export function scopesSuffice(tool: Tool, granted: ReadonlySet<string>): boolean {
  return (tool.scopeRequirements?.all_of ?? []).every((scope) => typeof scope === 'string' ? granted.has(scope) : scope.any_of.some((one) => granted.has(one)))
}

function passes(tool: Tool, { tags, scopes, includeDeprecated = true }: ToolFilter, toolkitDeprecated: boolean): boolean {
  if (!includeDeprecated && (tool.deprecated || toolkitDeprecated)) return false
  if (tags && tags.length > 0 && !tags.some((tag) => tool.tags.includes(tag))) return false
  return !scopes || scopesSuffice(tool, new Set(scopes))
}

function ranked(catalog: Catalog, found: readonly FoundTool[], query: string): readonly FoundTool[] {
  const bySlug = new Map(found.map((one) => [one.tool.slug, one]))
  const matching = rankTools(catalog, query).map(({ tool }) => bySlug.get(tool.slug)).filter((one) => one !== undefined)
  return matching.length > 0 ? matching : found
}

export interface ToolkitFilter {
  /** Id or name. */
  category?: string | undefined
  /** Only these; the caller resolves `managed_by` to a set. */
  within?: ReadonlySet<string> | undefined
  slugs?: readonly string[] | undefined
  /** In slug, name or description; the caller checks its length. */
  search?: string | undefined
  /** Default `usage`. Use is not counted, so this is: most tools first, then slug. */
  sortBy?: 'usage' | 'alphabetically' | undefined
  /** Default false. */
  includeDeprecated?: boolean | undefined
}

/** The toolkits that a filter leaves, newest release of each. */
export function selectToolkits(catalog: Catalog, filter: ToolkitFilter): readonly Toolkit[] {
  const category = filter.category?.toLowerCase()
  const slugs = filter.slugs && new Set(filter.slugs.map((slug) => slug.toLowerCase()))
  const search = filter.search?.trim().toLowerCase()
  const found = catalog.toolkits.filter((toolkit) =>
    (filter.includeDeprecated || !toolkit.deprecated)
    && (!category || toolkit.categories.some(({ id, name }) => id === category || name === category))
    && (!filter.within || filter.within.has(toolkit.slug))
    && (!slugs || slugs.has(toolkit.slug))
    && (!search || [toolkit.slug, toolkit.name, toolkit.description].some((text) => text.toLowerCase().includes(search))))
  return filter.sortBy === 'alphabetically' ? found : found.sort((a, b) => b.tools.length - a.tools.length || (a.slug < b.slug ? -1 : 1))
}
