import type { Catalog, Category, Listing, Toolkit, ToolEntry } from '../types/index.ts'
import { collectCategories, compareToolkitNames } from './catalog.ts'
import { binarySearch, insertSorted } from './sorted-list.ts'
import { FIRST_VERSION, LATEST_VERSION } from './versions.ts'

/**
 * Returns a catalogue with a second one over it. A toolkit of the upper one hides the toolkit of the lower
 * one with the same slug, and all its tools. The lower one is not copied, so that many projects can share it.
 */
export function overlayCatalogs(lower: Catalog, upper: Catalog): Catalog {
  if (upper.toolkits.length === 0) return lower
  const hidden = new Set(upper.toolkits.map(({ slug }) => slug).filter((slug) => lower.toolkit(slug)))
  const toolkits = Object.freeze(mergeToolkits(lower.toolkits, upper.toolkits, hidden))
  const hiddenCount = [...hidden].reduce((sum, slug) => sum + lower.toolkit(slug)!.toolCount, 0)
  const catalogOfToolkit = (slug: string): Catalog => (upper.toolkit(slug) ? upper : lower)
  const entries = createMergedEntries(lower, upper, hidden)
  let categories: readonly Category[] | undefined
  return Object.freeze<Catalog>({
    toolkits,
    layers: [lower, upper],
    get tools() {
      return entries(LATEST_VERSION)
    },
    toolCount: lower.toolCount - hiddenCount + upper.toolCount,
    get categories() {
      return (categories ??= collectCategories(toolkits))
    },
    toolkit: (slug, version) => catalogOfToolkit(slug).toolkit(slug, version),
    tool: (slug, version, reading) =>
      upper.tool(slug, version, reading) ??
      unlessHidden(lower.tool(slug, version, reading), ({ toolkit }) => toolkit.slug, hidden),
    entry: (slug, version) =>
      upper.entry(slug, version) ??
      unlessHidden(lower.entry(slug, version), ({ toolkit }) => toolkit, hidden),
    entries,
    ownerOf: (slug) => upper.ownerOf(slug) ?? unlessHidden(lower.ownerOf(slug), (owner) => owner, hidden),
    resolveVersion: (slug, version) => catalogOfToolkit(slug).resolveVersion(slug, version),
    availableVersions: (slug) => catalogOfToolkit(slug).availableVersions(slug),
    manifests: (slug, version) => catalogOfToolkit(slug).manifests(slug, version),
    trigger: (slug, version) =>
      upper.trigger(slug, version) ??
      unlessHidden(lower.trigger(slug, version), ({ toolkit }) => toolkit.slug, hidden),
    triggers: (slug, version) => catalogOfToolkit(slug).triggers(slug, version),
    digest: (slug, version) => catalogOfToolkit(slug).digest(slug, version),
    location: (slug) => catalogOfToolkit(slug).location(slug),
  })
}

/** Merges lists that are sorted by name. The long one is not sorted again: a project makes a catalogue for each import. */
function mergeToolkits(
  lower: readonly Toolkit[],
  upper: readonly Toolkit[],
  hidden: ReadonlySet<string>,
): Toolkit[] {
  const merged = lower.filter(({ slug }) => !hidden.has(slug))
  for (const toolkit of upper) {
    const place = binarySearch(0, merged.length, (at) => compareToolkitNames(merged[at]!, toolkit) < 0)
    merged.splice(place, 0, toolkit)
  }
  return merged
}

const unlessHidden = <T>(
  found: T | undefined,
  toolkitOf: (found: T) => string,
  hidden: ReadonlySet<string>,
): T | undefined => (found !== undefined && hidden.has(toolkitOf(found)) ? undefined : found)

function createMergedEntries(
  lower: Catalog,
  upper: Catalog,
  hidden: ReadonlySet<string>,
): (version: string) => Listing<ToolEntry> {
  const orders = new Map<string, Listing<ToolEntry>>()
  return (version) => {
    let merged = orders.get(version)
    if (!merged) {
      const below = lower.entries(version)
      const visible = hidden.size === 0 ? below : [...below].filter((entry) => !hidden.has(entry.toolkit))
      merged = insertSorted(visible, [...upper.entries(version)])
      if (version === LATEST_VERSION || version === FIRST_VERSION) orders.set(version, merged)
    }
    return merged
  }
}
