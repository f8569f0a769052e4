import { ApiFailure, readFailure } from './failure.ts'
import { waitForRateLimit } from './rate-limit.ts'
import { checkReachability, checkUnavailable } from './reachability.ts'
import { trackSlowness } from './slow-requests.ts'

const REPEATS_MAX = 5
/** Longer waits are not waited for: the error says how long. */
const WAIT_SECONDS_MAX = 120
/** For a proxy that rejects requests as too many without saying when they are accepted. */
const WAIT_SECONDS_DEFAULT = 5
const TIMEOUT_MS = 70_000

/**
 * Sends one request of the console. Slow responses are shown by the shell, and so is a server that does not respond.
 * @throws ApiFailure
 */
export async function fetchFrom(
  url: string,
  init: RequestInit,
  signal?: AbortSignal,
  timeoutMs = TIMEOUT_MS,
): Promise<Response> {
  const timeout = AbortSignal.timeout(timeoutMs)
  let response: Response
  try {
    response = await trackSlowness(
      fetch(url, {
        ...init,
        credentials: 'same-origin',
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      }),
    )
  } catch (error) {
    if (signal?.aborted) throw error
    void checkReachability()
    throw timeout.aborted
      ? new ApiFailure('The server did not respond in time.', { fix: 'Try again.' })
      : new ApiFailure('The server cannot be reached.', {
          fix: 'Check that the server runs and that you are online. What you entered is still here.',
        })
  }
  if (response.ok) return response
  checkUnavailable(response.status)
  throw await readFailure(response)
}

/**
 * Sends a request again when the server has rejected it as too many: it was not carried out. The shell shows the wait.
 * @throws ApiFailure
 */
export async function repeatWhenLimited<T>(send: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (let repeats = 0; ; repeats++) {
    try {
      return await send()
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.status !== 429 || repeats >= REPEATS_MAX) throw error
      // An error of the API without a time, such as a budget that is used up, does not end by waiting.
      const seconds = error.retryAfter ?? (error.slug ? Infinity : WAIT_SECONDS_DEFAULT)
      if (seconds > WAIT_SECONDS_MAX) throw error
      await waitForRateLimit(seconds, signal)
    }
  }
}
