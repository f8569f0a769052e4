import { FOUND_MAX, type FoundBySearch, searchOf, type Similarity } from '../search/index.ts'
import type { Catalog, Listing, ResolvedTool, Tool, ToolEntry } from '../types/index.ts'
import { mapLazily, mergeSortedLists } from './sorted-list.ts'
import { LATEST_VERSION, type RequestedVersions, versionFor } from './versions.ts'

export interface ToolFilter extends RequestedVersions {
  /** Overrides every other filter except the version. Unknown slugs are left out. */
  slugs?: readonly string[] | undefined
  toolkits?: readonly string[] | undefined
  /** Tools with any of these, case-sensitive. */
  tags?: readonly string[] | undefined
  important?: boolean | undefined
  /** Granted scopes: only tools that need no others. */
  scopes?: readonly string[] | undefined
  /** Default true. */
  includeDeprecated?: boolean | undefined
  /** Full-text search: the best matches, at most `FOUND_MAX`; none where nothing matches. Ignored if it is blank. */
  query?: string | undefined
  /** The similarity of tools to the query, by an embedding model. */
  similarity?: Similarity | undefined
  /** Toolkit slug to the tools allowed there (`null`: all). Toolkits that are not listed are left out. */
  allowed?: ReadonlyMap<string, readonly string[] | null> | undefined
}

/**
 * Returns the tools that pass a filter, as `selectEntries` does. Only the tools that are sliced out are read whole, and
 * they do not stay in memory: a caller reads many once.
 */
export const selectTools = (catalog: Catalog, filter: ToolFilter): Listing<ResolvedTool> =>
  mapLazily(selectEntries(catalog, filter), (entry) => readSelected(catalog, filter, entry))

/** Reads a tool of `selectEntries` whole. It does not stay in memory. */
export const readSelected = (
  catalog: Catalog,
  filter: ToolFilter,
  { slug, toolkit }: ToolEntry,
): ResolvedTool => catalog.tool(slug, versionFor(filter, toolkit), { remember: false })!

/**
 * Returns the entries of the tools that pass a filter: important ones first and then by slug, or the best match first
 * where there is a query.
 */
export function selectEntries(catalog: Catalog, filter: ToolFilter): Listing<ToolEntry> {
  if (filter.slugs) return selectBySlugs(catalog, filter, filter.slugs)
  if (filter.query?.trim()) return searchEntries(catalog, filter, filter.query)
  return filterEntries(catalog, filter)
}

/** Returns each named tool once, in the order of the slugs. */
function selectBySlugs(catalog: Catalog, filter: ToolFilter, slugs: readonly string[]): readonly ToolEntry[] {
  const entries = slugs
    .map((slug) => entryInVersion(catalog, filter, slug))
    .filter((entry) => entry !== undefined)
  return [...new Map(entries.map((entry) => [entry.slug, entry])).values()]
}

/** Applies all filters except the query. */
function filterEntries(catalog: Catalog, filter: ToolFilter): Listing<ToolEntry> {
  const passes = compileFilter(catalog, filter)
  const entries = entriesInVersions(catalog, filter)
  return passes ? [...entries].filter(passes) : entries
}

/** Returns the tools of the selected toolkits, each in the requested version, sorted. */
function entriesInVersions(catalog: Catalog, filter: ToolFilter): Listing<ToolEntry> {
  const { toolkits, allowed, versions, defaultVersion } = filter
  const entriesOf = (slug: string): readonly ToolEntry[] =>
    catalog.toolkit(slug, versionFor(filter, slug))?.tools ?? []
  if (toolkits)
    return mergeSortedLists(
      [...new Set(toolkits.map((slug) => slug.toLowerCase()))]
        .filter((slug) => !allowed || allowed.has(slug))
        .map(entriesOf),
    )
  if (allowed) return mergeSortedLists([...allowed.keys()].map(entriesOf))
  if (typeof versions === 'string') return catalog.entries(versions)
  const pinned = Object.keys(versions ?? {}).filter(
    (slug) => versions![slug] !== defaultVersion && catalog.toolkit(slug),
  )
  if (pinned.length === 0) return catalog.entries(defaultVersion)
  const replaced = new Set(pinned)
  return mergeSortedLists([
    [...catalog.entries(defaultVersion)].filter(({ toolkit }) => !replaced.has(toolkit)),
    ...pinned.map(entriesOf),
  ])
}

type EntryPredicate = (entry: ToolEntry) => boolean

/** Returns whether a tool passes the filters on single tools; undefined when all do. */
function compileFilter(catalog: Catalog, filter: ToolFilter): EntryPredicate | undefined {
  const { tags, scopes, includeDeprecated = true, important } = filter
  const granted = scopes && new Set(scopes)
  const isAllowed = compileAllowed(catalog, filter)
  const rules: (EntryPredicate | undefined)[] = [
    isAllowed,
    includeDeprecated ? undefined : compileNotDeprecated(catalog, filter),
    tags && tags.length > 0 ? (entry) => tags.some((tag) => entry.tags.includes(tag)) : undefined,
    granted && ((entry) => hasSufficientScopes(entry, granted)),
    important ? compileImportant(catalog, filter, isAllowed) : undefined,
  ]
  const active = rules.filter((rule) => rule !== undefined)
  return active.length > 0 ? (entry) => active.every((rule) => rule(entry)) : undefined
}

function compileAllowed(catalog: Catalog, filter: ToolFilter): EntryPredicate | undefined {
  if (!filter.allowed) return undefined
  const slugsByToolkit = new Map(
    [...filter.allowed].map(([toolkit, tools]) => [
      toolkit,
      tools && new Set(tools.map((tool) => catalog.entry(tool, versionFor(filter, toolkit))?.slug)),
    ]),
  )
  return ({ slug, toolkit }) => slugsByToolkit.get(toolkit)?.has(slug) ?? slugsByToolkit.get(toolkit) === null
}

function compileNotDeprecated(catalog: Catalog, filter: ToolFilter): EntryPredicate {
  const isDeprecated = memoizeByToolkit(
    (toolkit) => catalog.toolkit(toolkit, versionFor(filter, toolkit))?.deprecated ?? false,
  )
  return (entry) => !entry.deprecated && !isDeprecated(entry.toolkit)
}

/**
 * Clients ask for important tools without being told to when they name only toolkits. A toolkit without any
 * important tool must not look empty to them, so all its tools pass.
 */
function compileImportant(
  catalog: Catalog,
  filter: ToolFilter,
  isAllowed: EntryPredicate = () => true,
): EntryPredicate {
  const hasImportant = memoizeByToolkit(
    (toolkit) =>
      !filter.toolkits ||
      (catalog.toolkit(toolkit, versionFor(filter, toolkit))?.tools ?? []).some(
        (tool) => tool.important && isAllowed(tool),
      ),
  )
  return (entry) => entry.important || !hasImportant(entry.toolkit)
}

function memoizeByToolkit(compute: (toolkit: string) => boolean): (toolkit: string) => boolean {
  const results = new Map<string, boolean>()
  return (toolkit) => {
    let result = results.get(toolkit)
    if (result === undefined) results.set(toolkit, (result = compute(toolkit)))
    return result
  }
}

/** Returns a tool as it is in the requested version. */
function entryInVersion(catalog: Catalog, filter: ToolFilter, slug: string): ToolEntry | undefined {
  const version = commonVersion(filter)
  if (version !== undefined) return catalog.entry(slug, version)
  const toolkit = catalog.ownerOf(slug)
  return toolkit === undefined ? undefined : catalog.entry(slug, versionFor(filter, toolkit))
}

/** Returns the version that a request asks for in all toolkits; undefined where it depends on the toolkit. */
const commonVersion = ({ versions, defaultVersion }: ToolFilter): string | undefined =>
  versions === undefined ? defaultVersion : typeof versions === 'string' ? versions : undefined

/** Returns the best tools for a query among those that pass the other filters. */
function searchEntries(catalog: Catalog, filter: ToolFilter, query: string): readonly ToolEntry[] {
  const entries = findTools(catalog, filter, query).tools.map(({ entry }) => entry!)
  // A renamed tool is indexed under both names.
  return [...new Map(entries.map((entry) => [entry.slug, entry])).values()]
}

/** Returns what a search with this filter found, with the reasons, best first and each tool once. */
export function explainTools(
  catalog: Catalog,
  filter: ToolFilter & { readonly query: string },
): FoundBySearch {
  const found = findTools(catalog, filter, filter.query, true)
  const bySlug = new Map<string, FoundBySearch['tools'][number]>()
  for (const tool of found.tools) {
    const { slug } = tool.entry!
    if (!bySlug.has(slug)) bySlug.set(slug, { ...tool, slug })
  }
  return { ...found, tools: [...bySlug.values()] }
}

function findTools(catalog: Catalog, filter: ToolFilter, query: string, explain = false): FoundBySearch {
  const { allowed } = filter
  const selected = filter.toolkits && new Set(filter.toolkits.map((slug) => slug.toLowerCase()))
  const version = commonVersion(filter)
  return searchOf(catalog).find(query, {
    limit: FOUND_MAX,
    toolkits: selected ?? (allowed && new Set(allowed.keys())),
    entries: {
      // Entries in versions by toolkit are of no use for other requests.
      ...(version === undefined ? { owner: {}, version: '' } : { owner: catalog, version }),
      entryOf: (slug) => entryInVersion(catalog, filter, slug),
      passes: compileFilter(catalog, filter) ?? (() => true),
    },
    similarity: filter.similarity,
    explain,
  })
}

/** Yields the tools of the newest releases, each read whole, for code that reads all of them once. */
export function* readAllTools(catalog: Catalog): Generator<Tool> {
  for (const { tool } of selectTools(catalog, { defaultVersion: LATEST_VERSION })) yield tool
}

/** Whether granted scopes suffice for a tool. A tool without scope requirements always passes. */
export function hasSufficientScopes(
  tool: Pick<ToolEntry, 'scopeRequirements'>,
  granted: ReadonlySet<string>,
): boolean {
  return (tool.scopeRequirements?.all_of ?? []).every((scope) =>
    typeof scope === 'string' ? granted.has(scope) : scope.any_of.some((name) => granted.has(name)),
  )
}
