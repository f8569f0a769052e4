import { createSdkMcpServer } from '@anthropic-ai/claude-agent-sdk'
import { ClaudeAgentSDKProvider } from '@composio/claude-agent-sdk'
import { Composio } from '@composio/core'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'

// No usage data and no version check are sent to the vendor.
const QUIET = { allowTracking: false, disableVersionCheck: true }

/** Fetches tools for `query` of the Claude Agent SDK, and executes a call as its agent does: by MCP, in this process. */
export async function callTool(server: { apiKey: string; baseURL: string }) {
  const composio = new Composio({ ...server, provider: new ClaudeAgentSDKProvider(), ...QUIET })
  const tools = await composio.tools.get('user-17', { tools: ['UTILITIES_CALCULATE'] })
  const mcpServer = createSdkMcpServer({ name: 'patchbay', tools })
  const [agentSide, serverSide] = InMemoryTransport.createLinkedPair()
  await mcpServer.instance.connect(serverSide)
  const agent = new Client({ name: 'agent', version: '1.0.0' })
  await agent.connect(agentSide)
  const { tools: listed } = await agent.listTools()
  const result = await agent.callTool({ name: 'UTILITIES_CALCULATE', arguments: { expression: '6 * 7' } })
  await agent.close()
  return { tools: listed, result }
}
