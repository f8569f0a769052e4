import { fork } from 'node:child_process'
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BOUNDS } from '../bounds.ts'
import type { ImportSource, Outcome } from '../import-source.ts'
import type { FetchText } from '../import.ts'
import type { ImportOptions } from '../openapi/convert.ts'
import { ImportRejected } from '../import-rejected.ts'
import { type WorkerMessage, type WorkerRequest, Unreachable, type WorkerInput } from './messages.ts'

export interface ApartLimits {
  /** For the whole import, what it fetches included. Default 40,000. */
  readonly timeMs?: number
  /** Of the heap. Default 768. */
  readonly memoryMb?: number
  readonly signal?: AbortSignal
}

const TIME_MS_MAX = 40_000
const MEMORY_MB_MAX = 768
/** The documents that references lead to, the first one, and the questions to a GraphQL server. */
const FETCHES_MAX = BOUNDS.documents + 5
const END_MS_MAX = 5_000

/**
 * Imports a document in a separate process, so that a crash does not stop the server: a thread that runs out
 * of memory while parsing JSON ends the whole process. It gets no environment, is ended when it takes too
 * much time or memory, and has network access only through `fetchText`, which runs here; the message of what
 * that throws is for the caller. @throws ImportRejected, Unreachable, and an Error for what is our own fault
 */
export async function importInWorker(
  source: ImportSource,
  options: ImportOptions,
  fetchText: FetchText,
  { timeMs = TIME_MS_MAX, memoryMb = MEMORY_MB_MAX, signal }: ApartLimits = {},
): Promise<Outcome> {
  const child = fork(fileURLToPath(new URL('child.ts', import.meta.url)), [], {
    execArgv: [`--max-old-space-size=${memoryMb}`],
    env: compiledBefore(),
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const end = Promise.withResolvers<Outcome>()
  const timer = setTimeout(
    () =>
      end.reject(
        new ImportRejected(
          'too_slow',
          `The import takes longer than ${timeMs / 1_000} seconds. Give a smaller document, or one ` +
            'without references to others.',
        ),
      ),
    timeMs,
  )
  const stop = () => end.reject(new Error('The caller is gone.'))
  signal?.addEventListener('abort', stop, { once: true })
  if (signal?.aborted) stop()
  // Messages to an ended process are dropped; its exit is handled below.
  const send = (message: WorkerInput | WorkerRequest) => {
    if (child.connected) child.send(message, () => {})
  }
  let asked = 0
  let answered = false
  child.on('message', (said: WorkerMessage) => {
    if ('ask' in said) return void answer(said, ++asked > FETCHES_MAX)
    answered = true
    if ('outcome' in said) end.resolve(said.outcome)
    else if ('refused' in said) end.reject(new ImportRejected(said.refused.why, said.refused.reason))
    else
      end.reject(
        'unreachable' in said
          ? new Unreachable(said.unreachable)
          : new Error(`The import failed: ${said.broken}`),
      )
  })
  child.once('error', (cause) => end.reject(new Error('The process of the import failed.', { cause })))
  // V8 aborts when the heap is full; the system kills what takes more than there is.
  child.once('exit', (code, by) =>
    end.reject(
      by !== null || code === 134
        ? new ImportRejected(
            'too_large',
            `The import takes more than ${memoryMb} MB of memory. Split the document by the areas of the API.`,
          )
        : new Error(`The process of the import ended with ${code} and without an answer.`),
    ),
  )

  async function answer(
    { ask, address, json }: Extract<WorkerMessage, { ask: number }>,
    tooMany: boolean,
  ): Promise<void> {
    try {
      send(
        tooMany
          ? { ask, failure: 'The document refers to too many others.' }
          : { ask, text: await fetchText(address, json) },
      )
    } catch (error) {
      send({ ask, failure: (error as Error).message })
    }
  }

  try {
    send({ source, options })
    return await end.promise
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
    child.removeAllListeners('message')
    if (answered && child.connected) leave()
    else child.kill('SIGKILL')
  }

  /** After the disconnect the process exits on its own and saves its compile cache for the next one. */
  function leave(): void {
    const late = setTimeout(() => child.kill('SIGKILL'), END_MS_MAX)
    child.once('exit', () => clearTimeout(late))
    child.disconnect()
  }
}

/**
 * Where this program keeps its compiled code, so that it is not compiled for every import: half a second of
 * the processor. Nothing else goes along.
 */
function compiledBefore(): Record<string, string> {
  const directory = getCompileCacheDir()
  return directory === undefined ? {} : { NODE_COMPILE_CACHE: dirname(directory) }
}
