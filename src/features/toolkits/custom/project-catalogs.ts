import { LRUCache } from 'lru-cache'
import { type Catalog, overlayCatalogs, removeUnusedCacheFiles } from '../../../catalog/index.ts'
import { createInstanceCatalog, type InstanceCatalogDeps } from './instance-catalog.ts'
import { createDiskCache, loadOwnerToolkits, NO_TOOLKITS, type OwnerToolkits } from './owner-toolkits.ts'
import * as store from './store.ts'

/** Upper limit for a lost notification; normally the database announces changes immediately. */
const CACHE_MS = 10_000
/**
 * Number of tools in cached catalogues of projects, about 300 bytes each; a project without custom toolkits
 * counts as
 * one.
 */
const CACHED_TOOLS_MAX = 300_000

export interface ProjectCatalogDeps extends InstanceCatalogDeps {
  /**
   * False while notifications of changes cannot be received: then each call reads the revision from the
   * database.
   */
  mayCache(): boolean
}

/** Cached catalogue of a project. */
interface ProjectCatalog {
  readonly toolkits: OwnerToolkits
  readonly instance: Catalog
  readonly catalog: Catalog
  /** By `performance.now()`. */
  readonly validUntil: number
}

export type CatalogOf = (projectId: string) => Catalog | Promise<Catalog>

/** Catalogues per project: its custom toolkits over those of the instance over the built-in ones. */
export function createProjectCatalogs(deps: ProjectCatalogDeps) {
  const { db, folder, mayCache, log } = deps
  const cache = new LRUCache<string, ProjectCatalog>({
    maxSize: CACHED_TOOLS_MAX,
    sizeCalculation: ({ toolkits }) => 1 + toolkits.catalog.toolCount,
  })
  const loading = new Map<string, Promise<Catalog>>()
  const diskCache = createDiskCache(deps)
  const instance = createInstanceCatalog(deps, diskCache)
  let generation = 0

  async function load(projectId: string, cached: ProjectCatalog | undefined): Promise<Catalog> {
    const startedIn = generation
    const revision = await store.readRevision(db, projectId)
    const toolkits =
      cached?.toolkits.revision === revision
        ? cached.toolkits
        : await loadOwnerToolkits(deps, diskCache, projectId, revision, cached?.toolkits ?? NO_TOOLKITS)
    const base = instance.get()
    const catalog =
      cached?.toolkits === toolkits && cached.instance === base
        ? cached.catalog
        : overlayCatalogs(base, toolkits.catalog)
    const validUntil = startedIn === generation ? performance.now() + CACHE_MS : 0
    cache.set(projectId, { toolkits, instance: base, catalog, validUntil })
    return catalog
  }

  /** Loads the catalogue of a project; concurrent callers share one operation. */
  function loadOnce(projectId: string, cached: ProjectCatalog | undefined): Promise<Catalog> {
    const current = loading.get(projectId)
    if (current) return current
    const started: Promise<Catalog> = load(projectId, cached).finally(() => {
      if (loading.get(projectId) === started) loading.delete(projectId)
    })
    loading.set(projectId, started)
    return started
  }

  return {
    /** The built-in toolkits and those of the instance. */
    instance: instance.get,

    /**
     * The catalogue of a project; returned without a promise while it is cached. A project without custom
     * toolkits has
     * the catalogue of the instance itself.
     */
    of(projectId: string): Catalog | Promise<Catalog> {
      const cached = cache.get(projectId)
      const isValid =
        cached && cached.instance === instance.get() && cached.validUntil > performance.now() && mayCache()
      return isValid ? cached.catalog : loadOnce(projectId, cached)
    },

    /** Loads changes of the instance. */
    refreshInstance: instance.refresh,

    /** Invalidates the catalogue of a project (`''`: of the instance); without a parameter, all catalogues. */
    forget(owner?: string): void {
      generation++
      // A load in progress may have read the state before the change.
      loading.clear()
      for (const projectId of owner === undefined ? [...cache.keys()] : [owner]) {
        const cached = cache.peek(projectId)
        if (cached) cache.set(projectId, { ...cached, validUntil: 0 })
      }
      if (owner === undefined || owner === '')
        instance
          .refresh()
          .catch((error: unknown) =>
            log.warn({ err: error }, 'could not load the toolkits of the instance; the previous ones stay'),
          )
    },

    /** Removes disk cache files of contents that no version uses. */
    sweep: (): Promise<void> =>
      removeUnusedCacheFiles(folder, async () => new Set(await store.listDigests(db))),
  }
}

export type ProjectCatalogs = ReturnType<typeof createProjectCatalogs>
