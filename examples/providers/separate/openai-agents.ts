import { Composio } from '@composio/core'
import { OpenAIAgentsProvider } from '@composio/openai-agents'
import { invokeFunctionTool, RunContext } from '@openai/agents'

// No usage data and no version check are sent to the vendor.
const QUIET = { allowTracking: false, disableVersionCheck: true }

/** Fetches tools for an `Agent` of OpenAI, and executes a call as its runner does. */
export async function callTool(server: { apiKey: string; baseURL: string }) {
  const composio = new Composio({ ...server, provider: new OpenAIAgentsProvider(), ...QUIET })
  const tools = await composio.tools.get('user-17', { tools: ['UTILITIES_CALCULATE'] })
  const input = JSON.stringify({ expression: '6 * 7' })
  const result = await invokeFunctionTool({ tool: tools[0] as never, runContext: new RunContext(), input })
  return { tools, result }
}
