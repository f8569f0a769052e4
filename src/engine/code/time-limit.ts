import { EgressError } from '../../platform/egress/index.ts'

/**
 * Runs work that ends when its time is up or the client disconnects. Then its signal is aborted, and its result is
 * ignored. @throws EgressError
 */
export async function withTimeLimit<T>(
  leftMs: number | undefined,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (leftMs === undefined) return work(signal)
  const end = Promise.withResolvers<never>()
  const control = new AbortController()
  const stop = (error: EgressError) => {
    control.abort(error)
    end.reject(error)
  }
  const stopLate = () =>
    stop(new EgressError('timeout', 'The tool did not finish within the time limit of the call.'))
  const timer = setTimeout(stopLate, Math.max(0, leftMs))
  const stopDisconnected = () =>
    stop(new EgressError('aborted', 'The client disconnected while the tool ran.'))
  if (signal.aborted) stopDisconnected()
  else signal.addEventListener('abort', stopDisconnected, { once: true })
  end.promise.catch(() => {})
  try {
    return await Promise.race([work(control.signal), end.promise])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stopDisconnected)
  }
}
