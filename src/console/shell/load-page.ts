import { checkReachability, isReachable } from '../api/reachability.ts'

/**
 * Loads the code of a page. While the server does not respond, it waits, and the shell says so. If the server responds
 * and the code still cannot be loaded, a new release has other files: the error boundary then offers to reload.
 */
export async function loadPage<T>(load: () => Promise<T>): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await load()
    } catch (error) {
      await checkReachability()
      if (isReachable.get() && failures > 0) throw error
      await untilReachable()
    }
  }
}

function untilReachable(): Promise<void> {
  if (isReachable.get()) return Promise.resolve()
  return new Promise((resolve) => {
    const stop = isReachable.subscribe(() => {
      if (!isReachable.get()) return
      stop()
      resolve()
    })
  })
}
