import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countLoopTurns } from '../../../../test/fixtures/loop-turns.ts'
import { readMessages } from './read-messages.ts'

const ROWS = Array.from({ length: 60_000 }, (_, n) => ({ n, note: 'x'.repeat(20) }))
const read = (text: string) => readMessages({ method: 'POST', text })

/** Returns the outcome without messages: the error, or that there is none. */
async function outcomeOf(text: string): Promise<string> {
  const result = await read(text)
  if (!('error' in result)) return 'read'
  const { error } = (await result.error.json()) as { error: { code: number; message: string } }
  return `${error.code} ${error.message}`
}

test('mcp: a large message is read in slices, with the same result as a small one', async (t) => {
  const turn = countLoopTurns(t)
  const message = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { rows: ROWS, constructor: { prototype: 1 } },
  }
  const startedAt = turn()
  const result = await read(JSON.stringify(message))
  assert.ok(turn() - startedAt >= 3, `${turn() - startedAt} turns`)
  assert.deepEqual('messages' in result && result.messages, [message])
  const rows = JSON.stringify(ROWS)
  for (const [before, after] of [
    ['{"a":', ',"b":'],
    ['{"a":', ',"b":"\\u0000"}'],
    ['{"a":', `,"b":${'['.repeat(200)}${']'.repeat(200)}}`],
    ['[', ']'],
    ['{"a":', ',"method":"subscriptions/listen"}'],
  ] as const)
    assert.equal(
      await outcomeOf(before + rows + after),
      await outcomeOf(`${before}[1]${after}`),
      after.slice(0, 40),
    )
})
