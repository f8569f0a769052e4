import { importantFirst } from './build.ts'
import { FIRST_VERSION, LATEST } from './catalog.ts'
import { names } from './former-names.ts'
import type { Catalog, FoundTool, Tool, Toolkit } from './records.ts'
import { FOUND_MAX, rankToolkits, searchOf } from './search/index.ts'

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
  /** Soft full text: ranks and narrows to the best (at most `FOUND_MAX`), and is ignored when nothing matches. */
  query?: string | undefined
  /** Whose own toolkits a query may find besides those of the instance. */
  project?: string | undefined
  /** Toolkit slug to the tools allowed there (`null`: all); toolkits not named are left out. */
  allowed?: ReadonlyMap<string, readonly string[] | null> | undefined
  /** One version for all, or toolkit slug to version. */
  versions?: string | Readonly<Record<string, string>> | undefined
  /** For toolkits that `versions` does not name: `00000000_00` on v3, `latest` on v3.1. */
  defaultVersion: string
}

/** The tools that a filter leaves, important ones first and then by slug, or best match first when there is a query. */
export function selectTools(catalog: Catalog, filter: ToolFilter): readonly FoundTool[] {
  if (filter.slugs) return [...new Set(filter.slugs.map((slug) => inVersion(catalog, filter, slug)).filter((one) => one !== undefined))]
  if (filter.query?.trim()) {
    const found = searched(catalog, filter, filter.query)
    if (found.length > 0) return found
  }
  const versionOf = (toolkit: string): string => versionFor(filter, toolkit)
  const chosen = filter.toolkits && new Set(filter.toolkits.map((slug) => slug.toLowerCase()))
  const found: FoundTool[] = []
  for (const { slug } of catalog.toolkits) {
    if (chosen && !chosen.has(slug)) continue
    const allowed = filter.allowed ? filter.allowed.get(slug) : null
    if (allowed === undefined) continue
    const version = versionOf(slug)
    const release = catalog.toolkit(slug, version)
    const tools = (release?.tools ?? []).filter((tool) => !allowed || names(catalog, allowed, tool, version))
    // A client asks for important tools on its own when it names only toolkits; a toolkit where none is left must not look empty.
    const important = filter.important && (!chosen || tools.some((tool) => tool.important))
    for (const tool of tools) {
      if (important && !tool.important) continue
      if (passes(tool, filter, release!.deprecated)) found.push(catalog.tool(tool.slug, version)!)
    }
  }
  found.sort((a, b) => importantFirst(a.tool, b.tool))
  return found
}

/** A tool as the version that is asked for has it. */
function inVersion(catalog: Catalog, filter: ToolFilter, slug: string): FoundTool | undefined {
  const known = catalog.tool(slug, LATEST) ?? catalog.tool(slug, FIRST_VERSION)
  return known && catalog.tool(slug, versionFor(filter, known.tool.toolkit))
}

/** The best tools for a query among those that the other filters leave. */
function searched(catalog: Catalog, filter: ToolFilter, query: string): readonly FoundTool[] {
  const chosen = filter.toolkits && new Set(filter.toolkits.map((slug) => slug.toLowerCase()))
  const { allowed } = filter
  const toolkits = chosen ?? (allowed && new Set(allowed.keys()))
  const important = new Map<Toolkit, boolean>()
  const onlyImportant = (toolkit: Toolkit): boolean => {
    if (!filter.important) return false
    if (!chosen) return true
    if (!important.has(toolkit)) important.set(toolkit, toolkit.tools.some((tool) => tool.important && isAllowed(tool)))
    return important.get(toolkit)!
  }
  const isAllowed = (tool: Tool): boolean => {
    const slugs = allowed ? allowed.get(tool.toolkit) : null
    return slugs === null || Boolean(slugs && names(catalog, slugs, tool, versionFor(filter, tool.toolkit)))
  }
  const allows = (slug: string): boolean => {
    const found = inVersion(catalog, filter, slug)
    if (!found || !isAllowed(found.tool) || (onlyImportant(found.toolkit) && !found.tool.important)) return false
    return passes(found.tool, filter, found.toolkit.deprecated)
  }
  return searchOf(catalog).find(query, { limit: FOUND_MAX, toolkits, allows, project: filter.project }).tools.map(({ slug }) => inVersion(catalog, filter, slug)!)
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

export interface ToolkitFilter {
  /** Id or name. */
  category?: string | undefined
  /** Only these; the caller resolves `managed_by` to a set. */
  within?: ReadonlySet<string> | undefined
  slugs?: readonly string[] | undefined
  /** A name or a part of it, or words of the description; the caller checks its length. */
  search?: string | undefined
  /** Default: best match first when there is a `search`, else `usage`. Use is not counted, so this is: most tools first, then slug. */
  sortBy?: 'usage' | 'alphabetically' | undefined
  /** Default false. */
  includeDeprecated?: boolean | undefined
}

/** The toolkits that a filter leaves, newest release of each. */
export function selectToolkits(catalog: Catalog, filter: ToolkitFilter): readonly Toolkit[] {
  const category = filter.category?.toLowerCase()
  const slugs = filter.slugs && new Set(filter.slugs.map((slug) => slug.toLowerCase()))
  let found = catalog.toolkits.filter((toolkit) =>
    (filter.includeDeprecated || !toolkit.deprecated)
    && (!category || toolkit.categories.some(({ id, name }) => id === category || name === category))
    && (!filter.within || filter.within.has(toolkit.slug))
    && (!slugs || slugs.has(toolkit.slug)))
  if (filter.search?.trim()) {
    const fitting = new Set(found)
    const ranked = rankToolkits(catalog.toolkits, filter.search).filter((toolkit) => fitting.has(toolkit))
    if (!filter.sortBy) return ranked
    found = filter.sortBy === 'alphabetically' ? found.filter((toolkit) => ranked.includes(toolkit)) : ranked
  }
  return filter.sortBy === 'alphabetically' ? found : found.sort((a, b) => b.tools.length - a.tools.length || (a.slug < b.slug ? -1 : 1))
}
