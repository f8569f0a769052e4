import { runInSlices } from '../../platform/http/turns/run-in-slices.ts'
import { prepareTranslation } from './query/translate.ts'
import { verbSpelling } from './query/written-verbs.ts'
import { wordVectors } from './tool-search.ts'

let preparing: Promise<void> | undefined

/** Waits until what the first query of the process needs is prepared, whatever its catalogue is. */
export const queriesReady = (): Promise<void> => (preparing ??= runInSlices(prepareQueries()))

/** Prepares dictionaries and word vectors, which takes 50 ms in one piece. A process that never searches has neither. */
export function* prepareQueries(): Generator<void, void> {
  wordVectors()
  yield
  verbSpelling()
  yield
  yield* prepareTranslation()
}
