import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { testApp } from '#fixtures/app.ts'
import { Patchbay } from './index.ts'

const SLUG = 'UTILITIES_CALCULATE'
const INPUT = { expression: '6 * 7' }

async function startToolset(t: TestContext) {
  const { app, keys } = await testApp(t)
  await app.http.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.http.server.address() as AddressInfo
  const patchbay = new Patchbay({ baseUrl: `http://127.0.0.1:${port}`, apiKey: keys.projectApiKey })
  return { patchbay, toolset: patchbay.toolset({ userId: 'user-1', tools: [SLUG] }) }
}

test('client tools: each format has the name, description and JSON Schema of the tool', async (t) => {
  const { toolset } = await startToolset(t)
  const [tool] = await toolset.list()
  const { description } = tool as { description: string }
  const [openai] = await toolset.openai()
  assert.deepEqual(
    [openai?.type, openai?.function.name, openai?.function.description],
    ['function', SLUG, description],
  )
  assert.equal(openai?.function.parameters['type'], 'object')
  const [strict] = await toolset.openai({ strict: true })
  assert.deepEqual(
    [strict?.function.strict, strict?.function.parameters['additionalProperties']],
    [true, false],
  )
  const [responses] = await toolset.openaiResponses()
  assert.deepEqual([responses?.type, responses?.name, responses?.strict], ['function', SLUG, false])
  const [anthropic] = await toolset.anthropic()
  assert.deepEqual([anthropic?.name, anthropic?.input_schema.type], [SLUG, 'object'])
  const [google] = await toolset.google()
  assert.deepEqual(
    google?.functionDeclarations.map(({ name }) => name),
    [SLUG],
  )
  const ai = await toolset.aiSdk()
  assert.equal(ai[SLUG]?.parameters.jsonSchema['type'], 'object')
  assert.equal(ai[SLUG]?.inputSchema, ai[SLUG]?.parameters)
  assert.equal(
    (ai[SLUG]?.inputSchema as unknown as Record<symbol, unknown>)[Symbol.for('vercel.ai.schema')],
    true,
  )
  const [langchain] = await toolset.langchain((run, fields) => ({ run, ...fields }))
  assert.equal(langchain?.name, SLUG)
})

test('client tools: calls of a model run in each format, and their results go back in that format', async (t) => {
  const { toolset } = await startToolset(t)
  const result = JSON.stringify({ result: 42 })
  const call = { id: 'call_1', type: 'function', function: { name: SLUG, arguments: JSON.stringify(INPUT) } }
  assert.deepEqual(await toolset.runOpenAiToolCalls({ tool_calls: [call] }), [
    { role: 'tool', tool_call_id: 'call_1', content: result },
  ])
  const block = { type: 'tool_use', id: 'toolu_1', name: SLUG, input: INPUT }
  assert.deepEqual(await toolset.runAnthropicToolCalls({ content: [{ type: 'text' }, block] }), [
    { type: 'tool_result', tool_use_id: 'toolu_1', content: result },
  ])
  assert.deepEqual(await toolset.runGoogleFunctionCalls([{ name: SLUG, args: INPUT }]), [
    { functionResponse: { name: SLUG, response: { output: result } } },
  ])
  const ai = await toolset.aiSdk()
  assert.deepEqual(((await ai[SLUG]?.execute(INPUT)) as { data: unknown }).data, { result: 42 })
  const [langchain] = await toolset.langchain((run) => run)
  assert.equal(await langchain?.(INPUT as never), result)
})

test('client tools: a call that cannot run is a text for the model', async (t) => {
  const { toolset, patchbay } = await startToolset(t)
  const calls = [
    { id: '1', function: { name: 'NO_SUCH_TOOL', arguments: '{}' } },
    { id: '2', function: { name: SLUG, arguments: '{not json' } },
    { id: '3', function: { name: SLUG, arguments: '{"expression": "1 +"}' } },
  ]
  const contents = (await toolset.runOpenAiToolCalls({ tool_calls: calls })).map(({ content }) =>
    JSON.parse(content),
  )
  assert.match(contents[0].error, /NO_SUCH_TOOL not found/)
  assert.equal(typeof contents[1].error, 'string')
  assert.equal(typeof contents[2].error, 'string')
  await assert.rejects(patchbay.toolset({ userId: 'user-1' }).list(), /Select tools/)
  assert.equal(
    (await patchbay.toolset({ userId: 'user-1', toolkits: ['utilities'], limit: 2 }).list()).length,
    2,
  )
})
