import type { RenderedRequest, ResolvedTool } from '../../catalog/index.ts'
import { EgressError } from '../../platform/egress/index.ts'
import type { JsonObject } from '../../platform/json-object.ts'
import {
  encodeHeaderValue,
  type McpClient,
  createMcpClient,
  McpError,
  type McpReply,
  type McpRequest,
  type McpPeer,
} from '../../platform/mcp/index.ts'
import { timeoutMsOf } from '../http/egress-request.ts'
import { readProviderResponse } from '../http/provider-response.ts'
import { sendCounted } from '../http/send-attempt.ts'
import { failedResult } from '../http/tool-result.ts'
import { addCredentials } from '../pipeline/add-credentials.ts'
import type { HasRequest, StepDeps } from '../pipeline/context.ts'
import { logBeforeSend } from '../pipeline/log-before-send.ts'
import type { RunningTool, SendToolRequest } from '../tool-request.ts'
import type { ToolConnection, ToolResult } from '../types.ts'
import { mcpFailure, mcpResult } from './mcp-result.ts'
import { callInSession, type McpServer, peerForDryRun, serverKey, sessionKey } from './mcp-sessions.ts'

/** The limit of one response, which becomes values in memory, not a file. */
const BYTES_MAX = 10 * 1024 * 1024

/** Calls a tool of a remote MCP server. */
export async function callMcpServer(
  context: RunningTool,
  deps: StepDeps,
  send: SendToolRequest,
): Promise<ToolResult> {
  const { call, resolvedTool } = context
  const { tool, toolkit } = resolvedTool
  if (!tool.mcp) throw new Error(`${tool.slug} calls no MCP server`)
  const bytesMax = tool.limits.responseBytes ?? BYTES_MAX
  const current = { connection: context.connection }
  const client = createClient(context, deps, send, current)
  const key = serverKey(call.projectId, toolkit)
  const server: McpServer = { key, sessionKey: () => sessionKey(key, call, current.connection) }
  const params: JsonObject = { name: tool.mcp.tool, arguments: context.arguments }
  const headers = parameterHeaders(resolvedTool, context.arguments)
  const callTool = (peer: McpPeer) => client.request(peer, 'call', 'tools/call', params, headers)
  try {
    // A dry run shows the call itself, not the requests that start a session.
    const result = call.dryRun
      ? await callTool(peerForDryRun(deps.mcpSessions, server))
      : await callInSession(deps.mcpSessions, client, server, callTool)
    return mcpResult(resolvedTool, result)
  } catch (error) {
    if (error instanceof McpError) return mcpFailure(resolvedTool, error)
    if (!(error instanceof EgressError) || error.kind !== 'too_large') throw error
    const message = `The response of the MCP server is larger than ${bytesMax} bytes. Request less at once.`
    return failedResult(413, message)
  }
}

/** Sends the messages of the client as requests of the tool. `current` is updated when a token is refreshed. */
function createClient(
  context: RunningTool,
  deps: StepDeps,
  send: SendToolRequest,
  current: { connection: ToolConnection },
): McpClient {
  const { resolvedTool, call } = context
  const bytesMax = resolvedTool.tool.limits.responseBytes ?? BYTES_MAX
  return createMcpClient({
    timeoutMs: timeoutMsOf(resolvedTool),
    signal: call.signal,
    async send(message): Promise<McpReply> {
      const requestOptions = {
        timeoutMs: message.timeoutMs,
        onBody: message.onBody,
        isPreparation: message.purpose === 'prepare',
        bytesMax,
        sensitiveHeaders: ['mcp-session-id'],
      }
      const { connection } = current
      const running = { ...context, connection, request: renderMessage(message), requestOptions }
      if (message.purpose === 'aside') return sendAside(running, deps, message.signal)
      const sent = await send(running, deps)
      current.connection = sent.connection
      return sent.response
    },
  })
}

/**
 * Sends a message that needs no retry and no new token, such as the end of a session. Without a signal it is sent
 * although the client has disconnected.
 */
async function sendAside(
  context: RunningTool & HasRequest,
  deps: StepDeps,
  signal: AbortSignal | undefined,
): Promise<McpReply> {
  const { signedRequest } = await addCredentials(context, deps)
  await logBeforeSend(context, deps)
  const request = signal ? { ...signedRequest, signal } : signedRequest
  return readProviderResponse(await sendCounted(context, deps.egress, request))
}

const renderMessage = ({ method, headers, message }: McpRequest): RenderedRequest => ({
  method,
  path: '',
  query: [],
  headers: { ...headers },
  body: message,
  bodyType: 'json',
})

/** Arguments that a server requires as headers, too (MCP 2026-07-28 "Custom Headers"). Other values are left out. */
function parameterHeaders(
  { tool }: ResolvedTool,
  args: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const { name, value: read } of tool.mcp?.headers ?? []) {
    const value = read(args)
    if (['string', 'number', 'boolean'].includes(typeof value)) {
      headers[`mcp-param-${name}`] = encodeHeaderValue(String(value))
    }
  }
  return headers
}
