import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inflateSync } from 'node:zlib'
import { analyseIssues } from '../../examples/workbench/analyse.ts'
import { ISSUES, startTracker } from '../../examples/workbench/tracker.ts'
import { createWasmDriver } from '../../src/sandbox/index.ts'
import { testApp } from '../fixtures/app.ts'
import { temporaryFiles } from '../fixtures/files.ts'
import { findFreePort } from '../../src/platform/free-port.ts'
import { sandboxCache } from '../sandbox/drivers.ts'

const WIDTH = 640
const HEIGHT = 360
const CALLS = 100

/** Reads the size of a PNG, and its pixels as lines with a filter byte each. */
function readPng(bytes: Buffer) {
  assert.equal(bytes.subarray(1, 4).toString(), 'PNG')
  const dataAt = bytes.indexOf('IDAT')
  const length = bytes.readUInt32BE(dataAt - 4)
  return {
    width: bytes.readUInt32BE(16),
    height: bytes.readUInt32BE(20),
    pixels: inflateSync(bytes.subarray(dataAt + 4, dataAt + 4 + length)),
  }
}

test('the example analyses 10,000 issues in the workbench, and leaves a chart in the mount', async (t) => {
  const tracker = await startTracker()
  t.after(() => tracker.stop())
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const driver = createWasmDriver({
    cacheDir: sandboxCache(),
    brand: 'service',
    fileBytesMax: 10_000_000,
    diskBytesMax: 50_000_000,
    cpuSecondsMax: 300,
  })
  const { app, keys } = await testApp(t, {
    publicUrl: url,
    files: temporaryFiles(t, url),
    workbench: {
      driver,
      limits: { idleMs: 600_000, maxAgeMs: 86_400_000, sandboxesMax: 2, warm: 0 },
      mountBytesMax: 10_000_000,
    },
  })
  await app.http.listen({ host: '127.0.0.1', port })
  const { stdout, results, chart } = await analyseIssues({ url, key: keys.projectApiKey }, tracker.url, 'ada')
  assert.equal(stdout, `${ISSUES} issues, ${ISSUES / 4} open\n`)
  const medians = JSON.parse(results.replaceAll("'", '"')) as Record<string, number>
  assert.deepEqual(Object.keys(medians), ['bug', 'documentation', 'feature', 'question', 'security'])
  assert.ok(medians['security']! < 24 && medians['bug']! > 100, results)
  assert.equal(tracker.requests(), CALLS)
  const { width, height, pixels } = readPng(chart)
  assert.deepEqual([width, height, pixels.length], [WIDTH, HEIGHT, HEIGHT * (WIDTH * 3 + 1)])
  assert.ok(pixels.includes(Buffer.from([34, 102, 204])), 'there are bars')
})
