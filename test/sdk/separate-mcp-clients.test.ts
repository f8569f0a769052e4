import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { page, ROOT } from '../docs/markdown.ts'
import { RESULT, sessionUrl, startMcpServer, TOOLS, withoutLogId } from './mcp-client-server.ts'
import { installSeparately, separateDependencies } from './separate-packages.ts'

const FOLDER = 'examples/mcp-clients'
const INSPECTOR = join(ROOT, FOLDER, 'node_modules/.bin/mcp-inspector')
const run = promisify(execFile)

type CallTool = (
  urls: Record<string, string>,
  headers: Record<string, string>,
  call: { name: string; input: object },
) => Promise<{ names: string[]; result: { structuredContent: Record<string, unknown> } }>

test('MCP clients: LangChain lists the tools of an MCP server and of a session, and calls one', async (t) => {
  installSeparately(FOLDER)
  const server = await startMcpServer(t)
  const urls = { sums: server.url, session: await sessionUrl(server) }
  // The packages of the example are not those of this repository, so the compiler does not know them.
  const { href } = pathToFileURL(join(ROOT, FOLDER, 'langchain.ts'))
  const { callTool } = (await import(href)) as { callTool: CallTool }
  const call = { name: 'UTILITIES_CALCULATE', input: { expression: '6 * 7' } }
  const { names, result } = await callTool(urls, server.headers, call)
  for (const name of [...TOOLS, 'SERVICE_SEARCH_TOOLS']) assert.ok(names.includes(name), name)
  assert.deepEqual(withoutLogId(result.structuredContent), RESULT)
})

test('MCP clients: the inspector lists the tools of an MCP server and of a session, and calls one', async (t) => {
  installSeparately(FOLDER)
  const server = await startMcpServer(t)
  const inspect = async (url: string, ...args: string[]) => {
    const header = `x-api-key: ${server.headers['x-api-key']}`
    const options = ['--cli', url, '--transport', 'http', '--header', header, '--method', ...args]
    const { stdout } = await run(process.execPath, [INSPECTOR, ...options], { timeout: 60_000 })
    return JSON.parse(stdout) as { tools: { name: string }[]; structuredContent: Record<string, unknown> }
  }
  const namesOf = async (url: string) => (await inspect(url, 'tools/list')).tools.map(({ name }) => name)
  assert.deepEqual((await namesOf(server.url)).toSorted(), TOOLS)
  assert.ok((await namesOf(await sessionUrl(server))).includes('SERVICE_SEARCH_TOOLS'))
  const call = ['tools/call', '--tool-name', 'UTILITIES_CALCULATE', '--tool-arg', 'expression=6 * 7']
  assert.deepEqual(withoutLogId((await inspect(server.url, ...call)).structuredContent), RESULT)
})

test('MCP clients: the guide has the versions of the clients in a folder of their own', () => {
  const { text } = page('docs/guides/tried-clients.md')
  const dependencies = separateDependencies(FOLDER)
  for (const name of ['@langchain/mcp-adapters', '@modelcontextprotocol/inspector'])
    assert.match(
      text,
      new RegExp(`^\\| \`${name}\\b.* \\| ${dependencies[name]} \\| in the tests`, 'm'),
      name,
    )
})
