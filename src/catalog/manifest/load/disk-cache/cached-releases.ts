import { categoryFromId, releaseDate } from '../../compile/toolkit.ts'
import type { ToolkitReleases } from '../../../query/catalog.ts'
import { createHash } from 'node:crypto'
import { indexByNameAndAlias } from '../../../query/aliases.ts'
import type { ToolEntry, Toolkit } from '../../../types/index.ts'
import { letterIcon } from './letter-icon.ts'
import type { CachedToolkit } from './cached-toolkit.ts'

/** A release and where its content lies. */
export interface CachedRelease {
  readonly version: string
  readonly changes: string
  readonly cached: CachedToolkit
}

/** A toolkit whose releases lie on disk, newest first. `created`: the day of the first, YYYY-MM-DD. */
export function cachedReleases(
  releases: readonly [CachedRelease, ...CachedRelease[]],
  created: string,
  origin: 'instance' | 'project',
): ToolkitReleases {
  const told = Object.freeze(releases.map(({ version, changes }) => Object.freeze({ version, changes })))
  const byVersion = new Map(
    releases.map((one) => [
      one.version,
      { shelf: one.cached, toolkit: toolkitOf(one, told, created, origin) },
    ]),
  )
  /** Few toolkits have former names, so those alone have a map. */
  const names = new Map<string, ReadonlyMap<string, ToolEntry> | undefined>()
  function slugOf(version: string, name: string): string {
    if (!names.has(version)) {
      const [here, newest] = [byVersion.get(version)!.shelf.entries, releases[0].cached.entries]
      names.set(
        version,
        [...here, ...newest].some(({ aliases }) => aliases.length > 0)
          ? indexByNameAndAlias(here, newest)
          : undefined,
      )
    }
    return names.get(version)?.get(name)?.slug ?? name
  }
  return {
    slug: releases[0].cached.summary.slug,
    versions: releases.map(({ version }) => version) as [string, ...string[]],
    toolkit: (version) => byVersion.get(version)?.toolkit,
    tool: (version, name) => byVersion.get(version)?.shelf.tool(slugOf(version, name)),
    entry: (version, name) => byVersion.get(version)?.shelf.entry(slugOf(version, name)),
    manifests: (version) => byVersion.get(version)?.shelf.manifests() ?? [],
    triggers: () => [],
    trigger: () => undefined,
    digest: (version) =>
      version !== undefined
        ? (byVersion.get(version)?.shelf.digest ?? '')
        : createHash('sha256')
            .update(JSON.stringify(releases.map(({ version, cached: shelf }) => [version, shelf.digest])))
            .digest('hex'),
  }
}

/** What lists read is there; what a call needs is read when it is asked for. */
function toolkitOf(
  { version, cached: shelf }: CachedRelease,
  releases: Toolkit['releases'],
  created: string,
  origin: Toolkit['origin'],
): Toolkit {
  const { slug, name, description, categories, appUrl, docsUrl, local, deprecated, noAuth, toolCount } =
    shelf.summary
  const head = () => shelf.compiled().head
  return Object.freeze<Toolkit>({
    slug,
    name,
    description,
    appUrl,
    docsUrl,
    local,
    deprecated,
    noAuth,
    toolCount,
    triggerCount: 0,
    origin,
    version,
    releases,
    categories: categories.map(categoryFromId),
    createdAt: `${created}T00:00:00.000Z`,
    updatedAt: releaseDate(version),
    get icon() {
      return letterIcon(name)
    },
    get tools() {
      return shelf.entries
    },
    get schemes() {
      return head().schemes
    },
    get baseUrl() {
      return head().baseUrl
    },
    get headers() {
      return head().headers
    },
    get timeoutSeconds() {
      return head().timeoutSeconds
    },
    get identity() {
      return head().identity
    },
    get successWhen() {
      return head().successWhen
    },
    get errorMessage() {
      return head().errorMessage
    },
    get errors() {
      return head().errors
    },
    get rateLimit() {
      return head().rateLimit
    },
    get manifest() {
      return { ...shelf.compiled().manifest, created, releases: [...releases] }
    },
  })
}
