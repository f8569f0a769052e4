/** How long a connection waits for its next request. Longer than load balancers wait (60 s). */
export const KEEP_ALIVE_MS = 72_000
