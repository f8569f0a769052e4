import { LATEST_VERSION } from './catalog.ts'
import { mapLazily, mergeSortedLists } from './sorted-list.ts'
import type { Catalog, ResolvedTool, Listing, Tool, ToolEntry, Toolkit } from '../types/index.ts'
import { FOUND_MAX, rankToolkits, searchOf } from '../search/index.ts'

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
  /** Toolkit slug to the tools allowed there (`null`: all); toolkits not named are left out. */
  allowed?: ReadonlyMap<string, readonly string[] | null> | undefined
  /** One version for all, or toolkit slug to version. */
  versions?: string | Readonly<Record<string, string>> | undefined
  /** For toolkits that `versions` does not name: `00000000_00` on v3, `latest` on v3.1. */
  defaultVersion: string
}

/** The tools that a filter leaves, important ones first and then by slug, or best match first when there is a query. Only those that are sliced out are read whole. */
export function selectTools(catalog: Catalog, filter: ToolFilter): Listing<ResolvedTool> {
  const found = (slug: string, toolkit: string) => catalog.tool(slug, versionFor(filter, toolkit))!
  if (filter.slugs) return selectBySlugs(catalog, filter, filter.slugs)
  if (filter.query?.trim()) {
    const best = searchEntries(catalog, filter, filter.query)
    if (best.length > 0) return mapLazily(best, ({ slug, toolkit }) => found(slug, toolkit))
  }
  return mapLazily(filterEntries(catalog, filter), ({ slug, toolkit }) => found(slug, toolkit))
}

/** Tools by their slugs, each once, in the order in which they are named. */
function selectBySlugs(
  catalog: Catalog,
  filter: ToolFilter,
  slugs: readonly string[],
): readonly ResolvedTool[] {
  const found = slugs.map((slug) => entryInVersion(catalog, filter, slug)).filter((one) => one !== undefined)
  return [...new Set(found.map(({ slug }) => slug))].map((slug) =>
    catalog.tool(slug, versionFor(filter, found.find((one) => one.slug === slug)!.toolkit))!,
  )
}

/** What the filters beside a query leave. */
function filterEntries(catalog: Catalog, filter: ToolFilter): Listing<ToolEntry> {
  const passes = compileFilter(catalog, filter)
  const all = entriesInVersions(catalog, filter)
  return passes ? [...all].filter(passes) : all
}

/** The tools of the toolkits that a filter chooses, each in the version that is asked for, in order. */
function entriesInVersions(catalog: Catalog, filter: ToolFilter): Listing<ToolEntry> {
  const { toolkits, allowed, versions, defaultVersion } = filter
  const inVersion = (slug: string): readonly ToolEntry[] =>
    catalog.toolkit(slug, versionFor(filter, slug))?.tools ?? []
  if (toolkits)
    return mergeSortedLists(
      [...new Set(toolkits.map((slug) => slug.toLowerCase()))]
        .filter((slug) => !allowed || allowed.has(slug))
        .map(inVersion),
    )
  if (allowed) return mergeSortedLists([...allowed.keys()].map(inVersion))
  if (typeof versions === 'string') return catalog.entries(versions)
  const own = Object.keys(versions ?? {}).filter(
    (slug) => versions![slug] !== defaultVersion && catalog.toolkit(slug),
  )
  if (own.length === 0) return catalog.entries(defaultVersion)
  const replaced = new Set(own)
  return mergeSortedLists([
    [...catalog.entries(defaultVersion)].filter(({ toolkit }) => !replaced.has(toolkit)),
    ...own.map(inVersion),
  ])
}

/** Whether a tool passes the filters that look at tools; undefined when all do. */
function compileFilter(catalog: Catalog, filter: ToolFilter): ((entry: ToolEntry) => boolean) | undefined {
  const { tags, scopes, includeDeprecated = true, important, allowed, toolkits } = filter
  const granted = scopes && new Set(scopes)
  const narrowed =
    allowed &&
    new Map(
      [...allowed].map(([slug, tools]) => [
        slug,
        tools && new Set(tools.map((tool) => catalog.entry(tool, versionFor(filter, slug))?.slug)),
      ]),
    )
  const isAllowed = ({ slug, toolkit }: ToolEntry): boolean =>
    !narrowed || (narrowed.get(toolkit)?.has(slug) ?? narrowed.get(toolkit) === null)
  const deprecated = memoizeByToolkit(
    (toolkit) => catalog.toolkit(toolkit, versionFor(filter, toolkit))?.deprecated ?? false,
  )
  // A client asks for important tools on its own when it names only toolkits; a toolkit where none is left must not look empty.
  const onlyImportant = memoizeByToolkit(
    (toolkit) =>
      !toolkits ||
      (catalog.toolkit(toolkit, versionFor(filter, toolkit))?.tools ?? []).some(
        (tool) => tool.important && isAllowed(tool),
      ),
  )
  const rules = [
    narrowed && isAllowed,
    !includeDeprecated && ((entry: ToolEntry) => !entry.deprecated && !deprecated(entry.toolkit)),
    tags && tags.length > 0 && ((entry: ToolEntry) => tags.some((tag) => entry.tags.includes(tag))),
    granted && ((entry: ToolEntry) => hasSufficientScopes(entry, granted)),
    important && ((entry: ToolEntry) => entry.important || !onlyImportant(entry.toolkit)),
  ].filter((rule) => typeof rule === 'function')
  return rules.length > 0 ? (entry) => rules.every((rule) => rule(entry)) : undefined
}

function memoizeByToolkit(ask: (toolkit: string) => boolean): (toolkit: string) => boolean {
  const known = new Map<string, boolean>()
  return (toolkit) => {
    let answer = known.get(toolkit)
    if (answer === undefined) known.set(toolkit, (answer = ask(toolkit)))
    return answer
  }
}

/** A tool as the version that is asked for has it. */
function entryInVersion(catalog: Catalog, filter: ToolFilter, slug: string): ToolEntry | undefined {
  const toolkit = catalog.ownerOf(slug)
  return toolkit === undefined ? undefined : catalog.entry(slug, versionFor(filter, toolkit))
}

/** The best tools for a query among those that the other filters leave. */
function searchEntries(catalog: Catalog, filter: ToolFilter, query: string): readonly ToolEntry[] {
  const { allowed } = filter
  const chosen = filter.toolkits && new Set(filter.toolkits.map((slug) => slug.toLowerCase()))
  const passes = compileFilter(catalog, filter)
  const allows = (slug: string): boolean => {
    const entry = entryInVersion(catalog, filter, slug)
    return entry !== undefined && (!passes || passes(entry))
  }
  const { tools } = searchOf(catalog).find(query, {
    limit: FOUND_MAX,
    toolkits: chosen ?? (allowed && new Set(allowed.keys())),
    allows,
  })
  // A tool that was renamed is indexed under both names.
  return [
    ...new Map(
      tools.map(({ slug }) => entryInVersion(catalog, filter, slug)!).map((entry) => [entry.slug, entry]),
    ).values(),
  ]
}

/** The tools of the newest releases, each read whole, one after the other: for what looks at all of them once. */
export function* readAllTools(catalog: Catalog): Generator<Tool> {
  for (const { tool } of selectTools(catalog, { defaultVersion: LATEST_VERSION })) yield tool
}

/** The version of a toolkit that a request asks for. */
export function versionFor(
  { versions, defaultVersion }: Pick<ToolFilter, 'versions' | 'defaultVersion'>,
  toolkit: string,
): string {
  if (typeof versions === 'string') return versions
  return versions && Object.hasOwn(versions, toolkit) ? versions[toolkit]! : defaultVersion
}

/** Whether granted scopes suffice for a tool; one that asks for none always passes. */
export function hasSufficientScopes(
  tool: Pick<ToolEntry, 'scopeRequirements'>,
  granted: ReadonlySet<string>,
): boolean {
  return (tool.scopeRequirements?.all_of ?? []).every((scope) =>
    typeof scope === 'string' ? granted.has(scope) : scope.any_of.some((one) => granted.has(one)),
  )
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
  let found = catalog.toolkits.filter(
    (toolkit) =>
      (filter.includeDeprecated || !toolkit.deprecated) &&
      (!category || toolkit.categories.some(({ id, name }) => id === category || name === category)) &&
      (!filter.within || filter.within.has(toolkit.slug)) &&
      (!slugs || slugs.has(toolkit.slug)),
  )
  if (filter.search?.trim()) {
    const fitting = new Set(found)
    const ranked = rankToolkits(catalog, filter.search).filter((toolkit) => fitting.has(toolkit))
    if (!filter.sortBy) return ranked
    found = filter.sortBy === 'alphabetically' ? found.filter((toolkit) => ranked.includes(toolkit)) : ranked
  }
  return filter.sortBy === 'alphabetically'
    ? found
    : found.sort((a, b) => b.toolCount - a.toolCount || (a.slug < b.slug ? -1 : 1))
}
