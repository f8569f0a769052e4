import { finish, type Finished, UNCHANGED, type Unchanged } from '../../platform/pipeline.ts'
import { callMcpServer } from '../mcp/call-mcp-server.ts'
import { type RunningTool, sendToolRequest } from '../tool-request.ts'
import type { ToolResult } from '../types.ts'
import type { StepDeps } from './context.ts'
import { tidied } from './shape-result.ts'

/** Calls a tool of an MCP server and ends the call. Other tools continue. */
export function callMcpTool(context: RunningTool, deps: StepDeps): Unchanged | Promise<Finished<ToolResult>> {
  const { resolvedTool } = context
  if (!resolvedTool.tool.mcp) return UNCHANGED
  return callMcpServer(context, deps, sendToolRequest).then((result) =>
    finish(tidied(resolvedTool, context.arguments, result)),
  )
}
