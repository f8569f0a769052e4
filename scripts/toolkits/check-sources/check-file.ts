import { createHash } from 'node:crypto'
import { parse } from 'graphql'
import { canonicalJson } from '../../../src/catalog/importers/versions/canonical-json.ts'
import type { OperationFile, StatedOperation } from '../operation-files/format.ts'
import { sourceFault } from '../operation-files/sources.ts'
import { findRequest } from './find-request.ts'

/** What a program found of the operations of one toolkit in their sources. */
export interface CheckedSources {
  readonly slug: string
  /** Digest of the requests and sources that were looked for. */
  readonly digest: string
  readonly operations: number
  /** Operations whose method and path are in enough of their sources. */
  readonly found: number
  /** The others: a person read a page or code that builds the path in another way. */
  readonly read: readonly string[]
}

/** Digest of what is looked for: texts, parameters and results of operations do not count. */
export const requestsDigest = ({ sources, operations }: OperationFile): string =>
  createHash('sha256')
    .update(
      canonicalJson({
        sources,
        operations: operations.map(({ slug, request, graphql, fixed, sources: names }) => ({
          ...{ slug, request, graphql, fixed, names },
        })),
      }),
    )
    .digest('hex')
    .slice(0, 24)

/** Looks for each operation in its sources. `textsOf`: undefined for a source that is not at hand. */
export function checkFile(
  slug: string,
  file: OperationFile,
  textsOf: (at: string) => readonly string[] | undefined,
): CheckedSources {
  const texts = new Map(Object.entries(file.sources).map(([name, { at }]) => [name, textsOf(at) ?? []]))
  const read = file.operations.filter((operation) => {
    const found = operation.sources.filter((name) => isStated(operation, texts.get(name) ?? []))
    return found.length === 0 || sourceFault({ ...operation, sources: found }, file) !== undefined
  })
  const { length: operations } = file.operations
  return {
    slug,
    digest: requestsDigest(file),
    operations,
    found: operations - read.length,
    read: read.map((one) => one.slug),
  }
}

function isStated(operation: StatedOperation, texts: readonly string[]): boolean {
  if (texts.length === 0) return false
  const whole = texts.join('\n')
  if (operation.graphql !== undefined)
    return rootFields(operation.graphql).every((field) => new RegExp(`\\b${field}\\b`).test(whole))
  const [method = '', path = ''] = operation.request.split(' ')
  const { query, body } = operation.fixed ?? {}
  const values = Object.values({ ...query, ...body }).filter((value) => typeof value === 'string')
  return (
    values.every((value) => value.includes('{') || whole.includes(value)) &&
    texts.some((text) => findRequest(text, method, path, whole) === 'request')
  )
}

function rootFields(text: string): string[] {
  const [definition] = parse(text).definitions
  if (definition?.kind !== 'OperationDefinition') return []
  return definition.selectionSet.selections.flatMap((one) => (one.kind === 'Field' ? one.name.value : []))
}
