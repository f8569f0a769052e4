import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { siblingModule } from '../../platform/module-url.ts'
import type { Catalog, Toolkit } from '../types/index.ts'
import { searchToolkit, searchToolkits } from './segments/catalog-documents.ts'
import type { Segment } from './segments/segment.ts'
import { decodeSegment, FORMAT } from './segments/snapshot.ts'
import { createToolSearch, indexOf, type ToolSearch } from './tool-search.ts'

/** So many are indexed at the first search, in well under a second; more want `prepareSearch`. */
const BUILD_HERE_MAX = 5_000
const SNAPSHOT = /^search-[0-9a-f]{64}\.bin$/
const BUILD_MS_MAX = 120_000
const OTHER_SNAPSHOTS_MAX = 3

const searches = new WeakMap<Catalog, ToolSearch>()
/** Preparations in progress. */
const preparing = new WeakMap<Catalog, Promise<void>>()

/** Of toolkits that stand above others, one each, so that a change of one costs no more than it. */
const segments = new WeakMap<Toolkit, Segment>()

/**
 * Returns the search over a catalogue, built at the first use. An overlay is indexed separately from its base
 * catalogue.
 */
export function searchOf(catalog: Catalog): ToolSearch {
  let search = searches.get(catalog)
  if (!search)
    searches.set(
      catalog,
      (search = catalog.layers
        ? besideLower(catalog, ...catalog.layers)
        : createToolSearch(indexOf(searchToolkits(catalog)))),
    )
  return search
}

function besideLower(catalog: Catalog, lower: Catalog, upper: Catalog): ToolSearch {
  const hides = upper.toolkits.some(({ slug }) => lower.toolkit(slug))
  return searchOf(lower).withSegments(
    upper.toolkits.toSorted((a, b) => (a.slug < b.slug ? -1 : 1)).map((toolkit) => segmentOf(upper, toolkit)),
    hides ? (tool) => catalog.ownerOf(tool) !== undefined : undefined,
  )
}

function segmentOf(catalog: Catalog, toolkit: Toolkit): Segment {
  let segment = segments.get(toolkit)
  if (!segment) segments.set(toolkit, (segment = indexOf([searchToolkit(catalog, toolkit.slug)])))
  return segment
}

/**
 * Makes the search of a large catalogue ready before the first query: from the snapshot in `folder` when it
 * is of the same catalogue, else built in a thread of its own and kept there. A snapshot that is damaged or
 * cannot be written costs time, not the start. A small catalogue needs nothing.
 */
export function prepareSearch(
  catalog: Catalog,
  folder: string,
  buildHereMax = BUILD_HERE_MAX,
): Promise<void> {
  if (catalog.toolCount <= buildHereMax || searches.has(catalog)) return Promise.resolve()
  let preparation = preparing.get(catalog)
  if (!preparation) {
    preparation = prepare(catalog, folder).finally(() => preparing.delete(catalog))
    preparing.set(catalog, preparation)
  }
  return preparation
}

/**
 * Waits while the search of the catalogue, or of one below it, is prepared: a call of `searchOf` meanwhile would build
 * the same index in this thread. After a failed preparation `searchOf` builds it.
 */
export async function searchReady(catalog: Catalog): Promise<void> {
  await preparing.get(catalog)?.catch(() => {})
  for (const layer of catalog.layers ?? []) await searchReady(layer)
}

async function prepare(catalog: Catalog, folder: string): Promise<void> {
  const key = keyOf(catalog)
  const file = join(folder, `search-${key}.bin`)
  const stored = await readFile(file).catch(() => undefined)
  let segment = stored && decodeSegment(stored, key)
  if (!segment) {
    const bytes = await buildInThread(catalog, key)
    await keepSnapshot(folder, file, bytes).catch(() => {})
    segment = decodeSegment(bytes, key)
  }
  searches.set(catalog, createToolSearch(segment!))
}

/** Of everything that toolkits hold, so that no snapshot outlives what it was made of. */
function keyOf(catalog: Catalog): string {
  const hash = createHash('sha256').update(`format ${FORMAT}`)
  for (const { slug } of catalog.toolkits) hash.update(catalog.digest(slug))
  return hash.digest('hex')
}

/** Toolkits go over one by one, so that this thread answers meanwhile. */
async function buildInThread(catalog: Catalog, key: string): Promise<Uint8Array> {
  const worker = new Worker(siblingModule(import.meta.url, 'build.worker'), { workerData: key })
  try {
    const answered = once(worker, 'message', { signal: AbortSignal.timeout(BUILD_MS_MAX) }) as Promise<
      [Uint8Array]
    >
    answered.catch(() => {})
    for (const toolkit of searchToolkits(catalog)) {
      worker.postMessage(toolkit)
      await turn()
    }
    worker.postMessage(null)
    return (await answered)[0]
  } finally {
    await worker.terminate()
  }
}

/**
 * Writes a snapshot, which appears whole or not at all, and removes all but the newest others: servers of
 * several releases may share the folder.
 */
async function keepSnapshot(folder: string, file: string, bytes: Uint8Array): Promise<void> {
  await mkdir(folder, { recursive: true })
  const others = (await readdir(folder))
    .filter((name) => SNAPSHOT.test(name))
    .map((name) => join(folder, name))
  const dated = await Promise.all(
    others.map(async (path) => ({
      path,
      writtenAt: (await stat(path).catch(() => undefined))?.mtimeMs ?? 0,
    })),
  )
  dated.sort((a, b) => b.writtenAt - a.writtenAt)
  for (const { path } of dated.slice(OTHER_SNAPSHOTS_MAX)) await rm(path, { force: true })
  const part = `${file}.${process.pid}.part`
  await writeFile(part, bytes)
  await rename(part, file)
}
