// One document after the other, as they are handed out; answers what became of each.
import { readFileSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { convert, readDocument, ImportRejected } from '../../src/catalog/importers/index.ts'
import { type Recognized, recognizedIn } from './recognized.ts'
import { unusable } from './usable.ts'

export interface Outcome {
  file: string
  seconds: number
  operations: number
  tools: number
  usable: number
  /** Cause to count and the first example. */
  failures: { cause: string; example: string }[]
  /** Missing for a document that was not imported. */
  recognized?: Recognized
  /** The whole document was rejected, or something broke that must not break. */
  rejected?: string
  crash?: string
}

parentPort!.on('message', (file: string) => {
  const startedAt = performance.now()
  const outcome = attempt(file)
  parentPort!.postMessage({ ...outcome, seconds: (performance.now() - startedAt) / 1_000 })
})

function attempt(file: string): Omit<Outcome, 'seconds'> {
  const nothing = { file, operations: 0, tools: 0, usable: 0, failures: [] }
  try {
    const { imported } = convert(readDocument(readFileSync(file, 'utf8')), {})
    const wrong = unusable(imported)
    const { operations, refused } = imported.report
    return {
      file,
      operations,
      tools: imported.tools.length,
      usable: imported.tools.length - wrong.length,
      recognized: recognizedIn(imported),
      failures: [
        ...refused.map(({ cause, operation, reason }) => ({
          cause: `rejected: ${cause}`,
          example: `${operation}: ${reason}`,
        })),
        ...wrong.map(({ cause, slug, reason }) => ({
          cause: `unusable: ${cause}`,
          example: `${slug}: ${reason}`,
        })),
      ],
    }
  } catch (error) {
    return error instanceof ImportRejected
      ? { ...nothing, rejected: `${error.why}: ${error.message}` }
      : { ...nothing, crash: String((error as Error).stack).slice(0, 1_000) }
  }
}
