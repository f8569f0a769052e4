/**
 * Many callers, one statement: a load that arrives while another is on its way waits and goes with everything that waits beside it.
 * Every answer is read after the call was made, so nothing is cached and nothing is stale; only round trips are shared.
 *
 * @param load answers one result a key, in the order of the keys
 * @param max keys a statement
 */
export function coalesce<K, R>(load: (keys: readonly K[]) => Promise<readonly R[]>, max = 200): (key: K) => Promise<R> {
  interface Waiting { key: K, resolve: (result: R) => void, reject: (error: unknown) => void }
  let queue: Waiting[] = []
  let underWay = 0
  // Two statements in flight keep both sides busy: one is answered while the next is collected.
  const MOST_IN_FLIGHT = 2

  async function flush(): Promise<void> {
    const batch = queue.splice(0, max)
    if (!batch.length) return
    underWay++
    try {
      const results = await load(batch.map(({ key }) => key))
      batch.forEach(({ resolve }, i) => resolve(results[i] as R))
    } catch (error) {
      for (const { reject } of batch) reject(error)
    } finally {
      underWay--
      if (queue.length) void flush()
    }
  }

  return (key) => new Promise((resolve, reject) => {
    queue.push({ key, resolve, reject })
    // Collected for the rest of this turn of the event loop, so that calls parsed from one read go together.
    if (queue.length === 1 && underWay < MOST_IN_FLIGHT) setImmediate(() => { if (underWay < MOST_IN_FLIGHT) void flush() })
  })
}
