import { Composio } from '@composio/core'
import { OpenAIProvider } from '@composio/openai'

// No usage data and no version check are sent to the vendor.
const QUIET = { allowTracking: false, disableVersionCheck: true }

/** Fetches tools for Chat Completions of OpenAI, and executes the calls of an assistant message. */
export async function callTool(server: { apiKey: string; baseURL: string }) {
  const composio = new Composio({ ...server, provider: new OpenAIProvider(), ...QUIET })
  const tools = await composio.tools.get('user-17', { tools: ['UTILITIES_CALCULATE'] })
  const called = { name: 'UTILITIES_CALCULATE', arguments: '{"expression": "6 * 7"}' }
  const call = { id: 'call_1', type: 'function' as const, function: called }
  return { tools, result: await composio.provider.executeToolCall('user-17', call) }
}
