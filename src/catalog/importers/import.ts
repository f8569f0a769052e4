import { BOUNDS } from './bounds.ts'
import type { Json } from './json.ts'
import { convert, type Imported, importedFrom, type ImportOptions } from './openapi/convert.ts'
import { readCollection } from './postman/read.ts'
import { readDocument } from './openapi/read-document.ts'
import { references } from './openapi/references.ts'
import { Refused } from './import-rejected.ts'

/**
 * Gets the text behind an address: the server's guarded way out, never a plain client, because the addresses are the document's. With `json`, it is posted.
 * It throws for what it will not or cannot get.
 */
export type FetchText = (address: string, json?: string) => Promise<string>

/**
 * Imports the text of an OpenAPI 3.0, 3.1 or Swagger 2 document, JSON or YAML. With `fetchText`, references to other documents are followed, at most
 * `BOUNDS.documents` of them; without it, operations that need one are refused. All or nothing: what is answered is complete, with a report. @throws Refused
 */
export async function importOpenApi(
  source: string,
  options: ImportOptions = {},
  fetchText?: FetchText,
): Promise<Imported> {
  const root = readDocument(source)
  const fetched = new Map<string, Json>()
  const failed = new Set<string>()
  for (let round = 0; ; round++) {
    const result = attempt(() => convert(root, options, fetched))
    const missingUrls = [...missingOf(result)].filter((address) => !failed.has(address))
    if (!fetchText || missingUrls.length === 0 || round === BOUNDS.rounds) return finished(result)
    for (const address of missingUrls) {
      if (fetched.size + failed.size >= BOUNDS.documents)
        throw new Refused(
          'external_reference',
          `The document refers to more than ${BOUNDS.documents} others. Bundle them into one.`,
        )
      try {
        fetched.set(address, readDocument(await fetchText(address)))
      } catch {
        // Told as the reference that leads nowhere; why it could not be got may be what somebody is after.
        failed.add(address)
      }
    }
  }
}

type Result = ReturnType<typeof convert> | Refused

/** A document may be nothing but references; then what is missing decides whether there is more to say. */
function attempt(run: () => ReturnType<typeof convert>): Result {
  try {
    return run()
  } catch (error) {
    if (error instanceof Refused) return error
    throw error
  }
}

const missingOf = (result: Result): Iterable<string> =>
  result instanceof Refused ? result.missing : result.missing

function finished(result: Result): Imported {
  if (result instanceof Refused) throw result
  return result.imported
}

/** Imports a Postman collection of version 2.0 or 2.1. @throws Refused */
export function importPostman(source: string, options: ImportOptions = {}): Imported {
  const root = readDocument(source)
  const { model, notes } = readCollection(root, references(root, '', new Map()))
  return importedFrom(model, options, notes)
}
