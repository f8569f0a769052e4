import { Composio } from '@composio/core'
import { LangchainProvider } from '@composio/langchain'

// No usage data and no version check are sent to the vendor.
const QUIET = { allowTracking: false, disableVersionCheck: true }

/** Fetches tools of LangChain, and executes a call as an agent of LangChain does. */
export async function callTool(server: { apiKey: string; baseURL: string }) {
  const composio = new Composio({ ...server, provider: new LangchainProvider(), ...QUIET })
  const tools = await composio.tools.get('user-17', { tools: ['UTILITIES_CALCULATE'] })
  const called = { name: 'UTILITIES_CALCULATE', args: { expression: '6 * 7' } }
  const call = { type: 'tool_call' as const, id: 'call_1', ...called }
  return { tools, result: await tools[0]?.invoke(call) }
}
