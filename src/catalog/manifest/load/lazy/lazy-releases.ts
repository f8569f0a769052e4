import { indexByNameAndAlias } from '../../../query/aliases.ts'
import type { ToolkitReleases } from '../../../query/toolkit-releases.ts'
import type { ToolEntry, Toolkit } from '../../../types/index.ts'
import { compareImportantFirst, compileEntry } from '../../compile/tool.ts'
import { compileSummary } from '../../compile/toolkit.ts'
import type { ToolkitManifest, ToolManifest, TriggerManifest } from '../../format/index.ts'

/** A toolkit that is read when it is used. */
export interface LazyToolkit {
  /** Only what lists show is kept of it. */
  readonly manifest: ToolkitManifest
  /** Newest first. */
  readonly olderVersions: readonly string[]
  /** Number of tools of the newest release, without generated ones. */
  readonly toolCount: number
  readonly hasTriggers: boolean
  /**
   * Reads the tools of the newest release, as lists need them. Undefined where a file cannot be read: `compiled` says
   * why.
   */
  readTools(): readonly ToolManifest[] | undefined
  /** Reads the trigger types of the newest release, as `readTools` reads tools. */
  readTriggers(): readonly TriggerManifest[] | undefined
  /** Reads and compiles all releases, or returns them where they are in memory. */
  compiled(): ToolkitReleases
  /** Reads the SVG text of the icon. */
  icon(): string
  /** Reads the digest of all releases. */
  digest(): string
}

/** Fields that stay in memory from their first use. */
const DETAILS = [
  'schemes',
  'baseUrl',
  'headers',
  'timeoutSeconds',
  'identity',
  'successWhen',
  'errorMessage',
  'errors',
  'rateLimit',
  'manifest',
] as const
type Details = Pick<Toolkit, (typeof DETAILS)[number]>
type Summary = Omit<Toolkit, keyof Details | 'tools' | 'icon' | 'triggerCount'>

/**
 * Returns the releases of a toolkit. In memory are what lists of toolkits show and, from their first use, the sign-in
 * of the newest release and the entries of its tools. Lists compile nothing: all toolkits together take a quarter of a
 * second.
 */
export function lazyReleases(lazy: LazyToolkit): ToolkitReleases {
  const { olderVersions, toolCount, hasTriggers, compiled, digest } = lazy
  const summary: Summary = {
    ...compileSummary(lazy.manifest, lazy.manifest.releases[0]!.version),
    origin: 'built_in',
    toolCount,
  }
  const { slug, version: newest } = summary
  const versions: readonly [string, ...string[]] = [newest, ...olderVersions]
  const hasTools = (version: string) => versions.includes(version) && (toolCount > 0 || version !== newest)
  const entries = once(() => (toolCount > 0 ? entriesOf(lazy, newest) : []))
  const entriesByName = once(() => indexByNameAndAlias(entries(), entries()))
  const toolkit = lazyToolkit(summary, {
    details: once(() => detailsOf(compiled().toolkit(newest)!)),
    tools: entries,
    icon: lazy.icon,
    triggerCount: once(() => (hasTriggers ? countTriggers(lazy, newest) : 0)),
  })
  const older = (version: string) => (olderVersions.includes(version) ? compiled() : undefined)
  const entry = (version: string, name: string) =>
    version === newest ? entriesByName().get(name) : older(version)?.entry(version, name)
  return {
    slug,
    versions,
    toolkit: (version) => (version === newest ? toolkit : older(version)?.toolkit(version)),
    tool: (version, name) => (entry(version, name) ? compiled().tool(version, name) : undefined),
    entry,
    manifests: (version) => (hasTools(version) ? compiled().manifests(version) : []),
    triggers: (version) =>
      hasTriggers || olderVersions.includes(version) ? compiled().triggers(version) : [],
    trigger: (version, name) =>
      hasTriggers || olderVersions.includes(version) ? compiled().trigger(version, name) : undefined,
    digest: once(digest),
  }
}

function lazyToolkit(
  summary: Summary,
  read: { details(): Details; tools(): readonly ToolEntry[]; icon(): string; triggerCount(): number },
): Toolkit {
  const property = (get: () => unknown): PropertyDescriptor => ({ enumerable: true, get })
  return Object.freeze(
    Object.defineProperties(
      { ...summary },
      {
        ...Object.fromEntries(DETAILS.map((name) => [name, property(() => read.details()[name])])),
        tools: property(read.tools),
        icon: property(read.icon),
        triggerCount: property(read.triggerCount),
      },
    ),
  ) as Toolkit
}

const detailsOf = (toolkit: Toolkit): Details =>
  Object.fromEntries(DETAILS.map((name) => [name, toolkit[name]])) as unknown as Details

/** Returns the entries of the tools, without compiling them. */
function entriesOf({ manifest, readTools, compiled }: LazyToolkit, newest: string): readonly ToolEntry[] {
  const tools = readTools() ?? [...compiled().manifests(newest)]
  return Object.freeze(
    tools.map((tool) => Object.freeze(compileEntry(tool, manifest))).sort(compareImportantFirst),
  )
}

const countTriggers = ({ readTriggers, compiled }: LazyToolkit, newest: string): number =>
  readTriggers()?.filter(({ deprecated }) => !deprecated).length ?? compiled().toolkit(newest)!.triggerCount

function once<T>(read: () => T): () => T {
  let value: { readonly known: T } | undefined
  return () => (value ??= { known: read() }).known
}
