import { AnthropicProvider } from '@composio/anthropic'
import { Composio } from '@composio/core'

// No usage data and no version check are sent to the vendor.
const QUIET = { allowTracking: false, disableVersionCheck: true }

/** Fetches tools for the Messages API of Anthropic, and executes a block of a message. */
export async function callTool(server: { apiKey: string; baseURL: string }) {
  const composio = new Composio({ ...server, provider: new AnthropicProvider(), ...QUIET })
  const tools = await composio.tools.get('user-17', { tools: ['UTILITIES_CALCULATE'] })
  const called = { name: 'UTILITIES_CALCULATE', input: { expression: '6 * 7' } }
  const block = { type: 'tool_use' as const, id: 'toolu_1', ...called }
  return { tools, result: await composio.provider.executeToolCall('user-17', block) }
}
