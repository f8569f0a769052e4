import { createStore } from './store.ts'

/** After this time a person asks whether anything happens at all. */
const SLOW_MS = 5_000

/** Number of requests that wait for a response for longer than people expect. */
export const slowRequests = createStore(0)

/** Counts a request as slow from some seconds after its start until its end. */
export async function trackSlowness<T>(request: Promise<T>): Promise<T> {
  let isSlow = false
  const timer = setTimeout(() => {
    isSlow = true
    slowRequests.set(slowRequests.get() + 1)
  }, SLOW_MS)
  try {
    return await request
  } finally {
    clearTimeout(timer)
    if (isSlow) slowRequests.set(slowRequests.get() - 1)
  }
}
