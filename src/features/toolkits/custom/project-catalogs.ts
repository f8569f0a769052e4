import { setImmediate as turn } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import {
  type Catalog,
  createCatalog,
  type ToolkitReleases,
  LATEST_VERSION,
  overlayCatalogs,
  cachedReleases,
  type CachedToolkit,
  openOrWriteCachedToolkit,
  removeUnusedCacheFiles,
} from '../../../catalog/index.ts'
import type { Db } from '../../../platform/db/sql.ts'
import type { Logger } from '../../../platform/log.ts'
import { readContent } from './content.ts'
import { warmDiskCache } from './warm-disk-cache.ts'
import * as store from './store.ts'

/** Changes are announced by the database at once; this bound holds when an announcement is lost. */
const FRESH_MS = 10_000
/** Tools of projects whose entries are in memory, about 300 bytes each; a project without toolkits of its own counts as one. */
const TOOLS_KEPT = 300_000

export interface ProjectCatalogDeps {
  db: Db
  /** Where shelves lie; what is there can be made again. */
  folder: string
  /** The toolkits that come with the program. */
  builtIn: Catalog
  /** False while announcements of changes cannot be heard: then the database is asked every time. */
  mayCache(): boolean
  /** Makes a new catalogue of the instance ready to be searched; not there where nobody lists or searches tools. */
  prepare: ((catalog: Catalog) => Promise<void>) | undefined
  log: Logger
}

/** The toolkits of an owner as they were at a revision. */
interface OwnerToolkits {
  readonly revision: string
  readonly held: ReadonlyMap<string, { key: string; holding: ToolkitReleases }>
  readonly catalog: Catalog
}
interface ProjectCatalog {
  readonly own: OwnerToolkits
  readonly on: Catalog
  readonly catalog: Catalog
  readonly until: number
}

export type CatalogOf = (projectId: string) => Catalog | Promise<Catalog>

/** What each project sees: the toolkits of the program, those of the instance above them, its own above those. */
export function createProjectCatalogs({ db, folder, builtIn, mayCache: mayRemember, prepare, log }: ProjectCatalogDeps) {
  const views = new LRUCache<string, ProjectCatalog>({
    maxSize: TOOLS_KEPT,
    sizeCalculation: ({ own }) => 1 + own.catalog.toolCount,
  })
  const loading = new Map<string, Promise<Catalog>>()
  const making = new Map<string, Promise<CachedToolkit>>()
  let instance: { own: OwnerToolkits; catalog: Catalog } = { own: NOTHING, catalog: builtIn }
  let renewing: Promise<void> = Promise.resolve()
  /** The renewal that begins when the one under way has ended, for everybody who asks meanwhile. */
  let waiting: Promise<void> | undefined
  let generation = 0

  function shelf(digest: string): Promise<CachedToolkit> {
    let made = making.get(digest)
    if (!made)
      making.set(
        digest,
        (made = openOrWriteCachedToolkit(folder, digest, () => contentOf(digest), again).finally(() => making.delete(digest))),
      )
    return made
  }

  /** Made again, a shelf is the same to the byte: whoever holds the damaged one goes on with it. */
  function again(digest: string): void {
    log.warn({ digest }, 'a file of the toolkit cache was damaged; it is made again')
    shelf(digest).catch((error: unknown) =>
      log.error({ err: error, digest }, 'a file of the toolkit cache could not be made again'),
    )
  }

  async function bytesOf(digest: string): Promise<Buffer> {
    const bytes = await store.findContent(db, digest)
    if (!bytes) throw new Error(`The content ${digest} of a toolkit is not in the database.`)
    return bytes
  }

  const contentOf = async (digest: string) => readContent(await bytesOf(digest))

  /** What is unchanged since `before` stays the same objects, and so keeps its index. */
  async function load(owner: store.ToolkitOwner, revision: string, before: OwnerToolkits): Promise<OwnerToolkits> {
    const rows = revision === NOTHING.revision ? [] : await store.listVersions(db, owner)
    await warmDiskCache(
      rows.filter(({ slug }) => !before.held.has(slug)),
      folder,
      bytesOf,
      (error, digest) => log.warn({ err: error, digest }, 'a toolkit could not be made ready in a thread'),
    )
    const held = new Map<string, { key: string; holding: ToolkitReleases }>()
    for (const [slug, versions] of Map.groupBy(rows, (row) => row.slug)) {
      const key = versions.map(({ id }) => id).join()
      const known = before.held.get(slug)
      held.set(
        slug,
        known?.key === key
          ? known
          : { key, holding: await holdingOf(owner, versions as [store.ToolkitVersionRow, ...store.ToolkitVersionRow[]]) },
      )
    }
    return { revision, held, catalog: createCatalog([...held.values()].map(({ holding }) => holding)) }
  }

  async function holdingOf(
    owner: store.ToolkitOwner,
    versions: readonly [store.ToolkitVersionRow, ...store.ToolkitVersionRow[]],
  ): Promise<ToolkitReleases> {
    const releases = []
    for (const { version, changes, digest } of versions)
      releases.push({ version, changes, cached: await shelf(digest) })
    return cachedReleases(
      releases as [(typeof releases)[number]],
      versions[0].toolkit_created_at.toISOString().slice(0, 10),
      owner === null ? 'instance' : 'project',
    )
  }

  async function look(projectId: string, known: ProjectCatalog | undefined): Promise<Catalog> {
    const asked = generation
    const revision = await store.readRevision(db, projectId)
    const own =
      known?.own.revision === revision ? known.own : await load(projectId, revision, known?.own ?? NOTHING)
    const on = instance.catalog
    const catalog = known?.own === own && known.on === on ? known.catalog : overlayCatalogs(on, own.catalog)
    views.set(projectId, { own, on, catalog, until: asked === generation ? performance.now() + FRESH_MS : 0 })
    return catalog
  }

  async function renew(): Promise<void> {
    const revision = await store.readRevision(db, null)
    if (revision === instance.own.revision) return
    const own = await load(null, revision, instance.own)
    const catalog = overlayCatalogs(builtIn, own.catalog)
    await prepare?.(catalog)
    instance = { own, catalog }
    if (prepare)
      warmUp(catalog).catch((error: unknown) =>
        log.warn({ err: error }, 'the order of all tools is made at the first list'),
      )
  }

  /** Puts the tools in order before the first list wants them: for a hundred thousand, that takes seconds. Toolkit by toolkit, so that calls are answered meanwhile. */
  async function warmUp(catalog: Catalog): Promise<void> {
    for (const toolkit of catalog.toolkits) {
      if (instance.catalog !== catalog) return
      if (toolkit.tools.length > 0) await turn()
    }
    catalog.entries(LATEST_VERSION)
  }

  return {
    /** The toolkits of the program and of the instance. */
    instance: () => instance.catalog,

    /** What a project sees. Answers at once when it is remembered; one that sees nothing of its own has the catalogue of the instance itself. */
    of(projectId: string): Catalog | Promise<Catalog> {
      const known = views.get(projectId)
      if (known && known.on === instance.catalog && known.until > performance.now() && mayRemember())
        return known.catalog
      let found = loading.get(projectId)
      if (!found) {
        const mine: Promise<Catalog> = look(projectId, known).finally(() => {
          if (loading.get(projectId) === mine) loading.delete(projectId)
        })
        loading.set(projectId, (found = mine))
      }
      return found
    },

    /** Takes in what changed for the instance. However many changes there are while one is taken in, one renewal follows. */
    renewInstance(): Promise<void> {
      return (waiting ??= renewing
        .catch(() => {})
        .then(() => {
          waiting = undefined
          return (renewing = renew())
        }))
    },

    /** Called when toolkits of a project changed anywhere (`''`: of the instance); without one, when anything may have. */
    forget(owner?: string): void {
      generation++
      // What is under way may have asked before the change.
      loading.clear()
      const stale = owner === undefined ? [...views.keys()] : [owner]
      for (const projectId of stale) {
        const view = views.peek(projectId)
        if (view) views.set(projectId, { ...view, until: 0 })
      }
      if (owner === undefined || owner === '')
        this.renewInstance().catch((error: unknown) =>
          log.warn(
            { err: error },
            'the toolkits of the instance could not be read anew; the former ones stay',
          ),
        )
    },

    /** Takes away shelves of contents that nobody has any more. */
    sweep: (): Promise<void> => removeUnusedCacheFiles(folder, async () => new Set(await store.listDigests(db))),
  }
}

export type ProjectCatalogs = ReturnType<typeof createProjectCatalogs>

const NOTHING: OwnerToolkits = { revision: '0.0', held: new Map(), catalog: createCatalog([]) }
