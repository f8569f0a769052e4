import {
  type CachedToolkit,
  cachedReleases,
  type Catalog,
  createCatalog,
  openOrWriteCachedToolkit,
  type ToolkitReleases,
} from '../../../catalog/index.ts'
import type { Db } from '../../../platform/db/sql.ts'
import type { Logger } from '../../../platform/log.ts'
import { readContent } from '../../../catalog/importers/versions/index.ts'
import { readCompressed } from './read-compressed.ts'
import * as store from './store.ts'
import { warmDiskCache } from './warm-disk-cache.ts'

/** The toolkits of an owner at a revision. */
export interface OwnerToolkits {
  readonly revision: string
  /** Releases by toolkit slug; `key` consists of the IDs of their versions. */
  readonly releases: ReadonlyMap<string, { key: string; releases: ToolkitReleases }>
  readonly catalog: Catalog
}

export const NO_TOOLKITS: OwnerToolkits = {
  revision: '0.0',
  releases: new Map(),
  catalog: createCatalog([]),
}

export interface OwnerToolkitDeps {
  db: Db
  /** Folder of the toolkit disk cache; its files can be written again. */
  folder: string
  log: Logger
}

type Versions = readonly [store.ToolkitVersionRow, ...store.ToolkitVersionRow[]]

/** Opens toolkits in the disk cache, and writes missing files. Concurrent callers share one operation. */
export function createDiskCache({ db, folder, log }: OwnerToolkitDeps) {
  const opening = new Map<string, Promise<CachedToolkit>>()

  const readBytes = (digest: string) => readCompressed(db, digest)

  function open(digest: string): Promise<CachedToolkit> {
    let toolkit = opening.get(digest)
    if (!toolkit) {
      toolkit = openOrWriteCachedToolkit(
        folder,
        digest,
        async () => readContent(await readBytes(digest)),
        repair,
      ).finally(() => opening.delete(digest))
      opening.set(digest, toolkit)
    }
    return toolkit
  }

  /**
   * Writes a damaged file again. It is byte-identical, so users of the damaged file continue with the new
   * one.
   */
  function repair(digest: string): void {
    log.warn({ digest }, 'toolkit disk cache: a file was damaged and is written again')
    open(digest).catch((error: unknown) =>
      log.error({ err: error, digest }, 'toolkit disk cache: a damaged file could not be written again'),
    )
  }

  return { open, readBytes }
}

type DiskCache = ReturnType<typeof createDiskCache>

/** Loads the toolkits of an owner. Unchanged toolkits keep their objects, and therefore their search index. */
export async function loadOwnerToolkits(
  { db, folder, log }: OwnerToolkitDeps,
  cache: DiskCache,
  owner: store.ToolkitOwner,
  revision: string,
  previous: OwnerToolkits,
): Promise<OwnerToolkits> {
  const rows = revision === NO_TOOLKITS.revision ? [] : await store.listVersions(db, owner)
  const toolkits = [...Map.groupBy(rows, (row) => row.slug)].map(([slug, versions]) => {
    const key = versions.map(({ id }) => id).join()
    const known = previous.releases.get(slug)
    return { slug, versions, key, known: known?.key === key ? known : undefined }
  })
  await warmDiskCache(
    toolkits.filter(({ known }) => !known).flatMap(({ versions }) => versions),
    folder,
    cache.readBytes,
    (error, digest) =>
      log.warn({ err: error, digest }, 'toolkit disk cache: a worker could not write a file'),
  )
  const releases = new Map<string, { key: string; releases: ToolkitReleases }>()
  for (const { slug, versions, key, known } of toolkits)
    releases.set(
      slug,
      known ?? { key, releases: await openReleases(cache, owner, versions as unknown as Versions) },
    )
  const catalog = createCatalog([...releases.values()].map((toolkit) => toolkit.releases))
  return { revision, releases, catalog }
}

async function openReleases(
  cache: DiskCache,
  owner: store.ToolkitOwner,
  versions: Versions,
): Promise<ToolkitReleases> {
  const releases = []
  for (const { version, changes, digest } of versions)
    releases.push({ version, changes, cached: await cache.open(digest) })
  return cachedReleases(
    releases as [(typeof releases)[number]],
    versions[0].toolkit_created_at.toISOString().slice(0, 10),
    owner === null ? 'instance' : 'project',
  )
}
