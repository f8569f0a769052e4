import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRequestTurns, type RequestTurn } from './request-turns.ts'
import { SliceQueue, type SliceTurn } from './slice-queue.ts'

/** A queue with a clock that moves by a millisecond when a test says so. */
function fakeQueue() {
  let time = 0
  let collections = 0
  let next: (() => void)[] = []
  const add = (run: () => void) => void next.push(run)
  const queue = new SliceQueue({
    now: () => time,
    nextTurn: add,
    after: (_ms, run) => add(run),
    freeUnusedBuffers() {
      collections++
    },
  })
  return {
    queue,
    collections: () => collections,
    /** Runs what was planned for the next turn of the event loop. */
    runTurn() {
      time++
      const planned = next
      next = []
      for (const run of planned) run()
    },
  }
}

const turnOf = (projectId: string, more: Partial<SliceTurn> = {}): SliceTurn => ({
  projectId,
  hasNeighbour: () => false,
  isShared: () => false,
  ...more,
})

test('slices: one waits while a request of another project runs, and starts when it ends', () => {
  const { queue, runTurn } = fakeQueue()
  const log: string[] = []
  let isBusy = true
  void queue.run(turnOf('a', { hasNeighbour: () => isBusy }), () => log.push('slice'))
  for (let turn = 0; turn < 5; turn++) runTurn()
  assert.deepEqual(log, [])
  isBusy = false
  runTurn()
  assert.deepEqual(log, ['slice'])
})

test('slices: one waits for at most ten turns, however many requests of other projects run', () => {
  const { queue, runTurn } = fakeQueue()
  const ranAt: number[] = []
  let turn = 0
  const busy = turnOf('a', { hasNeighbour: () => true })
  for (let n = 0; n < 20; n++) void queue.run(busy, () => ranAt.push(turn))
  for (; turn < 250; turn++) runTurn()
  assert.equal(ranAt.length, 20, 'all slices of a project that others never leave alone')
  const waits = ranAt.map((at, n) => at - (ranAt[n - 1] ?? 0))
  assert.ok(Math.max(...waits) <= 12, waits.join(' '))
})

test('slices: unused buffers are freed after each slice while another project is active, else not', () => {
  const { queue, runTurn, collections } = fakeQueue()
  void queue.run(undefined, () => {})
  void queue.run(turnOf('a'), () => {})
  void queue.run(turnOf('b', { isShared: () => true }), () => {})
  for (let turn = 0; turn < 5; turn++) runTurn()
  assert.equal(collections(), 1)
})

test('slices: two projects whose requests run in slices do not wait for each other', async () => {
  const turns = createRequestTurns({ perProject: 8, waitingMax: 8 })
  const { signal } = new AbortController()
  const start = async (project: string): Promise<RequestTurn> => turns.start(project, 'read', () => signal, 0)
  const [one, other, light] = [await start('one'), await start('other'), await start('light')]
  assert.ok(one.hasNeighbour())
  light.end()
  for (const turn of [one, other]) turn.startSlices()
  assert.deepEqual([one.hasNeighbour(), other.hasNeighbour()], [false, false])
  other.endSlices()
  assert.deepEqual([one.hasNeighbour(), other.hasNeighbour()], [true, false])
  assert.ok(other.isShared())
})
