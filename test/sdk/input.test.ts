import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openAiModel } from '../../src/platform/llm/index.ts'
import { upstream } from '../fixtures/upstream.ts'
import { stockSdk } from './stock-sdk.ts'

test('text becomes arguments, and a tool runs by text', async (t) => {
  const llm = await upstream(t, () => ({
    json: { choices: [{ message: { content: '{"arguments": {"expression": "6 * 7"}, "error": null}' } }] },
  }))
  const { composio } = await stockSdk(t, {
    model: openAiModel({ baseUrl: llm.url, model: 'm', apiKey: undefined }),
  })
  assert.deepEqual(
    (await composio.tools.getInput('UTILITIES_CALCULATE', { text: 'six times seven' })).arguments,
    { expression: '6 * 7' },
  )
  const { data, successful } = await composio.tools.execute('UTILITIES_CALCULATE', {
    userId: 'ada',
    text: 'six times seven',
    dangerouslySkipVersionCheck: true,
  })
  assert.deepEqual([successful, data['result']], [true, 42])
})
