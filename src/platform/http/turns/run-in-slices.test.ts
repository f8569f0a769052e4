import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRequestTurns, runInTurn } from './request-turns.ts'
import { runInSlices } from './run-in-slices.ts'

/** Uses the thread for three milliseconds, which is longer than a slice, before each interruption. */
function* work(name: string, steps: number, log: string[]): Generator<void, string> {
  for (let step = 0; step < steps; step++) {
    const end = performance.now() + 3
    while (performance.now() < end);
    log.push(name)
    yield
  }
  return name
}

test('slices: other work runs between them, and the result is that of the work', async () => {
  const log: string[] = []
  const result = runInSlices(work('slice', 5, log))
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

test('slices: those of two projects take turns, also if one of them has more work', async () => {
  const turns = createRequestTurns({ perProject: 8, waitingMax: 8 })
  const log: string[] = []
  const { signal } = new AbortController()
  const run = async (project: string, steps: number) => {
    const turn = await turns.start(project, 'read', () => signal, 0)
    return runInTurn(turn, () => runInSlices(work(project, steps, log)))
  }
  await Promise.all([run('large', 4), run('large', 4), run('small', 2)])
  assert.deepEqual(log.slice(0, 4).sort(), ['large', 'large', 'small', 'small'])
})

test('slices: an error of the work is that of the result', async () => {
  function* failing(): Generator<void, void> {
    yield
    throw new SyntaxError('no JSON')
  }
  await assert.rejects(runInSlices(failing()), { name: 'SyntaxError', message: 'no JSON' })
})
