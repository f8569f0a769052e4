import type { ToolExecution } from '../../../../engine/index.ts'

/** One call of a batch. */
export interface BatchItem {
  tool_slug: string
  arguments: Record<string, unknown>
  account?: string | undefined
}

/** The result of one call. `response` is null if the call was not made or has no result. */
export interface BatchItemResult {
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
  /** Milliseconds for each item. All items start at once. */
  itemMs: number
  /** Bytes of all results as JSON. */
  bytesMax: number
}

/** The deadline of the contract (2.5). With the work after it, it is below the minute after which clients time out. */
export const BATCH_LIMITS: BatchLimits = { itemMs: 45_000, bytesMax: 32_000_000 }

type RunItem = (item: BatchItem, signal: AbortSignal) => Promise<ToolExecution | RejectedItem>
/** An item that was not run. `data`: what helps to continue, such as a connect link. */
export interface RejectedItem {
  reason: string
  data?: Record<string, unknown>
  logId?: string
}

/**
 * Runs items concurrently and returns the results in the order of the items. An item that is late is aborted and
 * reported as timed out, even if it ignores the abort. Rejects only if the caller disconnects.
 * @param run must not throw for a problem of one item
 */
export async function runBatch(
  items: readonly BatchItem[],
  run: RunItem,
  signal: AbortSignal,
  { itemMs, bytesMax }: BatchLimits = BATCH_LIMITS,
): Promise<BatchItemResult[]> {
  const stop = AbortSignal.any([signal, AbortSignal.timeout(itemMs)])
  const stopped = Promise.withResolvers<undefined>()
  const onStop = () => stopped.resolve(undefined)
  stop.addEventListener('abort', onStop, { once: true })
  if (stop.aborted) onStop()
  let bytes = 0

  async function runOne(item: BatchItem, index: number): Promise<BatchItemResult> {
    const running = run(item, stop)
    // The result of a late item is not used, so its rejection must not be unhandled.
    running.catch(() => {})
    const outcome = await Promise.race([running, stopped.promise])
    const base = { index, tool_slug: item.tool_slug }
    if (!outcome || stop.aborted) return { ...base, response: null, error: timeoutError(item, itemMs) }
    if ('reason' in outcome) return { ...base, ...rejectedResult(outcome) }
    const { data, error, successful, logId } = outcome
    const dataBytes = Buffer.byteLength(JSON.stringify(data))
    if (bytes + dataBytes > bytesMax)
      return { ...base, response: null, error: tooLargeError(item, logId, bytesMax) }
    bytes += dataBytes
    return {
      ...base,
      response: { successful, data, error, log_id: logId },
      error: successful ? null : (error ?? `${item.tool_slug} failed.`),
    }
  }

  try {
    const results = await Promise.all(items.map(runOne))
    signal.throwIfAborted()
    return results
  } finally {
    stop.removeEventListener('abort', onStop)
  }
}

const rejectedResult = ({ reason, data, logId = '' }: RejectedItem) => ({
  response: data ? { successful: false, data, error: reason, log_id: logId } : null,
  error: reason,
})

const timeoutError = ({ tool_slug: slug }: BatchItem, itemMs: number): string =>
  `${slug} timed out after ${Math.round(itemMs / 1_000)} s. ` +
  'It may have had an effect: check before you repeat it.'

const tooLargeError = ({ tool_slug: slug }: BatchItem, logId: string, bytesMax: number): string =>
  `${slug} was run, but its result is left out: the results together are larger than ${bytesMax / 1_000_000} MB. ` +
  `Read its log ${logId}, or request less data at once.`

/** Returns `2 out of 3 tools failed`. Clients parse this text. */
export const failureSummary = (results: readonly BatchItemResult[]): string | null => {
  const failed = results.filter(({ error }) => error !== null).length
  return failed ? `${failed} out of ${results.length} tools failed` : null
}
