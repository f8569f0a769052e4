import { MultiServerMCPClient } from '@langchain/mcp-adapters'

interface Call {
  name: string
  input: object
}

/** Lists the tools of several MCP servers for an agent of LangChain, and calls one as the agent does. */
export async function callTool(urls: Record<string, string>, headers: Record<string, string>, call: Call) {
  const servers = Object.entries(urls).map(([name, url]) => [name, { transport: 'http', url, headers }])
  const client = new MultiServerMCPClient({ mcpServers: Object.fromEntries(servers) })
  const tools = await client.getTools()
  const result: unknown = await tools.find(({ name }) => name === call.name)?.invoke(call.input)
  await client.close()
  return { names: tools.map(({ name }) => name), result }
}
