import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Catalog, type IndexWork, LATEST_VERSION, overlayCatalogs } from '../../../catalog/index.ts'
import {
  type createDiskCache,
  loadOwnerToolkits,
  NO_TOOLKITS,
  type OwnerToolkitDeps,
  type OwnerToolkits,
} from './owner-toolkits.ts'
import * as store from './store.ts'

export interface InstanceCatalogDeps extends OwnerToolkitDeps {
  /** The built-in toolkits with those of the administrator's folder: another object after each change. */
  builtIn(): Catalog
  /** Prepares the search of a new catalogue; undefined where nobody lists or searches tools. */
  prepare: ((catalog: Catalog, previous?: Catalog) => Promise<IndexWork>) | undefined
}

interface InstanceCatalog {
  readonly builtIn: Catalog
  readonly toolkits: OwnerToolkits
  readonly catalog: Catalog
}

const withToolkits = (builtIn: Catalog, toolkits: OwnerToolkits): InstanceCatalog => ({
  builtIn,
  toolkits,
  catalog: overlayCatalogs(builtIn, toolkits.catalog),
})

/** Catalogue of the built-in toolkits and those of the instance, reloaded after changes. */
export function createInstanceCatalog(deps: InstanceCatalogDeps, cache: ReturnType<typeof createDiskCache>) {
  let current = withToolkits(deps.builtIn(), NO_TOOLKITS)
  let refreshing: Promise<void> = Promise.resolve()
  /** The refresh after the one in progress, shared by all callers that wait for it. */
  let next: Promise<void> | undefined

  /** Prepares the search of the built-in toolkits while the server already responds; searches wait for it. */
  function prepareBuiltIn(builtIn: Catalog): void {
    deps
      .prepare?.(builtIn)
      .catch((error: unknown) =>
        deps.log.warn({ err: error }, 'the search index could not be prepared; the first search builds it'),
      )
  }

  async function reload(): Promise<void> {
    const revision = await store.readRevision(deps.db, null)
    const builtIn = deps.builtIn()
    const isSame = revision === current.toolkits.revision
    if (isSame && builtIn === current.builtIn) return prepareBuiltIn(builtIn)
    const toolkits = isSame
      ? current.toolkits
      : await loadOwnerToolkits(deps, cache, null, revision, current.toolkits)
    const next = withToolkits(builtIn, toolkits)
    const work = await deps.prepare?.(next.catalog, current.catalog)
    if (work) deps.log.debug({ ...work }, 'the search index of the changed toolkits is prepared')
    current = next
    if (deps.prepare)
      sortTools(next.catalog).catch((error: unknown) =>
        deps.log.warn({ err: error }, 'tools of the instance are sorted at the first list'),
      )
  }

  /**
   * Sorts the tools before the first list needs them, which takes seconds for a hundred thousand tools.
   * Yields after
   * each toolkit, so that requests are served meanwhile.
   */
  async function sortTools(catalog: Catalog): Promise<void> {
    for (const toolkit of catalog.toolkits) {
      if (current.catalog !== catalog) return
      if (toolkit.tools.length > 0) await nextTurn()
    }
    catalog.entries(LATEST_VERSION)
  }

  return {
    get: (): Catalog => current.catalog,
    /** Loads changes. All changes during a refresh are covered by one further refresh. */
    refresh(): Promise<void> {
      return (next ??= refreshing
        .catch(() => {})
        .then(() => {
          next = undefined
          return (refreshing = reload())
        }))
    },
  }
}
