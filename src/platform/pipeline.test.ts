import assert from 'node:assert/strict'
import { test } from 'node:test'
import { finish, type Finished, pipeline, type RunReport, UNCHANGED, type Unchanged } from './pipeline.ts'

type Outcome = { readonly kind: 'sum'; readonly value: number } | { readonly kind: 'stopped' }
interface Input {
  readonly a: number
}
interface HasB {
  readonly b: number
}

const addB = async ({ a }: Input): Promise<HasB> => ({ b: a + 1 })
const sum = ({ a, b }: Input & HasB): Outcome => ({ kind: 'sum', value: a + b })
const stopAtZero = ({ a }: Input): Finished<Outcome> | Unchanged =>
  a === 0 ? finish({ kind: 'stopped' }) : UNCHANGED
const fail = (): HasB => {
  throw new Error('broken')
}
const list = () => pipeline<Input, object, Outcome>()

test('pipeline: each step receives the fields of the steps above', async () => {
  const input = { a: 1 }
  assert.deepEqual(await list().step(addB).end(sum)(input, {}), { kind: 'sum', value: 3 })
  assert.deepEqual(input, { a: 1 }, 'the input is not changed')
})

test('pipeline: an early outcome skips the steps below', async () => {
  const unreachable = (): HasB => assert.fail('this step is below the end')
  assert.deepEqual(await list().step(stopAtZero).step(unreachable).end(sum)({ a: 0 }, {}), {
    kind: 'stopped',
  })
})

test('pipeline: a list can be the beginning of several lists', async () => {
  const start = list().step(addB)
  const double = start.step(({ b }: HasB) => ({ b: b * 2 })).end(sum)
  assert.deepEqual(await start.end(sum)({ a: 1 }, {}), { kind: 'sum', value: 3 })
  assert.deepEqual(await double({ a: 1 }, {}), { kind: 'sum', value: 5 })
})

test('pipeline: finally runs for outcomes and errors of the steps below it, not of those above', async () => {
  const reports: RunReport<Outcome>[] = []
  const record = (_context: Input, _deps: object, report: RunReport<Outcome>) => void reports.push(report)

  await list().finally(record).step(addB).end(sum)({ a: 1 }, {})
  await assert.rejects(list().finally(record).step(fail).end(sum)({ a: 1 }, {}), /broken/)
  await assert.rejects(list().step(fail).finally(record).end(sum)({ a: 1 }, {}), /broken/)
  assert.equal(reports.length, 2)
  assert.deepEqual(reports[0], { outcome: { kind: 'sum', value: 3 } })
  assert.match(String(reports[1]?.error), /broken/)
})

test('pipeline: mapOutcome replaces outcomes of the steps below it, early ones included', async () => {
  const double = (_context: Input, _deps: object, outcome: Outcome): Outcome =>
    outcome.kind === 'sum' ? { ...outcome, value: outcome.value * 2 } : { kind: 'sum', value: 0 }
  const below = list().mapOutcome(double).step(stopAtZero).step(addB).end(sum)
  assert.deepEqual(await below({ a: 1 }, {}), { kind: 'sum', value: 6 })
  assert.deepEqual(await below({ a: 0 }, {}), { kind: 'sum', value: 0 })
  const above = list().step(stopAtZero).mapOutcome(double).step(addB).end(sum)
  assert.deepEqual(await above({ a: 0 }, {}), { kind: 'stopped' })
})

test('pipeline: recover makes an outcome of an error of the steps below it, or throws another', async () => {
  const stop = (): Outcome => ({ kind: 'stopped' })
  const translate = (_context: Input, _deps: object, error: unknown): Outcome => {
    throw new Error(`translated: ${(error as Error).message}`)
  }
  assert.deepEqual(await list().recover(stop).step(fail).end(sum)({ a: 1 }, {}), { kind: 'stopped' })
  await assert.rejects(list().step(fail).recover(stop).end(sum)({ a: 1 }, {}), /^Error: broken/)
  await assert.rejects(
    list().recover(translate).step(fail).end(sum)({ a: 1 }, {}),
    /^Error: translated: broken/,
  )
})

test('pipeline: of finally, mapOutcome and recover the lowest runs first, with the fields added so far', async () => {
  const order: string[] = []
  const run = list()
    .finally(({ b }: Input & Partial<HasB>) => void order.push(`finally b=${b}`))
    .mapOutcome((_context, _deps, outcome) => {
      order.push('mapOutcome')
      return outcome
    })
    .recover((): Outcome => {
      order.push('recover')
      return { kind: 'stopped' }
    })
    .step(addB)
    .step(fail)
    .end(sum)
  assert.deepEqual(await run({ a: 1 }, {}), { kind: 'stopped' })
  assert.deepEqual(order, ['recover', 'mapOutcome', 'finally b=2'])
})

test('pipeline: a list with a missing field or another kind of outcome does not compile', () => {
  const maybeB = ({ a }: Input): HasB | Unchanged => (a > 0 ? { b: a } : UNCHANGED)
  const otherOutcome = (): Unchanged | Finished<string> => UNCHANGED
  // @ts-expect-error No step above adds `b`.
  list().end(sum)
  // @ts-expect-error The step above adds `b` only sometimes.
  list().step(maybeB).end(sum)
  // @ts-expect-error A string is no outcome of this list.
  list().step(otherOutcome)
})
