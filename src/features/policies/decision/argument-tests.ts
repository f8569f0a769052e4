import { compileCondition, compilePath } from '../../../catalog/index.ts'
import type { ArgumentTest } from '../../../contract/policies.ts'
import { isListed, listOf, recipientsOf } from './recipients.ts'
import { allOf, forEvery, type Sure, sure } from './three-valued-logic.ts'

export type ArgumentsTest = (args: Readonly<Record<string, unknown>>) => Sure

/** Values at one path; of more it cannot be told which counts. */
const VALUES_MAX = 1_000
const NUMBER = /^\s*[+-]?\d{1,30}(\.\d{1,30})?\s*$/
const TESTS = ['equals', 'one_of', 'contains', 'exists', 'above', 'below', 'outside', 'within'] as const

/** Compiles a test of an argument. Where several values stand at its path, each is looked at. @throws SyntaxError for what is no path, or says nothing */
export function compileArgumentTest(given: ArgumentTest): ArgumentsTest {
  if (!TESTS.some((name) => given[name] !== undefined))
    throw new SyntaxError(`\`${given.path}\` needs one of ${TESTS.join(', ')}.`)
  const read = valuesAt(given.path)
  const ofValue = valueTests(given)
  return (args) => {
    const values = read(args)
    if (!values) return 'maybe'
    if (given.exists !== undefined && values.length > 0 !== given.exists) return 'no'
    // A value that is not there is neither above nor outside of anything.
    if (values.length === 0) return sure(ofValue.length === 0)
    return allOf(ofValue.map((test) => forEvery(values.map(test))))
  }
}

/** Reads every value of a path in which `[]` stands for each item of a list; a list at the end is its items too. Undefined: too many. */
function valuesAt(path: string): (args: unknown) => readonly unknown[] | undefined {
  const steps = path
    .split('[]')
    .map((piece) => piece.replace(/^\./, ''))
    .map((piece, at) => (piece === '' && at > 0 ? undefined : compilePath(piece)))
  return (args) => {
    let values: unknown[] = [args]
    for (const read of steps) {
      values = flat(read ? values.map(read) : values)
      if (values.length > VALUES_MAX) return undefined
    }
    return values
  }
}

/** Lists as their items, however deep, and nothing for what is not there. */
function flat(values: readonly unknown[]): unknown[] {
  const found: unknown[] = []
  const waiting = values.toReversed()
  while (waiting.length > 0 && found.length <= VALUES_MAX) {
    const value = waiting.pop()
    if (Array.isArray(value)) for (let at = value.length - 1; at >= 0; at--) waiting.push(value[at])
    else if (value !== undefined && value !== null) found.push(value)
  }
  return found
}

function valueTests({
  equals,
  one_of,
  contains,
  above,
  below,
  outside,
  within,
}: ArgumentTest): ((value: unknown) => Sure)[] {
  const tests: ((value: unknown) => Sure)[] = []
  if (equals !== undefined || one_of !== undefined || contains !== undefined) {
    const holds = compileCondition({
      body: {
        path: '$',
        ...(equals === undefined ? {} : { equals }),
        ...(one_of === undefined ? {} : { one_of }),
        ...(contains === undefined ? {} : { contains }),
      },
    })
    tests.push((value) => sure(holds({ status: 0, headers: {}, body: value })))
  }
  if (above !== undefined) tests.push(numeric((number) => number > above))
  if (below !== undefined) tests.push(numeric((number) => number < below))
  for (const [parties, isWithin] of [
    [outside, false],
    [within, true],
  ] as const) {
    if (!parties) continue
    const list = listOf(parties)
    tests.push((value) =>
      forEvery(recipientsOf(value)?.map((one) => sure(isListed(list, one) === isWithin)) ?? ['maybe']),
    )
  }
  return tests
}

/** What is no number may be read as any. */
const numeric =
  (holds: (number: number) => boolean) =>
  (value: unknown): Sure => {
    const number =
      typeof value === 'number'
        ? value
        : typeof value === 'string' && NUMBER.test(value)
          ? Number(value)
          : Number.NaN
    return Number.isNaN(number) ? 'maybe' : sure(holds(number))
  }
