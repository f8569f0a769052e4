import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { page, ROOT } from '../docs/markdown.ts'
import { installSeparately, separateDependencies } from './separate-packages.ts'
import { stockSdk } from './stock-sdk.ts'

const FOLDER = 'examples/providers/separate'
const SLUG = 'UTILITIES_CALCULATE'
interface Outcome {
  tools: unknown
  result: unknown
}
type CallTool = (server: { apiKey: string; baseURL: string }) => Promise<Outcome>

/** Loads an example at run time: its packages are not those of this repository, so the compiler does not know them. */
const load = async (name: string): Promise<CallTool> => {
  const { href } = pathToFileURL(join(ROOT, FOLDER, `${name}.ts`))
  return ((await import(href)) as { callTool: CallTool }).callTool
}

const CHECKS: Readonly<Record<string, (outcome: Outcome) => Promise<void>>> = {
  async mastra({ tools, result }) {
    const { inputSchema } = (tools as Record<string, Record<string, unknown>>)[SLUG]!
    const { '~standard': standard } = inputSchema as {
      '~standard': { validate(value: unknown): Promise<{ issues?: unknown }> | { issues?: unknown } }
    }
    assert.ok((await standard.validate({})).issues, 'the schema requires the expression')
    assert.ok(!(await standard.validate({ expression: '1' })).issues)
    const { data, successful } = result as Record<string, unknown>
    assert.deepEqual([data, successful], [{ result: 42 }, true])
  },
  async llamaindex({ tools, result }) {
    const [{ metadata }] = tools as [{ metadata: { name: string; parameters: Record<string, unknown> } }]
    assert.deepEqual([metadata.name, metadata.parameters['required']], [SLUG, ['expression']])
    const { data, successful } = JSON.parse(result as string) as Record<string, unknown>
    assert.deepEqual([data, successful], [{ result: 42 }, true])
  },
  async 'openai-agents'({ tools, result }) {
    const [tool] = tools as { type: string; name: string; parameters: Record<string, unknown> }[]
    assert.deepEqual(
      [tool?.type, tool?.name, tool?.parameters['required']],
      ['function', SLUG, ['expression']],
    )
    const { data, successful } = result as Record<string, unknown>
    assert.deepEqual([data, successful], [{ result: 42 }, true])
  },
  async 'claude-agent-sdk'({ tools, result }) {
    const [tool] = tools as { name: string; inputSchema: Record<string, unknown> }[]
    assert.deepEqual([tool?.name, tool?.inputSchema['required']], [SLUG, ['expression']])
    const [content] = (result as { content: { type: string; text: string }[] }).content
    const { data, successful } = JSON.parse(content!.text) as Record<string, unknown>
    assert.deepEqual([content?.type, data, successful], ['text', { result: 42 }, true])
  },
}

test('SDK providers: Mastra, LlamaIndex, OpenAI Agents and the Claude Agent SDK fetch tools in their format and execute a call', async (t) => {
  installSeparately(FOLDER)
  const { baseURL, keys, seen } = await stockSdk(t)
  for (const [name, check] of Object.entries(CHECKS)) {
    await check(await (await load(name))({ baseURL, apiKey: keys.projectApiKey }))
    assert.ok(seen.some(({ method, path }) => method === 'POST' && path.endsWith(`/tools/execute/${SLUG}`)))
    seen.length = 0
  }
})

test('SDK providers: the guide has the versions of the packages in a folder of their own', () => {
  const { text } = page('docs/guides/composio-sdk.md')
  const dependencies = separateDependencies(FOLDER)
  for (const [provider, library] of [
    ['@composio/llamaindex', 'llamaindex'],
    ['@composio/mastra', '@mastra/core'],
    ['@composio/openai-agents', '@openai/agents'],
    ['@composio/claude-agent-sdk', '@anthropic-ai/claude-agent-sdk'],
  ] as const)
    assert.ok(
      text.includes(
        `| \`${provider}\` | ${dependencies[provider]} | \`${library}\` ${dependencies[library]} |`,
      ),
      provider,
    )
})
