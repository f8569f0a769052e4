import { setImmediate as turn } from 'node:timers/promises'
import { runInSlices } from '../../platform/http/turns/run-in-slices.ts'
import type { Catalog } from '../types/index.ts'
import { buildIndex } from './index-files/build-index.ts'
import { type LayerPlan, planLayers } from './index-files/plan-layers.ts'
import {
  keyOfToolkits,
  listStoredIndexes,
  readStoredIndex,
  readStoredIndexNow,
  type StoredIndex,
  storeIndex,
} from './index-files/snapshot-files.ts'
import { prepareToolkitIndexes, toolkitIndex } from './index-files/toolkit-indexes.ts'
import { queriesReady } from './prepare-queries.ts'
import { prepareSpelling } from './query/vocabulary.ts'
import { searchToolkits } from './segments/catalog-documents.ts'
import type { Segment } from './segments/segment.ts'
import { decodeSegment } from './segments/snapshot.ts'
import {
  createOverlaySearch,
  createToolSearch,
  type IndexLayer,
  indexOf,
  type ToolSearch,
} from './tool-search.ts'

/** So many are indexed at the first search, in a third of a second; more need `prepareSearch`. */
const BUILD_HERE_MAX = 1_000

const searches = new WeakMap<Catalog, ToolSearch>()
/** The indexes of prepared catalogues. */
const layersByCatalog = new WeakMap<Catalog, readonly IndexLayer[]>()
/** Preparations in progress. */
const preparing = new WeakMap<Catalog, Promise<IndexWork>>()

/** Prepared catalogues whose indexes are still in files: a server that never searches does not need them in memory. */
const unreadIndexes = new WeakMap<Catalog, UnreadIndexes>()

interface UnreadIndexes {
  readonly plan: LayerPlan<KnownIndex>
  readonly options: PrepareOptions
}

/** The work of a preparation, in tools. */
export interface IndexWork {
  /** Tools that were indexed. */
  readonly indexed: number
  /** Tools whose index was read from a file or was in memory. */
  readonly reused: number
}

export interface PrepareOptions {
  /** Folder of the snapshots. */
  readonly folder: string
  /** The catalogue before a change: its indexes are used again. */
  readonly previous?: Catalog | undefined
  /** A catalogue of at most so many tools is indexed at the first search. */
  readonly buildHereMax?: number | undefined
}

/**
 * Returns the search over a catalogue, built at the first use. An overlay is indexed separately from its base
 * catalogue; toolkits of it that are still being prepared are left out until they are.
 */
export function searchOf(catalog: Catalog): ToolSearch {
  const known = searches.get(catalog) ?? readUnreadNow(catalog)
  if (known) return known
  const { search, isWhole } = catalog.layers
    ? besideLower(catalog, ...catalog.layers)
    : { search: createToolSearch(indexOf(searchToolkits(catalog))), isWhole: true }
  if (isWhole) searches.set(catalog, search)
  return search
}

function besideLower(
  catalog: Catalog,
  lower: Catalog,
  upper: Catalog,
): { search: ToolSearch; isWhole: boolean } {
  const hides = upper.toolkits.some(({ slug }) => lower.toolkit(slug))
  const below = searchOf(lower)
  const segments = upper.toolkits
    .toSorted((a, b) => (a.slug < b.slug ? -1 : 1))
    .map((toolkit) => toolkitIndex(upper, toolkit))
    .filter((segment) => segment !== undefined)
  return {
    search: below.withSegments(segments, hides ? (tool) => catalog.ownerOf(tool) !== undefined : undefined),
    isWhole: segments.length === upper.toolkits.length && (!lower.layers || searches.has(lower)),
  }
}

/**
 * Prepares the search of a large catalogue before the first query. Indexes of `previous` and of the snapshots in
 * `folder` are used again for every toolkit whose content is the same; only other toolkits are indexed, most of them
 * in a thread, and stored. A snapshot that is damaged or cannot be written costs time, not the start.
 */
export function prepareSearch(catalog: Catalog, options: PrepareOptions): Promise<IndexWork> {
  if (catalog.toolCount <= (options.buildHereMax ?? BUILD_HERE_MAX) || searches.has(catalog))
    return Promise.resolve({ indexed: 0, reused: 0 })
  return preparing.get(catalog) ?? runPreparation(catalog, prepare(catalog, options))
}

function runPreparation(catalog: Catalog, work: Promise<IndexWork>): Promise<IndexWork> {
  const preparation = work.finally(() => preparing.delete(catalog))
  preparing.set(catalog, preparation)
  return preparation
}

/**
 * Waits while the search of the catalogue, or of one below it, is prepared, reads indexes that are only in files, and
 * prepares that of an overlay: a call of `searchOf` meanwhile would build the same index in this thread. After a failed
 * preparation `searchOf` builds it.
 * @param waitMs how long it waits for the toolkits of an overlay, in milliseconds
 * @returns slugs of toolkits that a search leaves out: their preparation takes longer, or fails and is tried again
 */
export async function searchReady(catalog: Catalog, waitMs?: number): Promise<readonly string[]> {
  await queriesReady()
  await preparing.get(catalog)?.catch(() => {})
  const unread = unreadIndexes.get(catalog)
  if (unread)
    await (preparing.get(catalog) ?? runPreparation(catalog, readUnread(catalog, unread))).catch(() => {})
  // A prepared overlay has one search over all its toolkits: those of its upper layer need no index each.
  if (searches.has(catalog) || !catalog.layers) return []
  const [lower, upper] = catalog.layers
  const missing = (await searchReady(lower, waitMs)).filter((slug) => !upper.toolkit(slug))
  return [...missing, ...(await prepareToolkitIndexes(upper, waitMs))]
}

/** An index in memory, or in a file. */
type KnownIndex = StoredIndex & { readonly segment?: Segment | undefined }

/** @param mayWait whether indexes that are all in files are read at the first search */
async function prepare(catalog: Catalog, options: PrepareOptions, mayWait = true): Promise<IndexWork> {
  const { folder, previous } = options
  const digests = await readDigests(catalog)
  const inMemory = ((previous && layersByCatalog.get(previous)) ?? []).map(({ segment }) => ({
    key: keyOfToolkits(segment.toolkits),
    toolkits: segment.toolkits,
    segment,
  }))
  const known: KnownIndex[] = [
    ...inMemory,
    ...(await listStoredIndexes(folder)).filter(({ key }) => !inMemory.some((one) => one.key === key)),
  ]
  if (mayWait) {
    const plan = planLayers(digests, known)
    if (plan.missing.length === 0 && plan.chosen.every(({ index }) => !index.segment)) {
      unreadIndexes.set(catalog, { plan, options })
      return { indexed: 0, reused: toolsOf(plan) }
    }
  }
  const { plan, layers } = await readPlanned(folder, digests, known)
  const indexed = plan.missing.reduce((sum, slug) => sum + catalog.toolkit(slug)!.toolCount, 0)
  if (plan.missing.length > 0) {
    const key = keyOfToolkits(plan.missing.map((slug) => ({ slug, digest: digests.get(slug)! })))
    const bytes = await buildIndex(catalog, plan.missing, key)
    const used = new Set(plan.chosen.map(({ index }) => index.key))
    await storeIndex(folder, key, bytes, used).catch(() => {})
    layers.push({ segment: decodeSegment(bytes, key)! })
  }
  await useLayers(catalog, layers)
  return { indexed, reused: toolsOf(plan) }
}

const toolsOf = ({ chosen }: LayerPlan<KnownIndex>): number =>
  chosen.reduce((sum, { tools }) => sum + tools, 0)

async function useLayers(catalog: Catalog, layers: readonly IndexLayer[]): Promise<void> {
  for (const { segment } of layers) {
    await turn()
    await runInSlices(prepareSpelling(segment))
  }
  setSearch(catalog, layers)
}

function setSearch(catalog: Catalog, layers: readonly IndexLayer[]): ToolSearch {
  const search = createOverlaySearch(layers)
  layersByCatalog.set(catalog, layers)
  searches.set(catalog, search)
  unreadIndexes.delete(catalog)
  return search
}

/** Reads indexes at the first search. If a file is gone or damaged since the preparation, that is done again. */
async function readUnread(catalog: Catalog, { plan, options }: UnreadIndexes): Promise<IndexWork> {
  const layers: IndexLayer[] = []
  for (const { index, hidden } of plan.chosen) {
    const segment = await readStoredIndex(options.folder, index.key)
    if (!segment) return prepare(catalog, options, false)
    layers.push({ segment, hidden })
  }
  await useLayers(catalog, layers)
  return { indexed: 0, reused: toolsOf(plan) }
}

/** As `readUnread`, for a caller that did not wait for `searchReady`. Undefined if a file is gone or damaged. */
function readUnreadNow(catalog: Catalog): ToolSearch | undefined {
  const unread = unreadIndexes.get(catalog)
  if (!unread) return undefined
  const layers: IndexLayer[] = []
  for (const { index, hidden } of unread.plan.chosen) {
    const segment = readStoredIndexNow(unread.options.folder, index.key)
    if (!segment) return undefined
    layers.push({ segment, hidden })
  }
  return setSearch(catalog, layers)
}

/** Reads the digests of all toolkits, with a turn of the event loop after those that are read from files. */
async function readDigests(catalog: Catalog): Promise<ReadonlyMap<string, string>> {
  const digests = new Map<string, string>()
  for (const { slug } of catalog.toolkits) {
    digests.set(slug, catalog.digest(slug))
    if (catalog.location(slug)?.kind === 'folder') await turn()
  }
  return digests
}

/** Plans which indexes are used, and reads them. A file that turns out to be damaged is left out of a second plan. */
async function readPlanned(
  folder: string,
  digests: ReadonlyMap<string, string>,
  known: readonly KnownIndex[],
): Promise<{ plan: LayerPlan<KnownIndex>; layers: IndexLayer[] }> {
  const plan = planLayers(digests, known)
  const layers: IndexLayer[] = []
  for (const { index, hidden } of plan.chosen) {
    const segment = index.segment ?? (await readStoredIndex(folder, index.key))
    if (!segment)
      return readPlanned(
        folder,
        digests,
        known.filter((one) => one !== index),
      )
    layers.push({ segment, hidden })
  }
  return { plan, layers }
}
