import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { CompactionSwitch } from './heap-compaction.ts'

test('heap compaction: it is avoided until no two projects were active for a minute', () => {
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
  const compaction = new CompactionSwitch({
    now: () => now,
    after: (ms, run) => void timers.push({ at: now + ms, run }),
    setFlag: (flag) => void flags.push(flag),
  })
  compaction.avoid()
  advance(50_000)
  compaction.avoid()
  advance(50_000)
  assert.deepEqual([flags, timers.length], [['--no-memory-reducer-favors-memory'], 1])
  advance(10_000)
  assert.deepEqual([flags.at(-1), timers.length], ['--memory-reducer-favors-memory', 0])
  compaction.avoid()
  assert.equal(flags.length, 3)
  // V8 writes a message and ignores a flag that it does not know.
  for (const flag of flags) assert.doesNotThrow(() => setFlagsFromString(flag))
})
