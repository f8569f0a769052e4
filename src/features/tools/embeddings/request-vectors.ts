import { createCache } from '../../../platform/cache.ts'
import { type RequestVector, requestVector } from '../../../catalog/index.ts'
import type { EmbeddingModel } from '../../../platform/llm/index.ts'
import type { Logger } from '../../../platform/log.ts'
import { withTimeout } from '../../../platform/timeout.ts'

/** A search waits this long for the vector of its request, and then continues without it. */
const WAIT_MS = 700
/** A vector that is late is cached for the next search with the same request. */
const TIMEOUT_MS = 10_000
/** So long no request is sent after one that failed or was late. */
const PAUSE_MS = 30_000
const CACHED_MAX = 1_000
const TEXT_CHARS_MAX = 1_000

export interface RequestVectorDeps {
  readonly model: EmbeddingModel
  readonly log: Logger
  /** Default 700. */
  readonly waitMs?: number | undefined
}

/** Returns the vector of a request; undefined if the model is down or slow. Never throws. */
export type RequestVectorOf = (text: string) => Promise<RequestVector | undefined>

/** Creates a reader of request vectors with a cache. */
export function createRequestVectors({ model, log, waitMs = WAIT_MS }: RequestVectorDeps): RequestVectorOf {
  const cached = createCache<string, RequestVector>({ max: CACHED_MAX })
  const pending = new Map<string, Promise<RequestVector | undefined>>()
  let pausedUntil = 0

  function pause(reason: string, error?: unknown): void {
    if (performance.now() < pausedUntil) return
    pausedUntil = performance.now() + PAUSE_MS
    log.warn({ err: error }, `${reason}; searches use words only for ${PAUSE_MS / 1_000} s`)
  }

  async function embed(text: string): Promise<RequestVector | undefined> {
    try {
      const [values] = await model.embed([text], { timeoutMs: TIMEOUT_MS })
      const vector = requestVector(values!)
      cached.set(text, vector)
      return vector
    } catch (error) {
      pause('the embedding model failed', error)
      return undefined
    } finally {
      pending.delete(text)
    }
  }

  return async (request) => {
    const text = request.slice(0, TEXT_CHARS_MAX).trim()
    const known = cached.get(text)
    if (known || text === '') return known
    if (performance.now() < pausedUntil) return undefined
    let work = pending.get(text)
    if (!work) pending.set(text, (work = embed(text)))
    return withTimeout(work, waitMs, () => {
      pause(`the embedding model did not respond within ${waitMs} ms`)
      return undefined
    })
  }
}
