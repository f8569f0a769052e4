import { runInSlices } from './run-in-slices.ts'

/** A shorter list is mapped at once. */
const LONG_LIST_MIN = 50

/** Returns the results for all items of a list. A long one is mapped in slices, so that other requests do not wait. */
export const mapInSlices = <T, R>(list: readonly T[], map: (item: T) => R): R[] | Promise<R[]> =>
  list.length < LONG_LIST_MIN ? list.map(map) : runInSlices(mapInPieces(list, map))

function* mapInPieces<T, R>(list: readonly T[], map: (item: T) => R): Generator<void, R[]> {
  const results: R[] = []
  for (const item of list) {
    results.push(map(item))
    yield
  }
  return results
}
