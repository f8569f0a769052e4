import { object } from '../../../src/catalog/importers/json.ts'
import type { ToolkitManifest, ToolManifest } from '../../../src/catalog/manifest/format/index.ts'
import type { ToolkitSource } from '../../../src/catalog/manifest/load/read.ts'
import table from '../data/arguments.json' with { type: 'json' }
import type { FactDocument } from '../facts.ts'
import type { Overlay } from '../overlay.ts'
import { OPERATION_FILE, type OperationFile } from '../operation-files/index.ts'
import { withReadOnly } from '../read-only.ts'
import { requestDifferences } from './compare-request.ts'
import { statedDifferences } from './compare-stated.ts'
import { type StatedOperation, statedOperations } from './stated-operations.ts'

/** The comparison of the generated tools of one toolkit with their documents. */
export interface CheckedOperations {
  readonly slug: string
  /** Digest of the generated tools that were compared. */
  readonly digest: string
  readonly tools: number
  /** Documents by id: version and source. `operations.json`: the sources of the file of the toolkit. */
  readonly documents: Readonly<Record<string, string>>
  /** Tool and what is different. */
  readonly differs: readonly string[]
}

/**
 * Compares each generated tool with its operation in the document that it names, or in the file of the toolkit that
 * states it. Undefined where there are none.
 */
export function checkOperations(
  { slug, toolkit, operations }: ToolkitSource,
  documents: readonly FactDocument[],
  overlay: Overlay,
  file: OperationFile | undefined,
): CheckedOperations | undefined {
  if (!operations) return undefined
  const byId = new Map(documents.map((document) => [document.id, document]))
  const stated = new Map<string, OperationIndex>()
  const inFile = new Map(file?.operations.map((operation) => [operation.slug, operation]))
  const hidden = hiddenNames(toolkit as ToolkitManifest, overlay)
  const used: Record<string, string> = {}
  const differs: string[] = []
  let tools = 0
  for (const tool of operations.manifests()) {
    tools++
    const operation = inFile.get(tool.slug)
    if (operation) {
      used[OPERATION_FILE] ??= Object.values(file!.sources)
        .map(({ at }) => at)
        .join(' ')
      differs.push(...statedDifferences(tool, operation).map((difference) => `${tool.slug}: ${difference}`))
      continue
    }
    const id = tool.source?.document ?? ''
    const document = byId.get(id)
    if (!document) {
      differs.push(`${tool.slug}: the document ${id} is not in the folder`)
      continue
    }
    used[id] ??= [document.version, document.source].filter(Boolean).join(', ')
    let index = stated.get(id)
    if (!index) {
      const operations = statedOperations(withReadOnly(document.openapi, overlay.read_only))
      stated.set(id, (index = new OperationIndex(operations, overlay)))
    }
    const own = new Set([...hidden, ...credentialNames(document)])
    differs.push(...compareTool(tool, index, own).map((difference) => `${tool.slug}: ${difference}`))
  }
  return {
    slug,
    digest: operations.summary.digest,
    tools,
    documents: sortedRecord(used),
    differs: differs.sort(),
  }
}

function compareTool(tool: ToolManifest, index: OperationIndex, hidden: ReadonlySet<string>): string[] {
  const { method = '', path = '' } = tool.request ?? {}
  const candidates = index.find(method, path)
  if (candidates.length === 0) return [`${method} ${path} is no operation of ${tool.source!.document}`]
  // Two operations of a document may differ only in what precedes the base URL.
  return candidates
    .map((operation) => requestDifferences(tool, operation, { hidden }))
    .sort((a, b) => a.length - b.length)[0]!
}

/** Operations of a document by method and the end of their path. */
class OperationIndex {
  private readonly byMethod: ReadonlyMap<string, { segments: string[]; operation: StatedOperation }[]>

  constructor(operations: readonly StatedOperation[], { paths = {}, renamed = {} }: Overlay) {
    const beginnings = Object.keys(paths).sort((a, b) => b.length - a.length)
    this.byMethod = Map.groupBy(
      operations.map((operation) => {
        const beginning = beginnings.find((one) => operation.path.startsWith(one))
        const path =
          beginning === undefined
            ? operation.path
            : `${paths[beginning]}${operation.path.slice(beginning.length)}`
        const parameters = new Map(
          [...operation.parameters].map(([key, value]) => {
            const border = key.indexOf(' ') + 1
            const name = key.slice(border)
            return [`${key.slice(0, border)}${renamed[name] ?? name}`, value] as const
          }),
        )
        return { segments: segmentsOf(path), operation: { ...operation, parameters } }
      }),
      ({ operation }) => operation.method,
    )
  }

  /**
   * Returns the operations whose path is nearest to that of a tool. One of the two may begin with a base path that the
   * other lacks; a parameter of the document may be a fixed segment of the tool.
   */
  find(method: string, path: string): StatedOperation[] {
    const own = segmentsOf(path)
    const fitting = (this.byMethod.get(method) ?? []).flatMap(({ segments, operation }) => {
      const length = Math.min(segments.length, own.length)
      const [a, b] = [ends(segments, length), ends(own, length)]
      const fits =
        (length > 0 || segments.length === own.length) &&
        a.every((segment, at) => segment === b[at] || segment === '{}')
      const distance =
        Math.abs(segments.length - own.length) * SEGMENT + a.filter((one, at) => one !== b[at]).length
      return fits ? { operation, distance } : []
    })
    const least = Math.min(...fitting.map(({ distance }) => distance))
    return fitting.filter(({ distance }) => distance === least).map(({ operation }) => operation)
  }
}

/** A path that is longer or shorter fits less than one with any number of fixed parameters. */
const SEGMENT = 100
const ends = (segments: readonly string[], length: number) => segments.slice(segments.length - length)

/** Segments of a path below its host, with `{}` for parameters. */
const segmentsOf = (path: string): string[] =>
  path
    .replace(/^https?:\/\/[^/]*/, '')
    .replace(/[?#].*$/, '')
    .replace(/\{[^{}]*\}/g, '{}')
    .split('/')
    .filter(Boolean)

function hiddenNames({ auth, request }: ToolkitManifest, overlay: Overlay): ReadonlySet<string> {
  const applied = auth.flatMap(({ apply }) =>
    ['headers', 'query', 'body'].flatMap((place) => Object.keys(object(object(apply)[place]))),
  )
  const operations = Object.values(overlay.operations ?? {}).flatMap(({ hidden = [] }) => hidden)
  return new Set(
    [
      ...table.hidden,
      ...applied,
      ...Object.keys(request?.headers ?? {}),
      ...(overlay.hidden ?? []),
      ...operations,
    ].map((name) => name.toLowerCase()),
  )
}

function credentialNames({ openapi }: FactDocument): string[] {
  const schemes = object(openapi['securityDefinitions'] ?? object(openapi['components'])['securitySchemes'])
  return Object.values(schemes).flatMap((scheme) => {
    const { name } = object(scheme)
    return typeof name === 'string' ? [name.toLowerCase()] : []
  })
}

const sortedRecord = (record: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))
