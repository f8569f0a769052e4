import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { ApiError } from '../api-error.ts'
import { createRequestTurns, runInTurn } from './request-turns.ts'
import { createSlices, type RunInSlices, type SliceOptions } from './run-in-slices.ts'

const { signal } = new AbortController()
const turns = createRequestTurns({ perProject: 0, waitingMax: 0 })

/** Runs work as a request of a project. */
async function runFor<T>(
  runInSlices: RunInSlices,
  project: string,
  work: Generator<void, T>,
  options?: SliceOptions,
) {
  const turn = await turns.start(project, 'read', () => signal, 0)
  return runInTurn(turn, () => runInSlices(work, options))
}

/** Uses the thread for longer than a slice before each interruption. */
function* work(name: string, steps: number, log: string[]): Generator<void, string> {
  for (let step = 0; step < steps; step++) {
    const end = performance.now() + 3
    while (performance.now() < end);
    log.push(name)
    yield
  }
  return name
}

// eslint-disable-next-line require-yield -- the shortest work
function* call<T>(run: () => T): Generator<void, T> {
  return run()
}

test('slices: projects take turns, also if one has more work, and each has its work done in order', async () => {
  const [runInSlices, log] = [createSlices(), [] as string[]]
  await Promise.all([
    runFor(runInSlices, 'a', work('a1', 3, log)),
    runFor(runInSlices, 'a', work('a2', 3, log)),
    runFor(runInSlices, 'b', work('b', 3, log)),
  ])
  assert.deepEqual(log.slice(0, 6), ['a1', 'b', 'a2', 'b', 'a1', 'b'])
})

test('slices: other work runs between them, and the result is that of the work', async () => {
  const log: string[] = []
  const result = createSlices()(work('slice', 5, log))
  const others = (async () => {
    while (log.filter((one) => one === 'slice').length < 5) {
      await new Promise((resolve) => setImmediate(resolve))
      log.push('other')
    }
  })()
  assert.equal(await result, 'slice')
  await others
  const first = log.indexOf('slice')
  const last = log.lastIndexOf('slice')
  assert.ok(log.slice(first, last).filter((one) => one === 'other').length >= 4, log.join(' '))
})

test('slices: after each of them other work has several turns while a request of another project runs', async () => {
  const limited = createRequestTurns({ perProject: 8, waitingMax: 8 })
  const turn = await limited.start('busy', 'read', () => signal, 0)
  /** Returns how many turns of the event loop pass between two slices. */
  const turnsBetween = async () => {
    const log: string[] = []
    const isDone = runInTurn(turn, () => createSlices()(work('slice', 4, log))).then(() => true)
    const wait = () => new Promise<false>((resolve) => setImmediate(resolve, false))
    while (!(await Promise.race([isDone, wait()]))) log.push('other')
    return (log.lastIndexOf('slice') - log.indexOf('slice')) / 3 - 1
  }
  assert.ok((await turnsBetween()) < 3)
  const neighbour = await limited.start('quiet', 'read', () => signal, 0)
  assert.ok((await turnsBetween()) > 10)
  neighbour.end()
  assert.ok((await turnsBetween()) < 3)
})

test('slices: failed and aborted work ends its own caller only; too much waiting work is rejected', async () => {
  const runInSlices = createSlices()
  const failing = call((): never => {
    throw new SyntaxError('no JSON')
  })
  const outcomes = await Promise.allSettled([
    runFor(runInSlices, 'a', failing),
    runFor(
      runInSlices,
      'a',
      call(() => 'never'),
      { signal: AbortSignal.abort(new Error('gone')) },
    ),
    runFor(
      runInSlices,
      'a',
      call(() => 1),
      { waitingMax: 3 },
    ),
    runFor(
      runInSlices,
      'a',
      call(() => 'too much'),
      { waitingMax: 3 },
    ),
    runFor(
      runInSlices,
      'b',
      call(() => 2),
      { waitingMax: 3 },
    ),
  ])
  const results = outcomes.map((one) => {
    if (one.status === 'fulfilled') return one.value
    return one.reason instanceof ApiError ? one.reason.slug : (one.reason as Error).message
  })
  assert.deepEqual(results, ['no JSON', 'gone', 1, 'HTTP_ServiceUnavailable', 2])
  assert.equal(await runInSlices(call(() => 'again')), 'again')
})

test('attack: a project with much work that waits does not delay the requests of others', async (t) => {
  const server = createServer((_request, response) => response.end('ok')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const [runInSlices, log] = [createSlices(), [] as string[]]
  const flood = Array.from({ length: 40 }, () => runFor(runInSlices, 'hostile', work('hostile', 3, log)))
  await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  assert.ok(log.length < 100, `${log.length} of 120 slices ran before the response to another request`)
  await Promise.all(flood)
})
