import type { ToolExecution } from '../../../../engine/index.ts'

/** One call of a batch. */
export interface Item {
  tool_slug: string
  arguments: Record<string, unknown>
  account?: string | undefined
}

/** What came of it: `response` null when it was not run. */
export interface ItemResult {
  index: number
  tool_slug: string
  response: {
    successful: boolean
    data: Record<string, unknown>
    error: string | null
    log_id: string
  } | null
  error: string | null
}

export interface BatchLimits {
  /** For every item, in ms; all begin at once. */ itemMs: number
  /** Of all answers as JSON. */ bytesMax: number
}

/** The contract's deadline (2.5): with what follows it, below the minute after which clients give up. */
export const BATCH_LIMITS: BatchLimits = { itemMs: 45_000, bytesMax: 32_000_000 }

type Run = (item: Item, signal: AbortSignal) => Promise<ToolExecution | Refused>
/** It was not run, and why; `data` where there is something to go on with, such as a link. */
export interface Refused {
  refused: string
  data?: Record<string, unknown>
  logId?: string
}

/**
 * Runs items beside each other; the results stand in the order of the items, and none waits longer than its time: what is late is aborted and answered as timed out, also when it does not
 * listen. Rejects only when the caller is gone.
 * @param run never throws for what concerns one item
 */
export async function runBatch(
  items: readonly Item[],
  run: Run,
  signal: AbortSignal,
  { itemMs, bytesMax }: BatchLimits = BATCH_LIMITS,
): Promise<ItemResult[]> {
  const late = AbortSignal.timeout(itemMs)
  const stop = AbortSignal.any([signal, late])
  let bytes = 0
  const stopped = Promise.withResolvers<undefined>()
  const onStop = () => stopped.resolve(undefined)
  stop.addEventListener('abort', onStop, { once: true })
  if (stop.aborted) onStop()

  async function one(item: Item, index: number): Promise<ItemResult> {
    const running = run(item, stop)
    // Nobody reads what a late one answers.
    running.catch(() => {})
    const done = await Promise.race([running, stopped.promise])
    const base = { index, tool_slug: item.tool_slug }
    if (!done || stop.aborted)
      return {
        ...base,
        response: null,
        error: `${item.tool_slug} timed out: it was given up after ${Math.round(itemMs / 1_000)} s. Whether it had an effect is not known; look before you repeat it.`,
      }
    if ('refused' in done)
      return {
        ...base,
        response: done.data
          ? { successful: false, data: done.data, error: done.refused, log_id: done.logId ?? '' }
          : null,
        error: done.refused,
      }
    const { data, error, successful, logId } = done
    const size = Buffer.byteLength(JSON.stringify(data))
    if (bytes + size > bytesMax)
      return {
        ...base,
        response: null,
        error: `${item.tool_slug} was run, and its answer left out: the answers together are larger than ${bytesMax / 1_000_000} MB. Read its log ${logId}, or ask for less at once.`,
      }
    bytes += size
    return {
      ...base,
      response: { successful, data, error, log_id: logId },
      error: successful ? null : (error ?? `${item.tool_slug} failed.`),
    }
  }

  try {
    const results = await Promise.all(items.map(one))
    signal.throwIfAborted()
    return results
  } finally {
    stop.removeEventListener('abort', onStop)
  }
}

/** `2 out of 3 tools failed`, in the very words that clients count by. */
export const failuresOf = (results: readonly ItemResult[]): string | null => {
  const failed = results.filter(({ error }) => error !== null).length
  return failed ? `${failed} out of ${results.length} tools failed` : null
}
