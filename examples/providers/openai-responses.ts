import { Composio } from '@composio/core'
import { OpenAIResponsesProvider } from '@composio/openai'

// No usage data and no version check are sent to the vendor.
const QUIET = { allowTracking: false, disableVersionCheck: true }

/** Fetches tools for the Responses API of OpenAI, and executes the calls of its output. */
export async function callTool(server: { apiKey: string; baseURL: string }) {
  const composio = new Composio({ ...server, provider: new OpenAIResponsesProvider(), ...QUIET })
  const tools = await composio.tools.get('user-17', { tools: ['UTILITIES_CALCULATE'] })
  const called = { name: 'UTILITIES_CALCULATE', arguments: '{"expression": "6 * 7"}' }
  const output = [{ type: 'function_call' as const, call_id: 'call_1', ...called }]
  return { tools, result: await composio.provider.handleToolCalls('user-17', output) }
}
