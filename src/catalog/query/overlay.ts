import { compareToolkitNames, collectCategories, FIRST_VERSION, LATEST_VERSION } from './catalog.ts'
import { insertSorted } from './sorted-list.ts'
import type { Catalog, Listing, ToolEntry } from '../types/index.ts'

/**
 * A catalogue with another above it. A toolkit of the upper one hides that of the lower one with the same slug, and all of its tools. The lower one is not
 * copied, so that many may stand on one.
 */
export function overlayCatalogs(lower: Catalog, upper: Catalog): Catalog {
  if (upper.toolkits.length === 0) return lower
  const hidden = new Set(upper.toolkits.map(({ slug }) => slug).filter((slug) => lower.toolkit(slug)))
  const toolkits = Object.freeze(
    [...lower.toolkits.filter(({ slug }) => !hidden.has(slug)), ...upper.toolkits].sort(compareToolkitNames),
  )
  const above = (slug: string): Catalog => (upper.toolkit(slug) ? upper : lower)
  const orders = new Map<string, Listing<ToolEntry>>()

  function entries(version: string): Listing<ToolEntry> {
    let found = orders.get(version)
    if (!found) {
      const below = lower.entries(version)
      found = insertSorted(
        hidden.size === 0 ? below : [...below].filter((entry) => !hidden.has(entry.toolkit)),
        [...upper.entries(version)],
      )
      if (version === LATEST_VERSION || version === FIRST_VERSION) orders.set(version, found)
    }
    return found
  }

  return Object.freeze<Catalog>({
    toolkits,
    layers: [lower, upper],
    get tools() {
      return entries(LATEST_VERSION)
    },
    toolCount: toolkits.reduce((sum, toolkit) => sum + toolkit.toolCount, 0),
    categories: collectCategories(toolkits),
    toolkit: (slug, version) => above(slug).toolkit(slug, version),
    tool(slug, version) {
      const own = upper.tool(slug, version)
      if (own) return own
      const found = lower.tool(slug, version)
      return found && !hidden.has(found.toolkit.slug) ? found : undefined
    },
    entry(slug, version) {
      const own = upper.entry(slug, version)
      if (own) return own
      const found = lower.entry(slug, version)
      return found && !hidden.has(found.toolkit) ? found : undefined
    },
    entries,
    ownerOf(slug) {
      const own = upper.ownerOf(slug)
      if (own !== undefined) return own
      const owner = lower.ownerOf(slug)
      return owner !== undefined && hidden.has(owner) ? undefined : owner
    },
    resolveVersion: (slug, version) => above(slug).resolveVersion(slug, version),
    availableVersions: (slug) => above(slug).availableVersions(slug),
    manifests: (slug, version) => above(slug).manifests(slug, version),
    trigger(slug, version) {
      const own = upper.trigger(slug, version)
      if (own) return own
      const found = lower.trigger(slug, version)
      return found && !hidden.has(found.toolkit.slug) ? found : undefined
    },
    triggers: (slug, version) => above(slug).triggers(slug, version),
    digest: (slug, version) => above(slug).digest(slug, version),
  })
}
