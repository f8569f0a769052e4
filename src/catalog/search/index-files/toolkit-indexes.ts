import { setImmediate as turn } from 'node:timers/promises'
import { ApiError } from '../../../platform/http/api-error.ts'
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

const indexes = new WeakMap<Toolkit, Segment>()
/** Toolkits that are being indexed, so that searches at the same time share the work. */
const indexing = new WeakMap<Toolkit, Promise<void>>()
/** The last work: one toolkit at a time, so that projects take turns and other requests are served in between. */
let last: Promise<void> = Promise.resolve()

/** Returns the index of a toolkit. Builds it in this thread if it was not prepared. */
export function toolkitIndex(catalog: Catalog, toolkit: Toolkit): Segment {
  let index = indexes.get(toolkit)
  if (!index) indexes.set(toolkit, (index = indexOf([searchToolkit(catalog, toolkit.slug)])))
  return index
}

/**
 * Indexes the toolkits of a catalogue that have no index yet: large ones in a thread of their own, small ones with a
 * turn of the event loop between them. The index of a toolkit that fails is built by `toolkitIndex`.
 * @throws ApiError 503 when it takes longer than `waitMs`; the work continues
 */
export async function prepareToolkitIndexes(catalog: Catalog, waitMs = WAIT_MS_MAX): Promise<void> {
  const isMissing = (toolkit: Toolkit) => !indexes.has(toolkit)
  if (!catalog.toolkits.some(isMissing)) return
  const prepareAll = async () => {
    for (const toolkit of catalog.toolkits.filter(isMissing)) await prepareToolkit(catalog, toolkit)
  }
  await withTimeout(prepareAll(), waitMs, () => {
    const missing = catalog.toolkits.filter(isMissing).length
    throw new ApiError(
      'HTTP_ServiceUnavailable',
      `The search of ${missing} of your ${catalog.toolkits.length} custom toolkits is still being prepared. ` +
        'Try again in a minute.',
    )
  })
}

function prepareToolkit(catalog: Catalog, toolkit: Toolkit): Promise<void> {
  let work = indexing.get(toolkit)
  if (!work) {
    work = last = last
      .then(() => turn())
      .then(() => buildToolkit(catalog, toolkit))
      .catch(() => {})
      .finally(() => indexing.delete(toolkit))
    indexing.set(toolkit, work)
  }
  return work
}

async function buildToolkit(catalog: Catalog, toolkit: Toolkit): Promise<void> {
  if (indexes.has(toolkit)) return
  const key = keyOfToolkits([{ slug: toolkit.slug, digest: catalog.digest(toolkit.slug) }])
  const index = decodeSegment(await buildIndex(catalog, [toolkit.slug], key), key)
  if (index && !indexes.has(toolkit)) indexes.set(toolkit, index)
}
