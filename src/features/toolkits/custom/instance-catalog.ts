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
  /** Built-in toolkits. */
  builtIn: Catalog
  /** Prepares the search of a new catalogue; undefined where nobody lists or searches tools. */
  prepare: ((catalog: Catalog, previous?: Catalog) => Promise<IndexWork>) | undefined
}

/** Catalogue of the built-in toolkits and those of the instance, reloaded after changes. */
export function createInstanceCatalog(deps: InstanceCatalogDeps, cache: ReturnType<typeof createDiskCache>) {
  let current: { toolkits: OwnerToolkits; catalog: Catalog } = {
    toolkits: NO_TOOLKITS,
    catalog: deps.builtIn,
  }
  let refreshing: Promise<void> = Promise.resolve()
  /** The refresh after the one in progress, shared by all callers that wait for it. */
  let next: Promise<void> | undefined

  /** Prepares the search of the built-in toolkits while the server already responds; searches wait for it. */
  function prepareBuiltIn(): void {
    deps
      .prepare?.(deps.builtIn)
      .catch((error: unknown) =>
        deps.log.warn({ err: error }, 'the search index could not be prepared; the first search builds it'),
      )
  }

  async function reload(): Promise<void> {
    const revision = await store.readRevision(deps.db, null)
    if (revision === current.toolkits.revision) return prepareBuiltIn()
    const toolkits = await loadOwnerToolkits(deps, cache, null, revision, current.toolkits)
    const catalog = overlayCatalogs(deps.builtIn, toolkits.catalog)
    const work = await deps.prepare?.(catalog, current.catalog)
    if (work) deps.log.debug({ ...work }, 'the search index of the changed toolkits is prepared')
    current = { toolkits, catalog }
    if (deps.prepare)
      sortTools(catalog).catch((error: unknown) =>
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
