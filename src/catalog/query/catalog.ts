import type {
  Catalog,
  Category,
  Listing,
  ResolvedTool,
  ResolvedTrigger,
  ToolEntry,
  Toolkit,
  ToolReading,
  Trigger,
} from '../types/index.ts'
import { mergeSortedLists } from './sorted-list.ts'
import type { ToolkitReleases } from './toolkit-releases.ts'
import { FIRST_VERSION, LATEST_VERSION, releaseName } from './versions.ts'

/** Orders of tools by version that stay in memory; each costs eight bytes a tool. */
const ORDERS_MAX = 8
/** Length of the longest slug of a tool. */
const SLUG_MAX = 64

interface CatalogState {
  readonly all: readonly ToolkitReleases[]
  readonly bySlug: ReadonlyMap<string, ToolkitReleases>
  /** Version name to the tools of all toolkits in that version. */
  readonly orders: Map<string, readonly ToolEntry[]>
}

/** Creates a catalogue of toolkits, wherever their releases are. */
export function createCatalog(all: readonly ToolkitReleases[]): Catalog {
  const state: CatalogState = {
    all,
    bySlug: new Map(all.map((releases) => [releases.slug, releases])),
    orders: new Map(),
  }
  const toolkits = Object.freeze(all.map(newestToolkit).sort(compareToolkitNames))
  const find = (slug: string) => state.bySlug.get(slug) ?? state.bySlug.get(slug.toLowerCase())
  return Object.freeze<Catalog>({
    toolkits,
    toolCount: toolkits.reduce((sum, toolkit) => sum + toolkit.toolCount, 0),
    layers: undefined,
    get tools() {
      return entriesOfVersion(state, LATEST_VERSION)
    },
    categories: collectCategories(toolkits),
    toolkit(slug, version = LATEST_VERSION) {
      const releases = find(slug)
      return releases?.toolkit(releaseName(releases.versions, version))
    },
    tool: (slug, version, reading) => findTool(state, slug.toUpperCase(), version, reading),
    entry: (slug, version) =>
      firstResult(candidateToolkits(state, slug.toUpperCase()), (releases) =>
        releases.entry(releaseName(releases.versions, version), slug.toUpperCase()),
      ),
    entries: (version) => entriesOfVersion(state, version),
    ownerOf: (slug) => findOwner(state, slug.toUpperCase()),
    resolveVersion(slug, version) {
      const releases = find(slug)
      if (!releases?.toolkit(releaseName(releases.versions, version))) return undefined
      return version === LATEST_VERSION ? releases.versions[0] : version
    },
    availableVersions(slug) {
      const releases = find(slug)
      return releases ? [FIRST_VERSION, ...releases.versions.toReversed()] : []
    },
    manifests(slug, version) {
      const releases = find(slug)
      return releases?.manifests(releaseName(releases.versions, version)) ?? []
    },
    trigger: (slug, version) => findTrigger(state, slug.toUpperCase(), version),
    triggers(slug, version) {
      const releases = find(slug)
      const triggers = releases?.triggers(releaseName(releases.versions, version)) ?? []
      return triggers.map((trigger) => resolveTrigger(releases!, version, trigger))
    },
    digest(slug, version) {
      const releases = find(slug)
      return releases?.digest(version && releaseName(releases.versions, version)) ?? ''
    },
    location: (slug) => find(slug)?.location,
  })
}

function entriesOfVersion({ all, orders }: CatalogState, version: string): Listing<ToolEntry> {
  // The first release is the newest one where no toolkit has another.
  const isNewest = version === FIRST_VERSION && all.every(({ versions }) => versions.length === 1)
  const name = isNewest ? LATEST_VERSION : version
  let order = orders.get(name)
  if (!order) {
    order = mergeSortedLists(
      all.map((releases) => releases.toolkit(releaseName(releases.versions, name))?.tools ?? []),
    )
    if (orders.size >= ORDERS_MAX)
      orders.delete([...orders.keys()].find((key) => key !== LATEST_VERSION && key !== FIRST_VERSION)!)
    if (order.length > 0) orders.set(name, order)
  }
  return order
}

function findTool(
  state: CatalogState,
  slug: string,
  version: string,
  reading: ToolReading | undefined,
): ResolvedTool | undefined {
  return firstResult(candidateToolkits(state, slug), (releases) => {
    const release = releaseName(releases.versions, version)
    const tool = releases.tool(release, slug, reading)
    return (
      tool &&
      Object.freeze<ResolvedTool>({
        tool,
        toolkit: releases.toolkit(release)!,
        version: version === LATEST_VERSION ? release : version,
      })
    )
  })
}

function findTrigger(state: CatalogState, slug: string, version: string): ResolvedTrigger | undefined {
  return firstResult(candidateToolkits(state, slug), (releases) => {
    const trigger = releases.trigger(releaseName(releases.versions, version), slug)
    return trigger && resolveTrigger(releases, version, trigger)
  })
}

function resolveTrigger(releases: ToolkitReleases, version: string, trigger: Trigger): ResolvedTrigger {
  const release = releaseName(releases.versions, version)
  return Object.freeze<ResolvedTrigger>({
    trigger,
    toolkit: releases.toolkit(release)!,
    version: version === LATEST_VERSION ? release : version,
  })
}

const findOwner = (state: CatalogState, slug: string): string | undefined =>
  firstResult(candidateToolkits(state, slug), (releases) =>
    releases.versions.some((version) => releases.entry(version, slug)) ? releases.slug : undefined,
  )

function firstResult<T, R>(items: Iterable<T>, find: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const result = find(item)
    if (result !== undefined) return result
  }
  return undefined
}

/**
 * Yields the toolkits that can have a tool: its slug begins with theirs and `_`. The longest slug comes
 * first, since it is the most likely one.
 */
function* candidateToolkits({ bySlug }: CatalogState, slug: string): Generator<ToolkitReleases> {
  if (slug.length > SLUG_MAX) return
  for (let end = slug.lastIndexOf('_'); end > 0; end = slug.lastIndexOf('_', end - 1)) {
    const releases = bySlug.get(slug.slice(0, end).toLowerCase())
    if (releases) yield releases
  }
}

const newestToolkit = (releases: ToolkitReleases): Toolkit => releases.toolkit(releases.versions[0])!

/** Returns the categories of some toolkits, by id. */
export function collectCategories(toolkits: readonly Toolkit[]): readonly Category[] {
  const categories = new Map(
    toolkits.flatMap((toolkit) => toolkit.categories.map((category) => [category.id, category] as const)),
  )
  return Object.freeze([...categories.values()].sort((a, b) => (a.id < b.id ? -1 : 1)))
}

export function compareToolkitNames(a: Toolkit, b: Toolkit): number {
  const [left, right] = [a.name.toLowerCase(), b.name.toLowerCase()]
  return left < right ? -1 : left > right ? 1 : a.slug < b.slug ? -1 : 1
}
