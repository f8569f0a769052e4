import assert from 'node:assert/strict'
import { test } from 'node:test'
import { executeTool, listTools } from '../src/contract/tools.ts'
import { testApp } from './harness/app.ts'

test('a tool that needs no account is listed and executed', async (t) => {
  const { call } = await testApp(t)
  const { body } = await call(listTools, { query: { toolkit_slug: ['utilities'] } })
  assert.ok(body.items.some(({ slug }) => slug === 'UTILITIES_GET_CURRENT_TIME'))
  const reply = await call(executeTool, { params: { tool_slug: 'UTILITIES_GET_CURRENT_TIME' }, body: { arguments: {} } })
  assert.deepEqual([reply.status, reply.body.successful], [200, true])
})
