import { rankToolkits } from '../search/index.ts'
import type { Catalog, Toolkit } from '../types/index.ts'

export interface ToolkitFilter {
  /** Id or name. */
  category?: string | undefined
  /** Only these toolkits. The caller resolves `managed_by` to a set. */
  within?: ReadonlySet<string> | undefined
  slugs?: readonly string[] | undefined
  /** A name, a part of it, or words of the description. The caller checks its length. */
  search?: string | undefined
  /**
   * Default: the best match first where there is a `search`, else `usage`: the most calls first, then the most
   * tools, then by slug.
   */
  sortBy?: 'usage' | 'alphabetically' | undefined
  /** Recent calls by toolkit slug, for `usage`. Default: none. */
  calls?: ReadonlyMap<string, number> | undefined
  /** Default false. */
  includeDeprecated?: boolean | undefined
}

/** Returns the toolkits that pass a filter, each in its newest release. */
export function selectToolkits(catalog: Catalog, filter: ToolkitFilter): readonly Toolkit[] {
  const category = filter.category?.toLowerCase()
  const slugs = filter.slugs && new Set(filter.slugs.map((slug) => slug.toLowerCase()))
  let selected = catalog.toolkits.filter(
    (toolkit) =>
      (filter.includeDeprecated || !toolkit.deprecated) &&
      (!category || toolkit.categories.some(({ id, name }) => id === category || name === category)) &&
      (!filter.within || filter.within.has(toolkit.slug)) &&
      (!slugs || slugs.has(toolkit.slug)),
  )
  if (filter.search?.trim()) {
    const matching = new Set(selected)
    const ranked = rankToolkits(catalog, filter.search).filter((toolkit) => matching.has(toolkit))
    if (!filter.sortBy) return ranked
    selected =
      filter.sortBy === 'alphabetically' ? selected.filter((toolkit) => ranked.includes(toolkit)) : ranked
  }
  if (filter.sortBy === 'alphabetically') return selected
  const callsOf = ({ slug }: Toolkit) => filter.calls?.get(slug) ?? 0
  return selected.toSorted(
    (a, b) => callsOf(b) - callsOf(a) || b.toolCount - a.toolCount || (a.slug < b.slug ? -1 : 1),
  )
}
