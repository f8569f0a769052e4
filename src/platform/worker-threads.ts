import { Worker } from 'node:worker_threads'

/** Work of one kind for threads. A piece is done by one of them at a time, and what it answers is given to `onDone`, one after the other. */
export interface ThreadWork<Piece, Answer> {
  /** Of the script that each thread runs: it takes a piece as a message and answers with one. */
  readonly script: URL
  readonly heapMb: number
  /** What the thread is told of a piece; by default the piece itself. */
  readonly message?: (piece: Piece) => Promise<unknown>
  readonly onDone: (answer: Answer, piece: Piece) => Promise<void>
  /** The thread died with the piece: out of memory, or a fault of ours. The others go on. */
  readonly onCrash: (error: unknown, piece: Piece) => void
}

const YOUNG_MB = 32

/** Works through a list from its front with so many threads, until it is empty or `signal` fires: then what is under way is still finished. */
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
