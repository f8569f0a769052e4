import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requestStop } from './worker-process.ts'

function stopRequestsOn(platform: string): unknown[] {
  const requests: unknown[] = []
  const worker = {
    send: (message: unknown) => requests.push(message) > 0,
    process: { kill: (signal?: NodeJS.Signals | number) => requests.push(signal) > 0 },
  }
  requestStop(worker, platform)
  return requests
}

test('worker processes: a worker is stopped by a signal, and on Windows, where that ends it at once, by a message', () => {
  assert.deepEqual(stopRequestsOn('linux'), ['SIGTERM'])
  assert.deepEqual(stopRequestsOn('win32'), [{ type: 'stop' }])
})
