import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { currentTurn } from '../../../platform/http/turns/request-turns.ts'
import { nextPortion } from '../../../platform/http/turns/run-in-slices.ts'
import { BOUNDS } from '../bounds.ts'
import type { ImportSource } from '../import-source.ts'
import type { FetchText } from '../import.ts'
import type { ToolManifest } from '../../manifest/format/index.ts'
import type { ImportOptions } from '../imported.ts'
import { ImportRejected } from '../import-rejected.ts'
import { type CheckedOutcome, type WorkerMessage, Unreachable } from './messages.ts'
import { type ImportProcess, type ProcessExit, startImportProcess } from './process-thread.ts'

export interface ApartLimits {
  /** Limit for the whole import, including what it fetches. Default 40,000. */
  readonly timeMs?: number
  /** Size of the heap. Default 768. */
  readonly memoryMb?: number
  readonly signal?: AbortSignal
}

const TIME_MS_MAX = 40_000
const MEMORY_MB_MAX = 768
/** The document, the documents it refers to, and the introspection queries of a GraphQL server. */
const FETCHES_MAX = BOUNDS.documents + 5

/**
 * Imports a document in a separate process, so that a crash does not stop the server: a thread that runs out
 * of memory while parsing JSON ends the whole process. The process has no environment variables, is killed
 * when it takes too much time or memory, and has network access only through `fetchText`, which runs in the
 * server; the message of what that throws is shown to the client.
 * @throws ImportRejected, Unreachable, and an Error for a fault of the importer
 */
export async function importInWorker(
  source: ImportSource,
  options: ImportOptions,
  fetchText: FetchText,
  { timeMs = TIME_MS_MAX, memoryMb = MEMORY_MB_MAX, signal }: ApartLimits = {},
): Promise<CheckedOutcome> {
  const turn = currentTurn()
  await nextPortion(turn)
  const end = Promise.withResolvers<CheckedOutcome>()
  const timer = setTimeout(() => end.reject(tooSlow(timeMs)), timeMs)
  const stop = () => end.reject(new Error('The client disconnected.'))
  signal?.addEventListener('abort', stop, { once: true })
  if (signal?.aborted) stop()
  let isDone = false
  const tools: ToolManifest[] = []
  const faults = new Map<string, string>()
  const child = startImportProcess(
    { memoryMb, env: compileCacheEnvironment() },
    {
      onMessage(message) {
        if ('ask' in message) return void serveFetch(message)
        if ('tools' in message) {
          tools.push(...message.tools)
          for (const [at, fault] of message.faults.entries())
            if (fault !== undefined) faults.set(message.tools[at]!.slug, fault)
          return void requestMore()
        }
        isDone = true
        if ('outcome' in message) {
          const { kind, imported } = message.outcome
          end.resolve({ kind, imported: { ...imported, tools }, faults })
        } else end.reject(errorOf(message))
      },
      onFailure: (reason) => end.reject(new Error(`The import process failed: ${reason}`)),
      onExit: (exit) => end.reject(exitError(exit, memoryMb)),
    },
  )
  const serveFetch = fetchServer(child, fetchText)
  // A turn of the event loop reads all messages that have arrived, so that the worker sends one at a time.
  const requestMore = async () => {
    await nextPortion(turn)
    child.send({ more: true })
  }
  try {
    child.send({ source, options })
    return await end.promise
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
    child.end(isDone ? 'disconnect' : 'kill')
  }
}

/** Returns a function that fetches a document for the import process, up to a number of documents. */
function fetchServer(child: ImportProcess, fetchText: FetchText) {
  let count = 0
  return async ({ ask, address, json }: Extract<WorkerMessage, { ask: number }>): Promise<void> => {
    count++
    try {
      if (count > FETCHES_MAX) throw new Error('The document refers to too many other documents.')
      child.send({ ask, text: await fetchText(address, json) })
    } catch (error) {
      child.send({ ask, failure: (error as Error).message })
    }
  }
}

function errorOf(
  message: Extract<WorkerMessage, { refused: object } | { unreachable: string } | { broken: string }>,
): Error {
  if ('refused' in message) return new ImportRejected(message.refused.why, message.refused.reason)
  return 'unreachable' in message
    ? new Unreachable(message.unreachable)
    : new Error(`The import failed: ${message.broken}`)
}

/** V8 aborts (code 134) when the heap is full; the system kills a process when the memory is used up. */
function exitError({ code, killedBy }: ProcessExit, memoryMb: number): Error {
  return killedBy !== null || code === 134
    ? new ImportRejected(
        'too_large',
        `The import takes more than ${memoryMb} MB of memory. Split the document by the areas of the API.`,
      )
    : new Error(`The import process ended with code ${code} and without a result.`)
}

function tooSlow(timeMs: number): ImportRejected {
  return new ImportRejected(
    'too_slow',
    `The import takes longer than ${timeMs / 1_000} seconds. Give a smaller document, or one without ` +
      'references to others.',
  )
}

/**
 * Shares the compile cache of this process, which saves half a second of CPU time per import. No other
 * environment variable is passed.
 */
function compileCacheEnvironment(): Record<string, string> {
  const directory = getCompileCacheDir()
  return directory === undefined ? {} : { NODE_COMPILE_CACHE: dirname(directory) }
}
