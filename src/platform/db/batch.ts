import { currentScope, joinScopes, type ProjectScope, runInScope } from './project-scope.ts'

/** How long calls are gathered at most, in ms. */
const GATHER_MS = 1
/** Calls are gathered until so many turns of the event loop in a row bring none. */
const QUIET_TURNS = 2

/**
 * Calls `run` with the calls that arrive until then. A single call is sent at the end of this turn of the event loop.
 * After a batch of several calls, calls are gathered while they keep arriving, because a round trip costs far more than
 * a call in it: a busy process sends large batches, and few callers do not wait for nothing.
 * @param previous number of calls in the previous batch
 * @param waiting returns the number of calls that wait
 */
export function gatherCalls(
  previous: number,
  waiting: () => number,
  run: () => void,
  maxMs = GATHER_MS,
): void {
  if (previous <= 1) return void setImmediate(run)
  const endsAt = performance.now() + maxMs
  let seen = waiting()
  let quietTurns = 0
  const turn = () => {
    const count = waiting()
    quietTurns = count > seen ? 0 : quietTurns + 1
    seen = count
    if (quietTurns >= QUIET_TURNS || performance.now() >= endsAt) run()
    else setImmediate(turn)
  }
  setImmediate(turn)
}

export interface BatchOptions {
  /** Keys in a statement. Default 200. */
  max?: number
  /** How long keys are gathered at most, in ms. Default 1. */
  gatherMs?: number
}

/**
 * Combines many calls into one statement. A call that arrives while a statement is in progress waits, and is
 * sent with all others that wait. Every result is read after its call, so nothing is cached or stale; only
 * round trips are shared. Single calls are sent at once. `dataloader` without its cache does the same, but without the
 * wait of `gatherCalls`.
 * The statement runs in the projects of all its calls.
 *
 * @param load returns one result for each key, in the order of the keys
 */
export function batchCalls<K, R>(
  load: (keys: readonly K[]) => Promise<readonly R[]>,
  { max = 200, gatherMs }: BatchOptions = {},
): (key: K) => Promise<R> {
  interface Waiting {
    key: K
    scope: ProjectScope
    resolve: (result: R) => void
    reject: (error: unknown) => void
  }
  let queue: Waiting[] = []
  let busy = false
  let previous = 0

  async function flush(): Promise<void> {
    const batch = queue.splice(0, max)
    previous = batch.length
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
    gatherCalls(queue.length < max ? previous : 0, () => queue.length, flush, gatherMs)
  }

  return (key) =>
    new Promise((resolve, reject) => {
      queue.push({ key, scope: currentScope(), resolve, reject })
      if (!busy) schedule()
    })
}
