import { setImmediate as turn } from 'node:timers/promises'
import { withTimeout } from '../../../platform/timeout.ts'
import type { Catalog, Toolkit } from '../../types/index.ts'
import { searchToolkit } from '../segments/catalog-documents.ts'
import type { Segment } from '../segments/segment.ts'
import { decodeSegment } from '../segments/snapshot.ts'
import { indexOf } from '../tool-search.ts'
import { buildIndex } from './build-index.ts'
import { keyOfToolkits } from './snapshot-files.ts'

// Indexes of the toolkits of overlays, such as those of a project: one each, so that a change of one costs no more
// than it.

const WAIT_MS_MAX = 30_000
/** A toolkit that could not be indexed is tried again by the first search after this time. */
const RETRY_MS = 5_000

const indexes = new WeakMap<Toolkit, Segment>()
/** Toolkits that are being indexed, so that searches at the same time share the work. */
const indexing = new WeakMap<Toolkit, Promise<void>>()
/** Toolkits that a preparation indexes now or later. */
const pending = new WeakSet<Toolkit>()
/** When toolkits could not be indexed, by `performance.now()`. */
const failures = new WeakMap<Toolkit, number>()
/** The last work: one toolkit at a time, so that projects take turns and other requests are served in between. */
let last: Promise<void> = Promise.resolve()

/**
 * Returns the index of a toolkit. Builds it in this thread if nobody prepared it; undefined while it is being prepared,
 * and after that failed.
 */
export function toolkitIndex(catalog: Catalog, toolkit: Toolkit): Segment | undefined {
  let index = indexes.get(toolkit)
  if (!index && !pending.has(toolkit) && !failures.has(toolkit))
    indexes.set(toolkit, (index = indexOf([searchToolkit(catalog, toolkit.slug)])))
  return index
}

/**
 * Indexes the toolkits of a catalogue that have no index yet: large ones in a thread of their own, small ones with a
 * turn of the event loop between them. Waits for at most `waitMs`; the work continues afterwards.
 * @returns slugs of the toolkits that have no index at the end of the wait, because it is too short or they fail
 */
export async function prepareToolkitIndexes(catalog: Catalog, waitMs = WAIT_MS_MAX): Promise<string[]> {
  const isMissing = (toolkit: Toolkit) => !indexes.has(toolkit)
  const missing = catalog.toolkits.filter(isMissing)
  const due = missing.filter(
    (toolkit) => performance.now() >= (failures.get(toolkit) ?? -Infinity) + RETRY_MS,
  )
  for (const toolkit of due) pending.add(toolkit)
  const prepareAll = async () => {
    // One after the other, so that the toolkits of other catalogues have their turn in between.
    for (const toolkit of due) await prepareToolkit(catalog, toolkit)
  }
  if (due.length > 0) await withTimeout(prepareAll(), waitMs)
  return missing.filter(isMissing).map(({ slug }) => slug)
}

function prepareToolkit(catalog: Catalog, toolkit: Toolkit): Promise<void> {
  let work = indexing.get(toolkit)
  if (!work) {
    work = last = last
      .then(() => turn())
      .then(() => buildToolkit(catalog, toolkit))
      .catch(() => recordFailure(catalog, toolkit))
      .finally(() => {
        indexing.delete(toolkit)
        pending.delete(toolkit)
      })
    indexing.set(toolkit, work)
  }
  return work
}

async function buildToolkit(catalog: Catalog, toolkit: Toolkit): Promise<void> {
  if (indexes.has(toolkit)) return
  const key = keyOfToolkits([{ slug: toolkit.slug, digest: catalog.digest(toolkit.slug) }])
  const index = decodeSegment(await buildIndex(catalog, [toolkit.slug], key), key)
  if (!index) throw new Error(`The index of ${toolkit.slug} cannot be read.`)
  indexes.set(toolkit, index)
  failures.delete(toolkit)
}

/** Reads the toolkit in this thread, too: a damaged file of the disk cache is written again when this thread finds it. */
function recordFailure(catalog: Catalog, toolkit: Toolkit): void {
  failures.set(toolkit, performance.now())
  try {
    searchToolkit(catalog, toolkit.slug)
  } catch {
    // The damage is reported by the reader; the toolkit is indexed by a later search.
  }
}
