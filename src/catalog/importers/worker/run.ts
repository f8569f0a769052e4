import { AsyncResource } from 'node:async_hooks'
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { currentTurn } from '../../../platform/http/turns/request-turns.ts'
import { nextPortion } from '../../../platform/http/turns/run-in-slices.ts'
import { BOUNDS } from '../bounds.ts'
import type { ImportSource } from '../import-source.ts'
import type { ImportOptions } from '../imported.ts'
import { ImportRejected } from '../import-rejected.ts'
import type { ImportContext } from './import-with-former-slugs.ts'
import { type PreparedOutcome, Unreachable, type WorkerMessage, type WorkerRequest } from './messages.ts'
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

/** What an import process requests from the server. The message of what `fetchText` throws is shown to the client. */
export type ImportServer = ImportContext

/**
 * Imports a document in a separate process, and prepares a version of the toolkit there. A crash does not stop the
 * server: a thread that runs out of memory while parsing JSON ends the whole process. The process has no environment
 * variables, is killed when it takes too much time or memory, and has access to the network and to the database only
 * through `server`.
 * @throws ImportRejected, Unreachable, and an Error for a fault of the importer
 */
export async function importInWorker(
  source: ImportSource,
  options: ImportOptions,
  server: ImportServer,
  { timeMs = TIME_MS_MAX, memoryMb = MEMORY_MB_MAX, signal }: ApartLimits = {},
): Promise<PreparedOutcome> {
  await nextPortion(currentTurn())
  const end = Promise.withResolvers<PreparedOutcome>()
  const timer = setTimeout(() => end.reject(tooSlow(timeMs)), timeMs)
  const stop = () => end.reject(new Error('The client disconnected.'))
  signal?.addEventListener('abort', stop, { once: true })
  if (signal?.aborted) stop()
  let isDone = false
  const child = startImportProcess(
    { memoryMb, env: compileCacheEnvironment() },
    {
      onMessage(message) {
        if ('ask' in message) return void reply(message)
        isDone = true
        if ('outcome' in message) end.resolve(message.outcome)
        else end.reject(errorOf(message))
      },
      onFailure: (reason) => end.reject(new Error(`The import process failed: ${reason}`)),
      onExit: (exit) => end.reject(exitError(exit, memoryMb)),
    },
  )
  // Messages of the process arrive outside the request, whose project the database requires.
  const reply = AsyncResource.bind(replyTo(child, server, (error) => end.reject(error)))
  try {
    child.send({ source: withSharedBytes(source), options })
    return await end.promise
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
    child.end(isDone ? 'disconnect' : 'kill')
  }
}

/** A message to a thread copies bytes several times, which takes 5 ms for two megabytes, unless they are shared. */
function withSharedBytes({ bytes, ...source }: ImportSource): ImportSource {
  if (!bytes) return source
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length))
  shared.set(bytes)
  return { ...source, bytes: shared }
}

/**
 * Returns a function that replies to requests of the import process, up to a number of documents.
 * @param fail receives why the previous version could not be read, which is not for the client
 */
function replyTo(
  child: ImportProcess,
  { fetchText, readPrevious }: ImportServer,
  fail: (error: unknown) => void,
) {
  let count = 0
  return async (request: WorkerRequest): Promise<void> => {
    const { ask } = request
    if ('toolkit' in request)
      return readPrevious(request.toolkit).then((found) => child.send({ ask, found }), fail)
    count++
    try {
      if (count > FETCHES_MAX) throw new Error('The document refers to too many other documents.')
      child.send({ ask, found: await fetchText(request.address, request.json) })
    } catch (error) {
      child.send({ ask, failure: (error as Error).message })
    }
  }
}

function errorOf(message: Exclude<WorkerMessage, WorkerRequest | { outcome: object }>): Error {
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
