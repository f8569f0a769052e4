import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createSandboxes, SandboxBusy } from './sandboxes.ts'
import { stoppedOutcome } from './outcome.ts'
import type { Sandbox, SandboxDriver, SandboxLimits, SandboxRun, SandboxSize } from './types.ts'

const LIMITS: SandboxLimits = { idleMs: 60_000, maxAgeMs: 3_600_000, sandboxesMax: 2, warm: 0 }
const RUN: Omit<SandboxRun, 'mount'> = {
  kind: 'python',
  code: '1',
  timeoutMs: 1_000,
  outputCharacters: 1_000,
  brand: 'service',
}

/** Sandboxes whose runs end when the test says so. */
function fakeDriver() {
  const started: {
    id: string
    size: SandboxSize
    reason: string | undefined
    finish(results: string): void
  }[] = []
  const driver: SandboxDriver = {
    name: 'fake',
    async start(size) {
      const end = Promise.withResolvers<string>()
      const runs: ((results: string) => void)[] = []
      const entry = {
        id: `sbx_${started.length + 1}`,
        size,
        reason: undefined as string | undefined,
        finish: (results: string) => runs.shift()?.(results),
      }
      started.push(entry)
      const sandbox: Sandbox = {
        id: entry.id,
        ended: end.promise,
        run: () =>
          new Promise((resolve) => {
            runs.push((results) => resolve({ ...stoppedOutcome(''), error: '', results }))
          }),
        stop(reason) {
          entry.reason = reason
          end.resolve(reason)
        },
      }
      return sandbox
    },
    close: async () => {},
  }
  return { driver, started }
}

function createRegistry(t: TestContext, limits: Partial<SandboxLimits> = {}) {
  t.mock.timers.enable({ apis: ['setInterval', 'setTimeout', 'Date'] })
  const { driver, started } = fakeDriver()
  const sandboxes = createSandboxes(driver, { ...LIMITS, ...limits })
  t.after(() => sandboxes.close())
  const begin = (session: string, code = '1', size: SandboxSize = 'standard') =>
    sandboxes.run({
      session,
      size,
      run: { ...RUN, code },
      host: () => Promise.reject(new Error('The run calls no helper.')),
      listMount: async () => [],
    })
  /** Lets promises settle; the mocked timers stand still. */
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve))
  const runOnce = async (session: string, at: number, size: SandboxSize = 'standard') => {
    const result = begin(session, '1', size)
    await settle()
    started[at]!.finish('done')
    return result
  }
  return { sandboxes, started, begin, settle, runOnce, tick: (ms: number) => t.mock.timers.tick(ms) }
}

test('sandboxes: an equal run that arrives while one is in progress gets its result, another one waits', async (t) => {
  const { started, begin, settle } = createRegistry(t)
  const runs = [begin('a', 'n += 1'), begin('a', 'n += 1'), begin('a', 'n')]
  await settle()
  started[0]!.finish('first')
  await settle()
  started[0]!.finish('second')
  const results = await Promise.all(runs)
  assert.deepEqual(
    results.map(({ outcome, isNew }) => [outcome.results, isNew]),
    [
      ['first', true],
      ['first', true],
      ['second', false],
    ],
  )
  assert.equal(started.length, 1)
})

test('sandboxes: an idle one stops, an old one and one of another size are replaced', async (t) => {
  const { sandboxes, started, runOnce, settle, tick } = createRegistry(t)
  await runOnce('a', 0)
  tick(LIMITS.idleMs + 20_000)
  await settle()
  assert.deepEqual([sandboxes.has('a'), started[0]!.reason], [false, 'it was idle'])
  await runOnce('a', 1)
  await runOnce('a', 2, 'medium')
  await settle()
  assert.deepEqual([started[1]!.reason, started[2]!.size], ['it was replaced', 'medium'])
})

test('sandboxes: the one that was idle for the longest time makes room, and none that is in use', async (t) => {
  const { sandboxes, started, begin, runOnce, settle, tick } = createRegistry(t)
  await runOnce('a', 0)
  tick(10)
  await runOnce('b', 1)
  const c = begin('c')
  await settle()
  assert.deepEqual([started[0]!.reason, sandboxes.has('b')], ['another session needed its place', true])
  const b = begin('b')
  await settle()
  assert.throws(() => begin('d'), SandboxBusy)
  started[1]!.finish('b')
  started[2]!.finish('c')
  assert.deepEqual(
    (await Promise.all([b, c])).map(({ outcome }) => outcome.results),
    ['b', 'c'],
  )
})

test('sandboxes: warm ones are started after the first session, and used once', async (t) => {
  const { started, runOnce, settle, tick } = createRegistry(t, { warm: 1, sandboxesMax: 5 })
  await runOnce('a', 0)
  assert.equal(started.length, 1)
  tick(1_000)
  await settle()
  assert.equal(started.length, 2, 'one is started in advance')
  await runOnce('b', 1)
  tick(1_000)
  await settle()
  assert.equal(started.length, 3)
})

test('sandboxes: a warm one makes room for a session of another size', async (t) => {
  const { sandboxes, started, runOnce, settle, tick } = createRegistry(t, { warm: 1, sandboxesMax: 2 })
  await runOnce('a', 0)
  tick(1_000)
  await settle()
  assert.equal(started.length, 2, 'one is started in advance')
  await runOnce('b', 2, 'medium')
  await settle()
  assert.equal(started[1]!.reason, 'a session needed its place')
  assert.deepEqual([sandboxes.has('a'), sandboxes.has('b')], [true, true])
})
