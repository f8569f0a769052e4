import { createHash } from 'node:crypto'
import { compareImportantFirst } from '../manifest/compile/tool.ts'
import type { CompiledToolkit } from '../manifest/compile/toolkit.ts'
import type { ToolManifest } from '../manifest/format/index.ts'
import type { Tool, ToolEntry, Toolkit, ToolkitLocation, ToolReading, Trigger } from '../types/index.ts'
import { indexByNameAndAlias } from './aliases.ts'

/** All releases of one toolkit, in memory or on disk. `version` is the name of a release. */
export interface ToolkitReleases {
  readonly slug: string
  /** Newest first, at least one. */
  readonly versions: readonly [string, ...string[]]
  /** Undefined if they are only in memory. */
  readonly location?: ToolkitLocation | undefined
  /** Undefined where there is no such release. */
  toolkit(version: string): Toolkit | undefined
  /** Finds a tool by its slug or an alias. */
  tool(version: string, slug: string, reading?: ToolReading): Tool | undefined
  entry(version: string, slug: string): ToolEntry | undefined
  manifests(version: string): Iterable<ToolManifest>
  /** Trigger types of a release, by slug. */
  triggers(version: string): readonly Trigger[]
  /** Finds a trigger type by its slug or an alias. */
  trigger(version: string, slug: string): Trigger | undefined
  /** Digest of one release, or of all. */
  digest(version?: string): string
}

/** Returns the releases of a compiled toolkit that stays in memory, newest first. */
export function releasesInMemory(
  releases: readonly [CompiledToolkit, ...CompiledToolkit[]],
): ToolkitReleases {
  const newest = releases[0]
  const byVersion = new Map(
    releases.map((release) => [
      release.toolkit.version,
      {
        ...release,
        toolsByName: indexByNameAndAlias(release.tools, newest.tools),
        triggersByName: indexByNameAndAlias(release.triggers, newest.triggers),
        triggers: release.triggers.toSorted((a, b) => (a.slug < b.slug ? -1 : 1)),
      },
    ]),
  )
  return {
    slug: newest.toolkit.slug,
    versions: releases.map(({ toolkit }) => toolkit.version) as [string, ...string[]],
    toolkit: (version) => byVersion.get(version)?.toolkit,
    tool: (version, slug) => byVersion.get(version)?.toolsByName.get(slug),
    entry: (version, slug) => byVersion.get(version)?.toolsByName.get(slug),
    manifests: (version) =>
      (byVersion.get(version)?.tools ?? []).toSorted(compareImportantFirst).map(({ manifest }) => manifest),
    triggers: (version) => byVersion.get(version)?.triggers ?? [],
    trigger: (version, slug) => byVersion.get(version)?.triggersByName.get(slug),
    digest: (version) =>
      sha256OfJson(
        releases
          .filter(({ toolkit }) => version === undefined || toolkit.version === version)
          .map(({ toolkit, tools }) => [toolkit.manifest, tools.map(({ manifest }) => manifest)]),
      ),
  }
}

const sha256OfJson = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex')
