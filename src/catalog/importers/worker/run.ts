import { type ChildProcess, fork } from 'node:child_process'
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runCharged } from '../../../platform/http/turns/charged-work.ts'
import { currentTurn } from '../../../platform/http/turns/request-turns.ts'
import { nextPortion } from '../../../platform/http/turns/run-in-slices.ts'
import { siblingModule } from '../../../platform/module-url.ts'
import { BOUNDS } from '../bounds.ts'
import type { ImportSource, Outcome } from '../import-source.ts'
import type { FetchText } from '../import.ts'
import type { ToolManifest } from '../../manifest/format/index.ts'
import type { ImportOptions } from '../imported.ts'
import { ImportRejected } from '../import-rejected.ts'
import { type WorkerMessage, type WorkerRequest, Unreachable, type WorkerInput } from './messages.ts'

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
const END_MS_MAX = 5_000

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
): Promise<Outcome> {
  const turn = currentTurn()
  await nextPortion(turn)
  const child = runCharged(() => startProcess(memoryMb), turn)
  const end = Promise.withResolvers<Outcome>()
  const timer = setTimeout(() => end.reject(tooSlow(timeMs)), timeMs)
  const stop = () => end.reject(new Error('The client disconnected.'))
  signal?.addEventListener('abort', stop, { once: true })
  if (signal?.aborted) stop()
  let isDone = false
  const tools: ToolManifest[] = []
  const serveFetch = fetchServer(child, fetchText)
  // A turn of the event loop reads all messages that have arrived, so that the worker sends one at a time.
  const requestMore = async () => {
    await nextPortion(turn)
    send(child, { more: true })
  }
  child.on('message', (message: WorkerMessage) => {
    if ('ask' in message) return void serveFetch(message)
    if ('tools' in message) {
      tools.push(...message.tools)
      return void requestMore()
    }
    isDone = true
    if ('outcome' in message) end.resolve(withTools(message.outcome, tools))
    else end.reject(errorOf(message))
  })
  child.once('error', (cause) => end.reject(new Error('The import process failed.', { cause })))
  child.once('exit', (code, killedBy) => end.reject(exitError(code, killedBy, memoryMb)))
  try {
    send(child, { source, options })
    return await end.promise
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
    child.removeAllListeners('message')
    if (isDone && child.connected) disconnect(child)
    else child.kill('SIGKILL')
  }
}

/** Starts the process. The server waits 10 to 20 ms for it: the system copies the tables of its memory. */
const startProcess = (memoryMb: number): ChildProcess =>
  fork(fileURLToPath(siblingModule(import.meta.url, 'child')), [], {
    execArgv: [`--max-old-space-size=${memoryMb}`],
    env: compileCacheEnvironment(),
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })

const withTools = ({ kind, imported }: Outcome, tools: readonly ToolManifest[]): Outcome => ({
  kind,
  imported: { ...imported, tools },
})

/** Returns a function that fetches a document for the import process, up to a number of documents. */
function fetchServer(child: ChildProcess, fetchText: FetchText) {
  let count = 0
  return async ({ ask, address, json }: Extract<WorkerMessage, { ask: number }>): Promise<void> => {
    count++
    try {
      if (count > FETCHES_MAX) throw new Error('The document refers to too many other documents.')
      send(child, { ask, text: await fetchText(address, json) })
    } catch (error) {
      send(child, { ask, failure: (error as Error).message })
    }
  }
}

/** Messages to a process that ended are dropped; its exit is handled by `importInWorker`. */
function send(child: ChildProcess, message: WorkerInput | WorkerRequest): void {
  if (child.connected) child.send(message, () => {})
}

/** After the disconnect the process exits and saves its compile cache for the next import. */
function disconnect(child: ChildProcess): void {
  const timer = setTimeout(() => child.kill('SIGKILL'), END_MS_MAX)
  child.once('exit', () => clearTimeout(timer))
  child.disconnect()
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
function exitError(code: number | null, killedBy: NodeJS.Signals | null, memoryMb: number): Error {
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
