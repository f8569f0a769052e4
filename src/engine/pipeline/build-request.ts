import { type RenderedRequest, renderRequest } from '../../catalog/index.ts'
import { connectionLookup, withCallerErrors } from '../http/egress-request.ts'
import type { ResolvedTool, ToolConnection } from '../types.ts'
import type { HasArgumentFiles, HasConnection, HasRequest, HasTool } from './context.ts'

/** Builds the request of the tool from its manifest and the arguments, without credentials. */
export function buildRequest({
  resolvedTool,
  connection,
  sentArguments,
}: HasTool & HasConnection & HasArgumentFiles): HasRequest {
  return { request: renderToolRequest(resolvedTool, sentArguments, connection) }
}

export function renderToolRequest(
  { tool }: ResolvedTool,
  args: Record<string, unknown>,
  connection: ToolConnection,
): RenderedRequest {
  const { request } = tool
  if (!request) throw new Error(`${tool.slug} has no request`)
  return withCallerErrors(() => renderRequest(request, args, connectionLookup(connection, tool.useToken)))
}
