import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'

/** Allocates objects that survive a few collections, and prints the size of the young generation in megabytes. */
const CHILD = `
import v8 from 'node:v8'
import { releaseYoungGeneration } from ${JSON.stringify(new URL('./young-generation.ts', import.meta.url).href)}
const size = () => v8.getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size / 2 ** 20
function allocate() {
  let last = []
  for (let round = 0; round < 60; round++) {
    const next = []
    for (let at = 0; at < 20_000; at++) next.push({ at, before: last[at] && last[at].at })
    last = next
  }
  return last.length
}
v8.setFlagsFromString('--semi-space-growth-factor=1')
allocate()
const limited = size()
releaseYoungGeneration()
allocate()
console.log(JSON.stringify([limited, size()]))
`

test('start: the young generation of the heap is small until the server is ready, then grows with load', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', CHILD], {
    timeout: 120_000,
  })
  const [limited, released] = JSON.parse(stdout) as [number, number]
  assert.ok(limited <= 8, `${limited} MB while it is limited`)
  assert.ok(released > limited, `${released} MB after ${limited} MB`)
})
