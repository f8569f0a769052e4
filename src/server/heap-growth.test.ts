import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'

/** Allocates objects that survive a few collections, and prints the size of the young generation in megabytes. */
const CHILD = `
import v8 from 'node:v8'
import { setImmediate as turn } from 'node:timers/promises'
import { releaseHeap } from ${JSON.stringify(new URL('./heap-growth.ts', import.meta.url).href)}
const size = () => v8.getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size / 2 ** 20
async function allocate(rounds) {
  let last = []
  for (let round = 0; round < rounds; round++) {
    const next = []
    for (let at = 0; at < 20_000; at++) next.push({ at, before: last[at] && last[at].at })
    last = next
    await turn()
  }
  return last.length
}
v8.setFlagsFromString('--semi-space-growth-factor=1')
await allocate(60)
const limited = size()
releaseHeap()
await allocate(600)
console.log(JSON.stringify([limited, size()]))
process.exit()
`

test('start: the young generation of the heap is small until the server is ready, then grows with load to 32 MB', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', CHILD], {
    timeout: 120_000,
  })
  const [limited, released] = JSON.parse(stdout) as [number, number]
  assert.ok(limited <= 8, `${limited} MB while it is limited`)
  assert.ok(released > limited && released <= 64, `${released} MB after ${limited} MB`)
})
