/** How long a load under way elsewhere may be waited for, in ms, so that more go together. */
const GATHER_MS = 1

/**
 * Many callers, one statement: a load that arrives while another is on its way waits and goes with everything that waits beside it.
 * Every answer is read after the call was made, so nothing is cached and nothing is stale; only round trips are shared. While calls come
 * one by one each goes at once; as soon as two have met, the next gather for a moment, because a statement costs far more than a key in it.
 *
 * @param load answers one result a key, in the order of the keys
 * @param max keys a statement
 */
export function batchCalls<K, R>(
  load: (keys: readonly K[]) => Promise<readonly R[]>,
  max = 200,
): (key: K) => Promise<R> {
  interface Waiting {
    key: K
    resolve: (result: R) => void
    reject: (error: unknown) => void
  }
  let queue: Waiting[] = []
  let busy = false
  let crowded = false

  async function flush(): Promise<void> {
    const batch = queue.splice(0, max)
    crowded = batch.length > 1
    try {
      const results = await load(batch.map(({ key }) => key))
      if (results.length !== batch.length)
        throw new Error(`${batch.length} keys were loaded and ${results.length} answers came back.`)
      batch.forEach(({ resolve }, i) => resolve(results[i] as R))
    } catch (error) {
      for (const { reject } of batch) reject(error)
    } finally {
      busy = false
      if (queue.length) schedule()
    }
  }

  function schedule(): void {
    busy = true
    // The rest of this turn of the event loop at least: calls parsed from one read go together.
    if (crowded && queue.length < max) setTimeout(flush, GATHER_MS)
    else setImmediate(flush)
  }

  return (key) =>
    new Promise((resolve, reject) => {
      queue.push({ key, resolve, reject })
      if (!busy) schedule()
    })
}
