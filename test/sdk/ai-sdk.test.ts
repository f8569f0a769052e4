import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { generateText, isStepCount } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { testApp } from '#fixtures/app.ts'
import { Patchbay } from '../../src/client/index.ts'

const SLUG = 'UTILITIES_CALCULATE'
const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
}

/** A model that calls the tool once, then writes a text. */
const scriptedModel = (input: string) =>
  new MockLanguageModelV4({
    doGenerate: [
      {
        content: [{ type: 'tool-call', toolCallId: 'call_1', toolName: SLUG, input }],
        finishReason: { unified: 'tool-calls', raw: undefined },
        usage,
        warnings: [],
      },
      {
        content: [{ type: 'text', text: 'Done.' }],
        finishReason: { unified: 'stop', raw: undefined },
        usage,
        warnings: [],
      },
    ],
  })

test('AI SDK: generateText accepts the tools of the client and executes the calls of a model', async (t) => {
  const { app, keys } = await testApp(t)
  await app.http.listen({ port: 0, host: '127.0.0.1' })
  const baseUrl = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`
  const patchbay = new Patchbay({ baseUrl, apiKey: keys.projectApiKey })
  const toolset = patchbay.toolset({ userId: 'user-1', tools: [SLUG] })

  const model = scriptedModel('{"expression": "6 * 7"}')
  const { text, steps } = await generateText({
    model,
    tools: await toolset.aiSdk(),
    prompt: 'What is 6 times 7?',
    stopWhen: isStepCount(3),
  })

  const [tool] = await toolset.list()
  const [sent] = model.doGenerateCalls[0]?.tools ?? []
  assert.ok(sent?.type === 'function')
  assert.deepEqual([sent.name, sent.description], [SLUG, tool?.description])
  assert.deepEqual(
    Object.keys(sent.inputSchema.properties ?? {}),
    Object.keys((tool?.input_parameters as { properties: object }).properties),
  )
  const { data } = steps[0]?.toolResults[0]?.output as { data: unknown }
  assert.deepEqual([text, data], ['Done.', { result: 42 }])
  // The result of the tool is part of the second request to the model.
  assert.match(JSON.stringify(model.doGenerateCalls[1]?.prompt), /"result":42/)
})
