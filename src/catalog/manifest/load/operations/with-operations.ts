import { createHash } from 'node:crypto'
import { mergeSortedLists } from '../../../query/sorted-list.ts'
import type { ToolkitReleases } from '../../../query/toolkit-releases.ts'
import type { ToolEntry, Toolkit } from '../../../types/index.ts'
import { toolkitContext, type ToolkitContext } from '../../compile/tool.ts'
import type { OperationsFile } from './operations-file.ts'

/**
 * Adds generated tools to all releases of a toolkit. They have no releases of their own: a caller that stays with an
 * older release, such as every caller of v3 without a version, keeps them when the tools that are written by hand get a
 * new one. Those take precedence: where both have a name, theirs is found.
 */
export function withOperations(curated: ToolkitReleases, operations: OperationsFile): ToolkitReleases {
  const [newest] = curated.versions
  const toolkits = new Map(
    curated.versions.map((version) => {
      let merged: Toolkit | undefined
      return [version, () => (merged ??= addTools(curated.toolkit(version)!, operations))] as const
    }),
  )
  const curatedSlug = (name: string) => {
    const { curatedAliases } = operations
    return Object.hasOwn(curatedAliases, name) ? curatedAliases[name]! : name
  }
  let context: ToolkitContext | undefined
  return {
    ...curated,
    toolkit: (version) => toolkits.get(version)?.(),
    tool: (version, name, reading) =>
      curated.tool(version, name) ??
      (toolkits.has(version)
        ? (curated.tool(version, curatedSlug(name)) ??
          operations.tool(name, (context ??= toolkitContext(toolkits.get(newest)!().manifest)), reading))
        : undefined),
    entry: (version, name) =>
      curated.entry(version, name) ??
      (toolkits.has(version)
        ? (curated.entry(version, curatedSlug(name)) ?? operations.entry(name))
        : undefined),
    *manifests(version) {
      yield* curated.manifests(version)
      if (toolkits.has(version)) yield* operations.manifests()
    },
    digest(version) {
      const digest = curated.digest(version)
      if (version !== undefined && version !== newest) return digest
      return createHash('sha256').update(`${digest}\n${operations.summary.digest}`).digest('hex')
    },
  }
}

/** Returns the toolkit with all tools in its list, which is merged at its first use. */
function addTools(toolkit: Toolkit, operations: OperationsFile): Toolkit {
  let tools: readonly ToolEntry[] | undefined
  return Object.freeze(
    // A copy of the values would read the fields of a toolkit that is read when it is used.
    Object.defineProperties({} as Toolkit, {
      ...Object.getOwnPropertyDescriptors(toolkit),
      toolCount: { enumerable: true, value: toolkit.toolCount + operations.summary.toolCount },
      tools: {
        enumerable: true,
        get: () => (tools ??= mergeSortedLists([toolkit.tools, operations.entries])),
      },
    }),
  )
}
