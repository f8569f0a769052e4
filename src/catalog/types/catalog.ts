import type { ToolManifest } from '../manifest/format/index.ts'
import type { ToolkitLocation } from './location.ts'
import type { ResolvedTool, ToolEntry, ToolReading } from './tool.ts'
import type { Category, Toolkit } from './toolkit.ts'
import type { ResolvedTrigger } from './trigger.ts'

/** A sorted list. Parts of it can be read without computing the whole. */
export interface Listing<T> extends Iterable<T> {
  readonly length: number
  slice(from: number, to: number): readonly T[]
}

/** The toolkits that a project can see. Immutable: a change makes another catalogue. */
export interface Catalog {
  /** Newest release of each, by name. */
  readonly toolkits: readonly Toolkit[]
  /** Tools of the newest releases: important ones first, then by slug. */
  readonly tools: Listing<ToolEntry>
  readonly toolCount: number
  /** Categories in use, by id. */
  readonly categories: readonly Category[]
  /**
   * The two catalogues of an overlay; a toolkit of the second hides that of the first. Undefined for others.
   */
  readonly layers: readonly [lower: Catalog, upper: Catalog] | undefined
  /** Finds a toolkit by slug (any case) and version (default `latest`). */
  toolkit(slug: string, version?: string): Toolkit | undefined
  /** Finds a tool by slug or alias (any case), in a version (`latest`, `00000000_00`, `YYYYMMDD_NN`). */
  tool(slug: string, version: string, reading?: ToolReading): ResolvedTool | undefined
  /** As `tool`, with only the properties that lists read. */
  entry(slug: string, version: string): ToolEntry | undefined
  /** Tools of all toolkits that have this version, in the order of `tools`. */
  entries(version: string): Listing<ToolEntry>
  /** Slug of the toolkit of which any version has the tool. */
  ownerOf(slug: string): string | undefined
  /**
   * Release that a version stands for: `latest` becomes the newest one, others stay. Undefined where there is
   * none.
   */
  resolveVersion(toolkit: string, version: string): string | undefined
  /** `00000000_00`, then the releases from oldest to newest; empty for an unknown toolkit. */
  availableVersions(toolkit: string): readonly string[]
  /** Manifests of the tools of a version, read one after the other, for code that reads all of them once. */
  manifests(toolkit: string, version: string): Iterable<ToolManifest>
  /** Finds a trigger type by slug or alias (any case), in a version. */
  trigger(slug: string, version: string): ResolvedTrigger | undefined
  /** Trigger types of a toolkit in a version, by slug. */
  triggers(toolkit: string, version: string): readonly ResolvedTrigger[]
  /** Digest of the content of a toolkit in one release, or in all. */
  digest(toolkit: string, version?: string): string
  /** Undefined for a toolkit that is only in memory. */
  location(toolkit: string): ToolkitLocation | undefined
}
