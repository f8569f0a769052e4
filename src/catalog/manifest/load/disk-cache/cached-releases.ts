import { createHash } from 'node:crypto'
import { indexByNameAndAlias } from '../../../query/aliases.ts'
import type { ToolkitReleases } from '../../../query/toolkit-releases.ts'
import type { ToolEntry, Toolkit } from '../../../types/index.ts'
import { categoryFromId, releaseDate } from '../../compile/toolkit.ts'
import type { CachedToolkit } from './cached-toolkit.ts'
import { letterIcon } from './letter-icon.ts'

/** A release whose content is in the disk cache. */
export interface CachedRelease {
  readonly version: string
  readonly changes: string
  readonly cached: CachedToolkit
}

/**
 * Returns a toolkit whose releases are on disk.
 * @param releases newest first
 * @param created day of the first release, YYYY-MM-DD
 */
export function cachedReleases(
  releases: readonly [CachedRelease, ...CachedRelease[]],
  created: string,
  origin: 'instance' | 'project',
): ToolkitReleases {
  const list = Object.freeze(releases.map(({ version, changes }) => Object.freeze({ version, changes })))
  const byVersion = new Map(
    releases.map((release) => [
      release.version,
      { cached: release.cached, toolkit: lazyToolkit(release, list, created, origin) },
    ]),
  )
  const currentSlug = createAliasLookup(byVersion, releases[0].cached)
  return {
    slug: releases[0].cached.summary.slug,
    versions: releases.map(({ version }) => version) as [string, ...string[]],
    location: {
      kind: 'disk_cache',
      folder: releases[0].cached.folder,
      releases: releases.map(({ version, cached }) => ({ version, digest: cached.digest })),
    },
    toolkit: (version) => byVersion.get(version)?.toolkit,
    tool: (version, name, reading) =>
      byVersion.get(version)?.cached.tool(currentSlug(version, name), reading),
    entry: (version, name) => byVersion.get(version)?.cached.entry(currentSlug(version, name)),
    manifests: (version) => byVersion.get(version)?.cached.manifests() ?? [],
    triggers: () => [],
    trigger: () => undefined,
    digest: (version) =>
      version !== undefined
        ? (byVersion.get(version)?.cached.digest ?? '')
        : createHash('sha256')
            .update(JSON.stringify(releases.map(({ version, cached }) => [version, cached.digest])))
            .digest('hex'),
  }
}

/** Returns the slug that a name has in a version. Few toolkits have aliases, so only those get an index. */
function createAliasLookup(
  byVersion: ReadonlyMap<string, { readonly cached: CachedToolkit }>,
  newest: CachedToolkit,
): (version: string, name: string) => string {
  const indexes = new Map<string, ReadonlyMap<string, ToolEntry> | undefined>()
  return (version, name) => {
    if (!indexes.has(version)) {
      const entries = byVersion.get(version)!.cached.entries
      const hasAliases = [...entries, ...newest.entries].some(({ aliases }) => aliases.length > 0)
      indexes.set(version, hasAliases ? indexByNameAndAlias(entries, newest.entries) : undefined)
    }
    return indexes.get(version)?.get(name)?.slug ?? name
  }
}

/** Returns a toolkit that has the properties of lists, and reads the others at their first use. */
function lazyToolkit(
  { version, cached }: CachedRelease,
  releases: Toolkit['releases'],
  created: string,
  origin: Toolkit['origin'],
): Toolkit {
  const { categories, ...summary } = cached.summary
  const metadata = () => cached.compiled().metadata
  return Object.freeze<Toolkit>({
    ...summary,
    appUrl: summary.appUrl,
    docsUrl: summary.docsUrl,
    triggerCount: 0,
    origin,
    version,
    releases,
    categories: categories.map(categoryFromId),
    createdAt: `${created}T00:00:00.000Z`,
    updatedAt: releaseDate(version),
    get icon() {
      return letterIcon(summary.name)
    },
    get tools() {
      return cached.entries
    },
    get schemeModes() {
      return metadata().schemeModes
    },
    get schemes() {
      return metadata().schemes
    },
    get baseUrl() {
      return metadata().baseUrl
    },
    get headers() {
      return metadata().headers
    },
    get timeoutSeconds() {
      return metadata().timeoutSeconds
    },
    get identity() {
      return metadata().identity
    },
    get successWhen() {
      return metadata().successWhen
    },
    get errorMessage() {
      return metadata().errorMessage
    },
    get errors() {
      return metadata().errors
    },
    get rateLimit() {
      return metadata().rateLimit
    },
    get manifest() {
      return { ...cached.compiled().manifest, created, releases: [...releases] }
    },
  })
}
