import { createHash } from 'node:crypto'
import { type CompiledToolkit, compareImportantFirst } from '../manifest/compile/toolkit.ts'
import { indexByNameAndAlias } from './aliases.ts'
import { findEntryIndex, countImportant, mergeSortedLists } from './sorted-list.ts'
import type { ToolManifest } from '../manifest/format/index.ts'
import type {
  Catalog,
  Category,
  ResolvedTool,
  ResolvedTrigger,
  Listing,
  Tool,
  ToolEntry,
  Toolkit,
  Trigger,
} from '../types/index.ts'

/** The version that names the first release for ever. */
export const FIRST_VERSION = '00000000_00'
export const LATEST_VERSION = 'latest'

/** All versions of one toolkit, wherever they lie. */
export interface ToolkitReleases {
  readonly slug: string
  /** Newest first, at least one. */
  readonly versions: readonly [string, ...string[]]
  /** By the name of a release; undefined where there is none. */
  toolkit(version: string): Toolkit | undefined
  /** A tool of a release, by its slug or a former one. */
  tool(version: string, slug: string): Tool | undefined
  entry(version: string, slug: string): ToolEntry | undefined
  manifests(version: string): Iterable<ToolManifest>
  /** The trigger types of a release, by slug. */
  triggers(version: string): readonly Trigger[]
  /** A trigger type of a release, by its slug or a former one. */
  trigger(version: string, slug: string): Trigger | undefined
  /** Of one release, or of all. */
  digest(version?: string): string
}

/** Orders of tools by version that are kept; each costs eight bytes a tool. */
const ORDERS_MAX = 8

/** A catalogue over toolkits that are held somewhere. */
export function createCatalog(held: readonly ToolkitReleases[]): Catalog {
  const bySlug = new Map(held.map((one) => [one.slug, one]))
  const toolkits = Object.freeze(held.map(newestToolkit).sort(compareToolkitNames))
  const orders = new Map<string, readonly ToolEntry[]>()
  const holding = (slug: string) => bySlug.get(slug) ?? bySlug.get(slug.toLowerCase())
  const toolCount = toolkits.reduce((sum, toolkit) => sum + toolkit.toolCount, 0)

  function entries(version: string): Listing<ToolEntry> {
    const name =
      version === FIRST_VERSION && held.every(({ versions }) => versions.length === 1)
        ? LATEST_VERSION
        : version
    let order = orders.get(name)
    if (!order) {
      order = mergeSortedLists(held.map((one) => one.toolkit(releaseName(one, name))?.tools ?? []))
      if (orders.size >= ORDERS_MAX)
        orders.delete(
          [...orders.keys()].find((known) => known !== LATEST_VERSION && known !== FIRST_VERSION)!,
        )
      if (order.length > 0) orders.set(name, order)
    }
    return order
  }

  return Object.freeze<Catalog>({
    toolkits,
    toolCount,
    layers: undefined,
    get tools() {
      return entries(LATEST_VERSION)
    },
    categories: collectCategories(toolkits),
    toolkit(slug, version = LATEST_VERSION) {
      const found = holding(slug)
      return found?.toolkit(releaseName(found, version))
    },
    tool(given, version) {
      const slug = given.toUpperCase()
      for (const one of candidateToolkits(slug, bySlug)) {
        const release = releaseName(one, version)
        const tool = one.tool(release, slug)
        if (tool)
          return Object.freeze<ResolvedTool>({
            tool,
            toolkit: one.toolkit(release)!,
            version: version === LATEST_VERSION ? release : version,
          })
      }
      return undefined
    },
    entry(given, version) {
      const slug = given.toUpperCase()
      for (const one of candidateToolkits(slug, bySlug)) {
        const entry = one.entry(releaseName(one, version), slug)
        if (entry) return entry
      }
      return undefined
    },
    entries,
    ownerOf(given) {
      const slug = given.toUpperCase()
      for (const one of candidateToolkits(slug, bySlug))
        if (one.versions.some((version) => one.entry(version, slug))) return one.slug
      return undefined
    },
    resolveVersion(slug, version) {
      const found = holding(slug)
      if (!found?.toolkit(releaseName(found, version))) return undefined
      return version === LATEST_VERSION ? found.versions[0] : version
    },
    availableVersions(slug) {
      const found = holding(slug)
      return found ? [FIRST_VERSION, ...found.versions.toReversed()] : []
    },
    manifests(slug, version) {
      const found = holding(slug)
      return found?.manifests(releaseName(found, version)) ?? []
    },
    trigger(given, version) {
      const slug = given.toUpperCase()
      for (const one of candidateToolkits(slug, bySlug)) {
        const trigger = one.trigger(releaseName(one, version), slug)
        if (trigger) return resolvedTrigger(one, version, trigger)
      }
      return undefined
    },
    triggers(slug, version) {
      const found = holding(slug)
      return (
        found
          ?.triggers(releaseName(found, version))
          .map((trigger) => resolvedTrigger(found, version, trigger)) ?? []
      )
    },
    digest(slug, version) {
      const found = holding(slug)
      return found?.digest(version && releaseName(found, version)) ?? ''
    },
  })
}

function resolvedTrigger(held: ToolkitReleases, version: string, trigger: Trigger): ResolvedTrigger {
  const release = releaseName(held, version)
  return Object.freeze<ResolvedTrigger>({
    trigger,
    toolkit: held.toolkit(release)!,
    version: version === LATEST_VERSION ? release : version,
  })
}

const newestToolkit = (held: ToolkitReleases): Toolkit => held.toolkit(held.versions[0])!

/** The release that a name of a version means. */
const releaseName = ({ versions }: ToolkitReleases, version: string): string =>
  version === LATEST_VERSION ? versions[0] : version === FIRST_VERSION ? versions.at(-1)! : version

/** Of the longest slug that a tool may have. */
const SLUG_MAX = 64

/** The toolkits that may have a tool: its slug begins with theirs and `_`. The longest first, as it is the likeliest. */
function* candidateToolkits(
  slug: string,
  bySlug: ReadonlyMap<string, ToolkitReleases>,
): Generator<ToolkitReleases> {
  if (slug.length > SLUG_MAX) return
  for (let end = slug.lastIndexOf('_'); end > 0; end = slug.lastIndexOf('_', end - 1)) {
    const found = bySlug.get(slug.slice(0, end).toLowerCase())
    if (found) yield found
  }
}

/** Those of some toolkits, by id. */
export function collectCategories(toolkits: readonly Toolkit[]): readonly Category[] {
  const categories = new Map(
    toolkits.flatMap((toolkit) => toolkit.categories.map((one) => [one.id, one] as const)),
  )
  return Object.freeze([...categories.values()].sort((a, b) => (a.id < b.id ? -1 : 1)))
}

/** A toolkit that is built whole and stays in memory; its releases, newest first. */
export function releasesInMemory(
  releases: readonly [CompiledToolkit, ...CompiledToolkit[]],
): ToolkitReleases {
  const built = new Map(
    releases.map((one) => [
      one.toolkit.version,
      {
        ...one,
        byName: indexByNameAndAlias(one.tools, releases[0].tools),
        triggersByName: indexByNameAndAlias(one.triggers, releases[0].triggers),
        triggers: one.triggers.toSorted(compareSlugs),
      },
    ]),
  )
  const [
    {
      toolkit: { slug },
    },
  ] = releases
  return {
    slug,
    versions: releases.map(({ toolkit }) => toolkit.version) as [string, ...string[]],
    toolkit: (version) => built.get(version)?.toolkit,
    tool: (version, tool) => built.get(version)?.byName.get(tool),
    entry: (version, tool) => built.get(version)?.byName.get(tool),
    manifests: (version) =>
      built
        .get(version)
        ?.tools.toSorted(compareImportantFirst)
        .map(({ manifest }) => manifest) ?? [],
    triggers: (version) => built.get(version)?.triggers ?? [],
    trigger: (version, trigger) => built.get(version)?.triggersByName.get(trigger),
    digest: (version) =>
      sha256OfJson(
        releases
          .filter(({ toolkit }) => version === undefined || toolkit.version === version)
          .map(({ toolkit, tools }) => [toolkit.manifest, tools.map(({ manifest }) => manifest)]),
      ),
  }
}

const compareSlugs = (a: Trigger, b: Trigger): number => (a.slug < b.slug ? -1 : 1)

const sha256OfJson = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex')

export function compareToolkitNames(a: Toolkit, b: Toolkit): number {
  const [left, right] = [a.name.toLowerCase(), b.name.toLowerCase()]
  return left < right ? -1 : left > right ? 1 : a.slug < b.slug ? -1 : 1
}

/** Where an entry stands among those of a toolkit, or −1. */
export const entryIndex = (entries: readonly ToolEntry[], slug: string): number =>
  findEntryIndex(entries, countImportant(entries), slug)
