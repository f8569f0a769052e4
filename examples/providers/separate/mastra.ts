import { Composio } from '@composio/core'
import { MastraProvider } from '@composio/mastra'

// No usage data and no version check are sent to the vendor.
const QUIET = { allowTracking: false, disableVersionCheck: true }

/** Fetches tools for an agent of Mastra, and executes a call as the agent does. */
export async function callTool(server: { apiKey: string; baseURL: string }) {
  const composio = new Composio({ ...server, provider: new MastraProvider(), ...QUIET })
  const tools = await composio.tools.get('user-17', { tools: ['UTILITIES_CALCULATE'] })
  const result = await tools['UTILITIES_CALCULATE']?.execute?.({ expression: '6 * 7' }, {} as never)
  return { tools, result }
}
