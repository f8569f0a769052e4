import { BaseAgenticProvider, Composio, type ExecuteToolFn, type Tool } from '@composio/core'
import { QUIET, type StockSdk } from './stock-sdk.ts'

interface RunnableTool {
  slug: string
  schema: Tool
  run(input: Record<string, unknown>): Promise<{ data: Record<string, any>; error: string | null }>
}

/** Returns tools unchanged, with the package's own function that runs them. */
class RunnableToolsProvider extends BaseAgenticProvider<RunnableTool[], RunnableTool, unknown> {
  readonly name = 'plain'
  wrapTool = (tool: Tool, execute: ExecuteToolFn): RunnableTool => ({
    slug: tool.slug,
    schema: tool,
    run: (input) => execute(tool.slug, input) as never,
  })
  wrapTools = (tools: Tool[], execute: ExecuteToolFn): RunnableTool[] =>
    tools.map((tool) => this.wrapTool(tool, execute))
}

/** A client of the package whose tools can be run as functions. */
export const clientWithRunnableTools = ({ keys, baseURL }: Pick<StockSdk, 'keys' | 'baseURL'>) =>
  new Composio({ apiKey: keys.projectApiKey, baseURL, ...QUIET, provider: new RunnableToolsProvider() })
