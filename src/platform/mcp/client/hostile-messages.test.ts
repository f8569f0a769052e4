import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createResponseReader } from './response-reader.ts'

const nested = '['.repeat(2_000_000)
const closed = ']'.repeat(2_000_000)
const hostile = `{"jsonrpc":"2.0","id":1,"result":{"content":${nested}${closed}}}`
const valid = '{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}'

test('mcp client: a message in a stream that is nested too deeply is skipped, and the next one is read', () => {
  const reader = createResponseReader(1, () => {})
  const push = reader.onBody(200, { 'content-type': 'text/event-stream' })
  assert.equal(push?.(Buffer.from(`data: ${hostile}\n\n`)), false)
  assert.equal(push?.(Buffer.from(`data: ${valid}\n\n`)), true)
  assert.deepEqual((reader.answer as { result?: unknown } | undefined)?.result, { tools: [] })
})
