import { BOUNDS } from './bounds.ts'
import type { Json } from './json.ts'
import { convert } from './openapi/convert.ts'
import type { Imported, ImportOptions } from './imported.ts'
import { importedFrom } from './openapi/build-toolkit.ts'
import { readCollection } from './postman/read.ts'
import { readDocument } from './openapi/read-document.ts'
import { references } from './openapi/references.ts'
import { ImportRejected } from './import-rejected.ts'

/**
 * Gets the text behind an address: the server's guarded way out, never a plain client, because the addresses
 * are the document's. With `json`, it is posted. It throws for what it will not or cannot get.
 */
export type FetchText = (address: string, json?: string) => Promise<string>

/**
 * Imports the text of an OpenAPI 3.0, 3.1 or Swagger 2 document, JSON or YAML. With `fetchText`, references
 * to other documents are followed, at most `BOUNDS.documents` of them; without it, operations that need one
 * are rejected. The result is complete, with a report, or the import throws. @throws ImportRejected
 */
export async function importOpenApi(
  source: string,
  options: ImportOptions = {},
  fetchText?: FetchText,
): Promise<Imported> {
  const faults = options.lenient ? new Set<string>() : undefined
  const root = readDocument(source, faults)
  const fetched = new Map<string, Json>()
  const failed = new Set<string>()
  for (let round = 0; ; round++) {
    const result = attempt(() => convert(root, options, fetched, faults))
    const missingUrls = [...missingOf(result)].filter((address) => !failed.has(address))
    if (!fetchText || missingUrls.length === 0 || round === BOUNDS.rounds) return finished(result)
    for (const address of missingUrls) {
      if (fetched.size + failed.size >= BOUNDS.documents)
        throw new ImportRejected(
          'external_reference',
          `The document refers to more than ${BOUNDS.documents} others. Bundle them into one.`,
        )
      try {
        fetched.set(address, readDocument(await fetchText(address), faults))
      } catch {
        // Reported as an unknown reference: the cause of the failed fetch could reveal the internal network.
        failed.add(address)
      }
    }
  }
}

type Result = ReturnType<typeof convert> | ImportRejected

/** A document may be nothing but references; then what is missing decides whether there is more to say. */
function attempt(run: () => ReturnType<typeof convert>): Result {
  try {
    return run()
  } catch (error) {
    if (error instanceof ImportRejected) return error
    throw error
  }
}

const missingOf = (result: Result): Iterable<string> =>
  result instanceof ImportRejected ? result.missing : result.missing

function finished(result: Result): Imported {
  if (result instanceof ImportRejected) throw result
  return result.imported
}

/** Imports a Postman collection of version 2.0 or 2.1. @throws ImportRejected */
export function importPostman(source: string, options: ImportOptions = {}): Imported {
  const root = readDocument(source)
  const { model, notes } = readCollection(root, references(root, '', new Map()))
  return importedFrom(model, options, notes)
}
