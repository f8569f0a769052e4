import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collectRestartRequests } from './restart-requests.ts'

test('SIGUSR2: a request during the start is fulfilled once after it, and each later one at once', () => {
  let signal = () => {}
  const requests = collectRestartRequests((listener) => {
    signal = listener
  })
  let restarts = 0
  signal()
  signal()
  assert.equal(restarts, 0)
  requests.onRequest(() => {
    restarts++
  })
  assert.equal(restarts, 1)
  signal()
  signal()
  assert.equal(restarts, 3)
})
