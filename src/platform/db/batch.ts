import { currentScope, joinScopes, type ProjectScope, runInScope } from './project-scope.ts'

/** How long to wait for more calls, in ms, if the previous batch had several. */
const GATHER_MS = 1

/**
 * Combines many calls into one statement. A call that arrives while a statement is in progress waits, and is
 * sent with all others that wait. Every result is read after its call, so nothing is cached or stale; only
 * round trips are shared. Single calls are sent at once. After a batch of several calls, the next one waits
 * for a moment, because a statement costs far more than a key in it. `dataloader` without its cache does the
 * same, but without this wait.
 * The statement runs in the projects of all its calls.
 *
 * @param load returns one result for each key, in the order of the keys
 * @param max keys in a statement
 */
export function batchCalls<K, R>(
  load: (keys: readonly K[]) => Promise<readonly R[]>,
  max = 200,
): (key: K) => Promise<R> {
  interface Waiting {
    key: K
    scope: ProjectScope
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
      const results = await runInScope(joinScopes(batch.map(({ scope }) => scope)), () =>
        load(batch.map(({ key }) => key)),
      )
      if (results.length !== batch.length)
        throw new Error(`${batch.length} keys were loaded and ${results.length} results were returned.`)
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
    // At least until the end of this turn of the event loop, so that calls from one network read are
    // combined.
    if (crowded && queue.length < max) setTimeout(flush, GATHER_MS)
    else setImmediate(flush)
  }

  return (key) =>
    new Promise((resolve, reject) => {
      queue.push({ key, scope: currentScope(), resolve, reject })
      if (!busy) schedule()
    })
}
