import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'

const CHILD = `
import { getPriority } from 'node:os'
import { collectorThreads, lowerCollectorPriority } from ${JSON.stringify(new URL('./thread-priority.ts', import.meta.url).href)}
const before = getPriority()
const count = lowerCollectorPriority()
const changes = [process.pid, ...collectorThreads()].map((id) => getPriority(id) - before)
console.log(JSON.stringify({ count, changes }))
`

test('thread priority: threads of V8 have a lower priority than the program', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', CHILD], {
    timeout: 60_000,
  })
  const { count, changes } = JSON.parse(stdout)
  assert.equal(count, process.platform === 'linux' ? 4 : 0, 'Node starts four threads, and Linux names them')
  assert.deepEqual(changes, [0, ...Array.from({ length: count }, () => 5)])
})
