/** Requests to replace the processes of this server. */
export interface RestartRequests {
  /** Calls `restart` for each request, and at once if there was one before. */
  onRequest(restart: () => void): void
}

/**
 * Collects requests from the start of the process on. A signal without a listener would end the process, so the
 * listener is there before the server is; a request during the start is fulfilled after it.
 * @param subscribe receives the listener of the signal
 */
export function collectRestartRequests(subscribe: (listener: () => void) => void): RestartRequests {
  let restart: (() => void) | undefined
  let isRequested = false
  subscribe(() => {
    if (restart) restart()
    else isRequested = true
  })
  return {
    onRequest(next) {
      restart = next
      if (isRequested) next()
      isRequested = false
    },
  }
}
