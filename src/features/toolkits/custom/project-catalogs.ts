import { LRUCache } from 'lru-cache'
import { type Catalog, overlayCatalogs, removeUnusedCacheFiles } from '../../../catalog/index.ts'
import { createInstanceCatalog, type InstanceCatalogDeps } from './instance-catalog.ts'
import { createDiskCache, loadOwnerToolkits, NO_TOOLKITS, type OwnerToolkits } from './owner-toolkits.ts'
import * as store from './store.ts'

/** Upper limit for a lost notification; normally the database announces changes immediately. */
const CACHE_MS = 10_000
/**
 * Number of tools in cached catalogues of projects, about 300 bytes each; a project without custom toolkits
 * counts as one.
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
export const createProjectCatalogs = (deps: ProjectCatalogDeps) => new ProjectCatalogs(deps)

export class ProjectCatalogs {
  /** The built-in toolkits and those of the instance. */
  readonly instance: () => Catalog
  /** Loads changes of the instance. */
  readonly refreshInstance: () => Promise<void>

  private readonly deps: ProjectCatalogDeps
  private readonly diskCache: ReturnType<typeof createDiskCache>
  private readonly loading = new Map<string, Promise<Catalog>>()
  private readonly cache = new LRUCache<string, ProjectCatalog>({
    maxSize: CACHED_TOOLS_MAX,
    sizeCalculation: ({ toolkits }) => 1 + toolkits.catalog.toolCount,
  })
  private generation = 0

  constructor(deps: ProjectCatalogDeps) {
    this.deps = deps
    this.diskCache = createDiskCache(deps)
    const instance = createInstanceCatalog(deps, this.diskCache)
    this.instance = instance.get
    this.refreshInstance = instance.refresh
  }

  /**
   * The catalogue of a project; returned without a promise while it is cached. A project without custom
   * toolkits has the catalogue of the instance itself.
   */
  of(projectId: string): Catalog | Promise<Catalog> {
    const cached = this.cache.get(projectId)
    const isValid =
      cached &&
      cached.instance === this.instance() &&
      cached.validUntil > performance.now() &&
      this.deps.mayCache()
    return isValid ? cached.catalog : this.loadOnce(projectId, cached)
  }

  /** Invalidates the catalogue of a project (`''`: of the instance); without a parameter, all catalogues. */
  forget(owner?: string): void {
    this.generation++
    // A load in progress may have read the state before the change.
    this.loading.clear()
    for (const projectId of owner === undefined ? [...this.cache.keys()] : [owner]) {
      const cached = this.cache.peek(projectId)
      if (cached) this.cache.set(projectId, { ...cached, validUntil: 0 })
    }
    if (owner === undefined || owner === '')
      this.refreshInstance().catch((error: unknown) =>
        this.deps.log.warn(
          { err: error },
          'could not load the toolkits of the instance; the previous ones stay',
        ),
      )
  }

  /** Removes disk cache files of contents that no version uses. */
  sweep(): Promise<void> {
    const { db, folder } = this.deps
    return removeUnusedCacheFiles(folder, async () => new Set(await store.listDigests(db)))
  }

  /** Loads the catalogue of a project; concurrent callers share one operation. */
  private loadOnce(projectId: string, cached: ProjectCatalog | undefined): Promise<Catalog> {
    const current = this.loading.get(projectId)
    if (current) return current
    const started: Promise<Catalog> = this.load(projectId, cached).finally(() => {
      if (this.loading.get(projectId) === started) this.loading.delete(projectId)
    })
    this.loading.set(projectId, started)
    return started
  }

  private async load(projectId: string, cached: ProjectCatalog | undefined): Promise<Catalog> {
    const startedIn = this.generation
    const revision = await store.readRevision(this.deps.db, projectId)
    const toolkits =
      cached?.toolkits.revision === revision
        ? cached.toolkits
        : await loadOwnerToolkits(
            this.deps,
            this.diskCache,
            projectId,
            revision,
            cached?.toolkits ?? NO_TOOLKITS,
          )
    const base = this.instance()
    const catalog =
      cached?.toolkits === toolkits && cached.instance === base
        ? cached.catalog
        : overlayCatalogs(base, toolkits.catalog)
    const validUntil = startedIn === this.generation ? performance.now() + CACHE_MS : 0
    this.cache.set(projectId, { toolkits, instance: base, catalog, validUntil })
    return catalog
  }
}
