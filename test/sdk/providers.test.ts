import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type StructuredToolInterface, tool as langchainTool } from '@langchain/core/tools'
import { asSchema } from 'ai'
import { callTool as callAnthropic } from '../../examples/providers/anthropic.ts'
import { callTool as callGoogle } from '../../examples/providers/google.ts'
import { callTool as callLangchain } from '../../examples/providers/langchain.ts'
import { callTool as callOpenAiResponses } from '../../examples/providers/openai-responses.ts'
import { callTool as callOpenAi } from '../../examples/providers/openai.ts'
import { callTool as callVercel } from '../../examples/providers/vercel.ts'
import { Patchbay } from '../../src/client/index.ts'
import { page, ROOT } from '../docs/markdown.ts'
import { stockSdk } from './stock-sdk.ts'

const SLUG = 'UTILITIES_CALCULATE'
const CALL = { type: 'tool_call', id: 'call_1', name: SLUG, args: { expression: '6 * 7' } } as const

const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, { version?: string }>
}
/** Four examples have packages of their own, which their test installs. */
const { dependencies: separate } = JSON.parse(
  readFileSync(join(ROOT, 'examples/providers/separate/package.json'), 'utf8'),
) as { dependencies: Record<string, string> }
const versionsOf = (name: string) => [packages[`node_modules/${name}`]?.version, separate[name]]

/** The parts of a tool's JSON Schema that every format must keep. */
interface Schema {
  type?: unknown
  properties?: unknown
  required?: unknown
}

/** Asserts that a schema is that of the tool, wherever the vendor has it. */
function assertSchema(schema: unknown) {
  const { type, properties, required } = schema as Schema
  assert.deepEqual(
    [type, Object.keys(properties as object), required],
    ['object', ['expression'], ['expression']],
  )
}

/** Asserts that a result is the complete result of the tool, as an object or as text. */
function assertResult(result: unknown) {
  const { data, successful, error } = (typeof result === 'string' ? JSON.parse(result) : result) as {
    [field: string]: unknown
  }
  assert.deepEqual([data, successful, error], [{ result: 42 }, true, null])
}

interface Server {
  apiKey: string
  baseURL: string
}

/** Checks by the title of their subtest: the format of the tools, and the result of one call. */
const CHECKS: Readonly<Record<string, (server: Server) => Promise<void>>> = {
  async 'SDK providers: Vercel returns tools of the AI SDK by name, with execute'(server) {
    const { tools, result } = await callVercel(server)
    assert.deepEqual(Object.keys(tools), [SLUG])
    assertSchema(await asSchema(tools[SLUG]?.inputSchema).jsonSchema)
    assertResult(result)
  },
  async 'SDK providers: OpenAI returns functions of Chat Completions'(server) {
    const { tools, result } = await callOpenAi(server)
    const [tool] = tools
    assert.ok(tool?.type === 'function')
    assert.deepEqual([tools.length, tool.function.name], [1, SLUG])
    assertSchema(tool.function.parameters)
    assertResult(result)
  },
  async 'SDK providers: OpenAI returns functions of Responses, and outputs by call_id'(server) {
    const { tools, result } = await callOpenAiResponses(server)
    const [tool] = tools
    assert.deepEqual([tools.length, tool?.type, tool?.name, tool?.strict], [1, 'function', SLUG, false])
    assertSchema(tool?.parameters)
    const [output] = result
    assert.deepEqual(
      [result.length, output?.type, output?.call_id, output?.status],
      [1, 'function_call_output', 'call_1', 'completed'],
    )
    assertResult(output?.output)
  },
  async 'SDK providers: Anthropic returns tools with input_schema, and the data of the result'(server) {
    const { tools, result } = await callAnthropic(server)
    const [tool] = tools
    assert.deepEqual([tools.length, tool?.name], [1, SLUG])
    assertSchema(tool?.input_schema)
    assert.deepEqual(JSON.parse(result), { result: 42 })
  },
  async 'SDK providers: Google returns function declarations'(server) {
    const { tools, result } = await callGoogle(server)
    const [tool] = tools
    assert.deepEqual([tools.length, tool?.name], [1, SLUG])
    assertSchema(tool?.parameters)
    assertResult(result)
  },
  async 'SDK providers: LangChain returns structured tools, whose result is a tool message'(server) {
    const { tools, result } = await callLangchain(server)
    const [tool] = tools
    assert.deepEqual([tools.length, tool?.name], [1, SLUG])
    assertSchema(await asSchema(tool?.schema as never).jsonSchema)
    assert.deepEqual([result?.tool_call_id, result?.status], ['call_1', 'success'])
    assertResult(result?.content)
  },
  async 'client tools: tools of LangChain execute a call and keep the schema of the API'(server) {
    const patchbay = new Patchbay({ baseUrl: server.baseURL, apiKey: server.apiKey })
    const toolset = patchbay.toolset({ userId: 'user-17', tools: [SLUG] })
    // The type that models and agents of LangChain accept.
    const [tool]: StructuredToolInterface[] = await toolset.langchain(langchainTool)
    assert.equal(tool?.name, SLUG)
    assertSchema(tool?.schema)
    const { content, tool_call_id: id } = await tool?.invoke(CALL)
    assert.deepEqual([JSON.parse(content), id], [{ result: 42 }, 'call_1'])
  },
}

test('SDK providers: each fetches tools in its format and executes a call, as the examples show', async (t) => {
  const { baseURL, keys, seen } = await stockSdk(t)
  for (const [title, check] of Object.entries(CHECKS)) {
    const before = seen.length
    await t.test(title, () => check({ baseURL, apiKey: keys.projectApiKey }))
    const executed = seen
      .slice(before)
      .filter(({ method, path }) => method === 'POST' && path.endsWith(`/tools/execute/${SLUG}`))
    assert.equal(executed.length, 1, title)
  }
})

test('SDK providers: the guide has the versions of the packages that the tests use', () => {
  const { text } = page('docs/guides/composio-sdk.md')
  const rows = [
    ...text.matchAll(/^\| `(@composio\/[\w-]+)`.* \| ([\d.]+) \| `([^`]+)` ([\d.]+) \|.* in the tests \|$/gm),
  ]
  assert.equal(rows.length, 10)
  for (const [, provider = '', version, library = '', libraryVersion] of rows) {
    assert.ok(versionsOf(provider).includes(version), `${provider} ${version}`)
    assert.ok(versionsOf(library).includes(libraryVersion), `${library} ${libraryVersion}`)
  }
})
