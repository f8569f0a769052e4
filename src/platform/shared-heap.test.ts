import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { SharedHeap } from './shared-heap.ts'

test('shared heap: interruptions are short until no two projects were active for a minute', () => {
  let now = 0
  const flags: string[] = []
  const timers: { at: number; run: () => void }[] = []
  const advance = (ms: number) => {
    now += ms
    for (const timer of timers.filter(({ at }) => at <= now)) {
      timers.splice(timers.indexOf(timer), 1)
      timer.run()
    }
  }
  const heap = new SharedHeap({
    now: () => now,
    after: (ms, run) => void timers.push({ at: now + ms, run }),
    setFlag: (flag) => void flags.push(flag),
  })
  heap.share()
  advance(50_000)
  heap.share()
  advance(50_000)
  assert.deepEqual(flags, ['--no-memory-reducer-favors-memory', '--heap-growing-percent=100'])
  assert.equal(timers.length, 1)
  advance(10_000)
  assert.deepEqual(flags.slice(2), ['--memory-reducer-favors-memory', '--heap-growing-percent=0'])
  assert.equal(timers.length, 0)
  heap.share()
  assert.equal(flags.length, 6)
  // V8 writes a message and ignores a flag that it does not know.
  for (const flag of flags) assert.doesNotThrow(() => setFlagsFromString(flag))
})
