import { batchCalls } from '../db/batch.ts'
import { DatabaseUnavailable } from '../db/errors.ts'

type Settled<Stored> = { readonly stored: Stored } | { readonly error: unknown }

/**
 * Stores results together that arrive while the write before is in progress, up to `max` in one statement. If
 * a batch fails, its results are written one by one, so that one of them cannot reject the others. `write`
 * returns one value for each result, in the same order.
 */
export function createBatchedWriter<Result, Stored>(
  write: (results: readonly Result[]) => Promise<readonly Stored[]>,
  max: number,
): (result: Result) => Promise<Stored> {
  const settle = (results: readonly Result[]): Promise<readonly Settled<Stored>[]> =>
    write(results).then((all) => all.map((stored) => ({ stored })))
  const settleEach = (results: readonly Result[]): Promise<readonly Settled<Stored>[]> =>
    Promise.all(
      results.map((result) =>
        settle([result]).then(
          ([one]) => one!,
          (error: unknown) => ({ error }),
        ),
      ),
    )
  const add = batchCalls<Result, Settled<Stored>>(
    (results) =>
      settle(results).catch((error: unknown) => {
        if (results.length === 1 || error instanceof DatabaseUnavailable)
          return results.map(() => ({ error }))
        return settleEach(results)
      }),
    { max },
  )
  return async (result) => {
    const settled = await add(result)
    if ('error' in settled) throw settled.error
    return settled.stored
  }
}
