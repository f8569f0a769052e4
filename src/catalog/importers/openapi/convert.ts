import { type Json, getOwn, isObject } from '../json.ts'
import type { ImportOptions, Imported } from '../imported.ts'
import { type References, references } from './references.ts'
import { importedFrom } from './build-toolkit.ts'
import { ImportRejected } from '../import-rejected.ts'
import type { ApiModel } from '../model.ts'
import { readSwagger2 } from './read-swagger2.ts'
import { readOpenApi3 } from './read-openapi3.ts'

const FIRST_DIALECT = /^2\./
const THIRD_DIALECT = /^3\.[01](\.|$)/
/** Versions that a lenient import reads as OpenAPI 3.1: other ones of OpenAPI 3, and none. */
const OTHER_DIALECT = /^(3(\.|$)|$)/

/**
 * Converts a parsed document to a toolkit without network access. References to documents that are not in
 * `fetched` are added to `missing`. An operation that cannot be a tool is left out and reported; a document
 * without usable operations is rejected. With `faults`, other faults are added to them, not rejected.
 * @throws ImportRejected
 */
export function convert(
  root: Json,
  options: ImportOptions,
  fetched: ReadonlyMap<string, Json> = new Map(),
  faults: Set<string> | undefined = options.lenient ? new Set() : undefined,
): { imported: Imported; missing: ReadonlySet<string> } {
  const links = references(root, options.address ?? '', fetched)
  try {
    const model = readModel(root, links, options.address ?? '', faults)
    return { imported: importedFrom(model, options, [...(faults ?? [])]), missing: links.missing }
  } catch (error) {
    if (error instanceof ImportRejected) error.missing = links.missing
    throw error
  }
}

/** Reads a document of either dialect. Faults are as in `convert`. @throws ImportRejected */
export function readModel(root: Json, links: References, from: string, faults?: Set<string>): ApiModel {
  const version = String(getOwn(root, 'openapi') ?? getOwn(root, 'swagger') ?? '')
  if (!isObject(getOwn(root, 'paths')))
    throw new ImportRejected(
      version === '' ? 'not_openapi' : 'no_operations',
      version === ''
        ? 'The document has neither `openapi` nor `paths`. Give an OpenAPI 3.0, 3.1 or Swagger 2 document.'
        : 'The document describes no operations: `paths` is missing.',
    )
  const isSwagger = getOwn(root, 'swagger') !== undefined
  if (isSwagger && FIRST_DIALECT.test(version)) return readSwagger2(root, links, from)
  if (THIRD_DIALECT.test(version)) return readOpenApi3(root, links, from)
  const fault = version === '' ? 'no version' : `version ${version.slice(0, 20)}`
  const canBeRead = !isSwagger && OTHER_DIALECT.test(version)
  if (!canBeRead || !faults)
    throw new ImportRejected(
      'not_openapi',
      `The document says ${fault}. OpenAPI 3.0, 3.1 and Swagger 2 are read.` +
        (canBeRead ? ' Import it with `lenient` (--lenient) to read it as OpenAPI 3.1.' : ''),
    )
  faults.add(`The document says ${fault}. It was read as OpenAPI 3.1.`)
  return readOpenApi3(root, links, from)
}
