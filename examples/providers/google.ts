import { Composio } from '@composio/core'
import { GoogleProvider } from '@composio/google'

// No usage data and no version check are sent to the vendor.
const QUIET = { allowTracking: false, disableVersionCheck: true }

/** Fetches function declarations for Gemini, and executes a function call of its response. */
export async function callTool(server: { apiKey: string; baseURL: string }) {
  const composio = new Composio({ ...server, provider: new GoogleProvider(), ...QUIET })
  const tools = await composio.tools.get('user-17', { tools: ['UTILITIES_CALCULATE'] })
  const call = { name: 'UTILITIES_CALCULATE', args: { expression: '6 * 7' } }
  return { tools, result: await composio.provider.executeToolCall('user-17', call) }
}
