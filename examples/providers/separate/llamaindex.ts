import { Composio } from '@composio/core'
import { LlamaindexProvider } from '@composio/llamaindex'

// No usage data and no version check are sent to the vendor.
const QUIET = { allowTracking: false, disableVersionCheck: true }

/** Fetches tools for an agent of LlamaIndex, and executes a call as the agent does. */
export async function callTool(server: { apiKey: string; baseURL: string }) {
  const composio = new Composio({ ...server, provider: new LlamaindexProvider(), ...QUIET })
  const tools = await composio.tools.get('user-17', { tools: ['UTILITIES_CALCULATE'] })
  return { tools, result: await tools[0]?.call?.({ expression: '6 * 7' }) }
}
