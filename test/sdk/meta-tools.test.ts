import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { experimental_createTool as createTool } from '@composio/core'
import { z } from 'zod'
import { stockSdk } from './stock-sdk.ts'
import { clientWithRunnableTools } from './runnable-tools.ts'

async function startSdkSession(t: TestContext) {
  const s = await stockSdk(t)
  const shout = createTool('SHOUT', {
    name: 'Shout',
    description: 'Writes a sentence in capitals for everybody to hear.',
    inputParams: z.object({ text: z.string() }),
    execute: async ({ text }) => ({ said: text.toUpperCase() }),
  })
  const composio = clientWithRunnableTools(s)
  const session = await composio.create('ada', { experimental: { customTools: [shout] } } as never)
  return { session }
}

type SdkSession = Awaited<ReturnType<typeof startSdkSession>>

test('the stock SDK searches, runs batches with tools of its own process, and connects', async (t) => {
  const started = await startSdkSession(t)
  const { session } = started
  await checkSearch(started)

  const tools = await session.tools()
  assert.deepEqual(
    tools.map(({ slug }) => slug),
    ['SEARCH_TOOLS', 'GET_TOOL_SCHEMAS', 'MULTI_EXECUTE_TOOL', 'MANAGE_CONNECTIONS'].map(
      (name) => `COMPOSIO_${name}`,
    ),
  )
  const run = (name: string, input: Record<string, unknown>) =>
    tools.find(({ slug }) => slug === `COMPOSIO_${name}`)!.run(input)

  const batch = await run('MULTI_EXECUTE_TOOL', {
    tools: [
      { tool_slug: 'LOCAL_SHOUT', arguments: { text: 'hello' } },
      { tool_slug: 'UTILITIES_GET_CURRENT_TIME', arguments: { timezone: 'Europe/Lisbon' } },
      { tool_slug: 'PARSE_GET_OBJECT', arguments: { class_name: 'A', object_id: '1' } },
    ],
    sync_response_to_workbench: false,
  })
  assert.deepEqual(
    [batch.error, batch.data['total_count'], batch.data['error_count']],
    ['1 out of 3 tools failed', 3, 1],
  )
  assert.deepEqual(
    batch.data['results'].map((one: any) => [one.index, one.tool_slug]),
    [
      [0, 'LOCAL_SHOUT'],
      [1, 'UTILITIES_GET_CURRENT_TIME'],
      [2, 'PARSE_GET_OBJECT'],
    ],
  )
  assert.equal(batch.data['results'][1].response.data.timezone, 'Europe/Lisbon')
  assert.match(batch.data['results'][2].error, /No active connection for parse/)
  const managed = await run('MANAGE_CONNECTIONS', { toolkits: ['utilities'] })
  assert.deepEqual([managed.error, managed.data['results'].utilities.status], [null, 'active'])

  // What a session costs of a context: npm run bench:context looks at more.
  const queries = [
    'update an outlook calendar event',
    'create a stripe subscription',
    'send an email with sendgrid',
  ].map((use_case) => ({ use_case }))
  const whole = await run('SEARCH_TOOLS', { queries, session: { generate_id: true } })
  const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value))
  assert.ok(
    bytes(whole.data) <= 24 * 1024 && bytes(tools.map(({ slug, schema }) => ({ slug, schema }))) <= 16 * 1024,
    `${bytes(whole.data)}`,
  )
  for (const {
    primary_tool_slugs: [first = ''],
  } of whole.data['results'])
    assert.ok(whole.data['tool_schemas'][first].hasFullSchema, first)
})

async function checkSearch({ session }: SdkSession): Promise<void> {
  const found = await session.search({ query: 'current time in a time zone' } as never)
  assert.equal(found.success, true)
  assert.deepEqual(found.results[0]!.primaryToolSlugs[0], 'UTILITIES_GET_CURRENT_TIME', JSON.stringify(found))
  const own = await session.search({ query: 'write a sentence in capitals for everybody to hear' } as never)
  assert.ok(JSON.stringify(own.results).includes('LOCAL_SHOUT'))
}
