import type { ToolManifest } from '../../../src/catalog/manifest/format/index.ts'
import type { OperationFile, StatedOperation } from './format.ts'
import { readTarget } from './source-target.ts'

/** Returns why the sources of an operation are not enough; undefined where they are. */
export function sourceFault(
  { sources: names }: StatedOperation,
  { sources }: OperationFile,
): string | undefined {
  const unknown = names.find((name) => !Object.hasOwn(sources, name))
  if (unknown !== undefined) return `the source ${unknown} is not in the list of sources`
  const used = names.map((name) => sources[name]!)
  if (used.some(({ by }) => by === 'vendor')) return undefined
  const publishers = new Set(used.map(({ at }) => readTarget(at).publisher))
  return publishers.size > 1
    ? undefined
    : 'it needs a source by the vendor, or two sources of different publishers'
}

/** The source that the tool of an operation records: the vendor's, or the first of those that agree. */
export function sourceOfTool(operation: StatedOperation, file: OperationFile): ToolManifest['source'] {
  const fault = sourceFault(operation, file)
  if (fault !== undefined) throw new Error(`${operation.slug}: ${fault}.`)
  const used = operation.sources.map((name) => file.sources[name]!)
  const vendor = used.find(({ by }) => by === 'vendor')
  const others = used.filter((one) => one !== (vendor ?? used[0]))
  return {
    document: (vendor ?? used[0]!).at,
    tier: vendor ? 'vendor' : 'confirmed',
    ...(others.length > 0 && { also: others.map(({ at }) => at) }),
  }
}
