import { Composio } from '@composio/core'
import { VercelProvider } from '@composio/vercel'

// No usage data and no version check are sent to the vendor.
const QUIET = { allowTracking: false, disableVersionCheck: true }

/** Fetches tools for `generateText` of the AI SDK, and executes a call as the AI SDK does. */
export async function callTool(server: { apiKey: string; baseURL: string }) {
  const composio = new Composio({ ...server, provider: new VercelProvider(), ...QUIET })
  const tools = await composio.tools.get('user-17', { tools: ['UTILITIES_CALCULATE'] })
  const call = { toolCallId: 'call_1', toolName: 'UTILITIES_CALCULATE', input: { expression: '6 * 7' } }
  const options = { toolCallId: call.toolCallId, messages: [], context: {} }
  return { tools, result: await tools[call.toolName]?.execute?.(call.input, options) }
}
