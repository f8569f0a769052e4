import { Worker } from 'node:worker_threads'

/**
 * Work of one kind for worker threads. Each thread processes one piece at a time. `onDone` receives the
 * results one after the other.
 */
export interface ThreadWork<Piece, Answer> {
  /** The script of each thread. It receives a piece as a message, and replies with one. */
  readonly script: URL
  readonly heapMb: number
  /** Returns the message for a piece; default: the piece. */
  readonly message?: (piece: Piece) => Promise<unknown>
  readonly onDone: (answer: Answer, piece: Piece) => Promise<void>
  /** The thread ended with the piece, because of too little memory or a defect. Other threads continue. */
  readonly onCrash: (error: unknown, piece: Piece) => void
}

const YOUNG_MB = 32

/**
 * Processes a list with several threads, until it is empty or `signal` fires. Pieces in progress are
 * finished.
 */
export async function runInThreads<Piece, Answer>(
  list: Piece[],
  threads: number,
  work: ThreadWork<Piece, Answer>,
  signal: AbortSignal,
): Promise<void> {
  await Promise.all(
    Array.from({ length: Math.min(threads, list.length) }, () => runThread(list, work, signal)),
  )
}

async function runThread<Piece, Answer>(
  list: Piece[],
  work: ThreadWork<Piece, Answer>,
  signal: AbortSignal,
): Promise<void> {
  let worker: Worker | undefined
  try {
    for (let piece = list.shift(); piece !== undefined && !signal.aborted; piece = list.shift()) {
      const message = work.message ? await work.message(piece) : piece
      worker ??= new Worker(work.script, {
        resourceLimits: { maxOldGenerationSizeMb: work.heapMb, maxYoungGenerationSizeMb: YOUNG_MB },
      })
      const answer = await requestFrom<Answer>(worker, message).catch((error: unknown) => {
        worker = undefined
        work.onCrash(error, piece!)
        return undefined
      })
      if (answer !== undefined) await work.onDone(answer, piece)
    }
  } finally {
    await worker?.terminate()
  }
}

function requestFrom<Answer>(worker: Worker, message: unknown): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const onExit = (code: number) => reject(new Error(`the thread ended with ${code}`))
  worker.once('message', resolve).once('error', reject).once('exit', onExit)
  worker.postMessage(message)
  return promise.finally(() => worker.off('message', resolve).off('error', reject).off('exit', onExit))
}
