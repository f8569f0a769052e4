import { compileCondition, compilePath } from '../../../catalog/index.ts'
import type { ArgumentTest } from '../../../contract/policies/index.ts'
import { isListedRecipient, toRecipientSet, parseRecipients } from './recipients.ts'
import { allTrue, unanimous, type Truth, toTruth } from './three-valued-logic.ts'

export type CompiledArgumentTest = (args: Readonly<Record<string, unknown>>) => Truth

/** Values read at one path. With more values the result of a test is `maybe`. */
const VALUES_MAX = 1_000
const NUMBER = /^\s*[+-]?\d{1,30}(\.\d{1,30})?\s*$/
const TESTS = ['equals', 'one_of', 'contains', 'exists', 'above', 'below', 'outside', 'within'] as const

/**
 * Compiles a test of an argument. If its path has several values, each is tested.
 * @throws SyntaxError for an invalid path, or a test without a condition
 */
export function compileArgumentTest(test: ArgumentTest): CompiledArgumentTest {
  if (!TESTS.some((name) => test[name] !== undefined))
    throw new SyntaxError(`\`${test.path}\` needs one of ${TESTS.join(', ')}.`)
  const readValues = compileValueReader(test.path)
  const valueTests = compileValueTests(test)
  return (args) => {
    const values = readValues(args)
    if (!values) return 'maybe'
    if (test.exists !== undefined && values.length > 0 !== test.exists) return 'no'
    // A missing value is neither above a number nor outside a list.
    if (values.length === 0) return toTruth(valueTests.length === 0)
    return allTrue(valueTests.map((testValue) => unanimous(values.map(testValue))))
  }
}

/**
 * Compiles a reader of all values at a path. `[]` in the path means each item of a list; a list at the end of the
 * path is read as its items. The reader returns undefined for more than `VALUES_MAX` values.
 */
function compileValueReader(path: string): (args: unknown) => readonly unknown[] | undefined {
  const steps = path
    .split('[]')
    .map((segment) => segment.replace(/^\./, ''))
    .map((segment, index) => (segment === '' && index > 0 ? undefined : compilePath(segment)))
  return (args) => {
    let values: unknown[] = [args]
    for (const read of steps) {
      values = flattenValues(read ? values.map(read) : values)
      if (values.length > VALUES_MAX) return undefined
    }
    return values
  }
}

/** Flattens nested lists and drops null and undefined. Stops after `VALUES_MAX` + 1 values. */
function flattenValues(values: readonly unknown[]): unknown[] {
  const result: unknown[] = []
  const stack = values.toReversed()
  while (stack.length > 0 && result.length <= VALUES_MAX) {
    const value = stack.pop()
    if (Array.isArray(value)) for (let at = value.length - 1; at >= 0; at--) stack.push(value[at])
    else if (value !== undefined && value !== null) result.push(value)
  }
  return result
}

function compileValueTests({
  equals,
  one_of,
  contains,
  above,
  below,
  outside,
  within,
}: ArgumentTest): ((value: unknown) => Truth)[] {
  const tests: ((value: unknown) => Truth)[] = []
  if (equals !== undefined || one_of !== undefined || contains !== undefined) {
    const matches = compileCondition({
      body: {
        path: '$',
        ...(equals === undefined ? {} : { equals }),
        ...(one_of === undefined ? {} : { one_of }),
        ...(contains === undefined ? {} : { contains }),
      },
    })
    tests.push((value) => toTruth(matches({ status: 0, headers: {}, body: value })))
  }
  if (above !== undefined) tests.push(numberTest((number) => number > above))
  if (below !== undefined) tests.push(numberTest((number) => number < below))
  if (outside) tests.push(recipientTest(outside, false))
  if (within) tests.push(recipientTest(within, true))
  return tests
}

function recipientTest(parties: readonly string[], isWithin: boolean): (value: unknown) => Truth {
  const listed = toRecipientSet(parties)
  return (value) =>
    unanimous(
      parseRecipients(value)?.map((recipient) =>
        toTruth(isListedRecipient(listed, recipient) === isWithin),
      ) ?? ['maybe'],
    )
}

/** Returns `maybe` for a value that is not a number: the application could read it as any number. */
const numberTest =
  (matches: (number: number) => boolean) =>
  (value: unknown): Truth => {
    const number =
      typeof value === 'number'
        ? value
        : typeof value === 'string' && NUMBER.test(value)
          ? Number(value)
          : Number.NaN
    return Number.isNaN(number) ? 'maybe' : toTruth(matches(number))
  }
