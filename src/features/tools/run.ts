import * as contract from '../../contract/tools.ts'
import type { Execute, Execution } from '../../engine/index.ts'
import { ApiError, badRequest } from '../../platform/http/api-error.ts'
import type { Api, Call } from '../../platform/http/call.ts'
import { defaultVersion } from './browse.ts'

export function runRoutes(api: Api, { execute }: { execute: Execute }): void {
  api.on(contract.executeTool, async (call) => {
    const { body } = call
    if (body.text !== undefined && body.arguments !== undefined) throw badRequest("Error in payload.text.arguments: Only one of 'text' or 'arguments' must be provided")
    if (body.text !== undefined) throw new ApiError('ActionExecute_NoModelConfigured', 'This server has no language model that could read text.')
    checkGatewayHeaders(call.header('x-llm-gateway-headers'))
    const { data, error, successful, logId } = await execute(executionOf(call))
    return { data, error, successful, session_info: null, log_id: logId }
  })
}

function executionOf(call: Call<typeof contract.executeTool>): Execution {
  const { body, params, projectId, settings, requestId, apiVersion, signal } = call
  return {
    projectId, settings, requestId, signal, toolSlug: params.tool_slug, version: body.version ?? defaultVersion(apiVersion),
    userId: body.user_id ?? body.entity_id, connectedAccountId: body.connected_account_id, arguments: body.arguments ?? {},
    customAuth: body.custom_auth_params as Execution['customAuth'], customConnection: body.custom_connection_data, source: sourceOf(call),
  }
}

/** What the client says of itself; kept with the log row. */
function sourceOf({ header }: Pick<Call<typeof contract.executeTool>, 'header'>): Execution['source'] {
  const framework = header('x-framework')
  const source = header('x-source')
  return framework || source ? { framework: framework?.slice(0, 64), source: source?.slice(0, 64), sdk_version: header('x-sdk-version')?.slice(0, 32) } : null
}

function checkGatewayHeaders(text: string | undefined): void {
  if (text === undefined) return
  let parsed: unknown
  try { parsed = JSON.parse(text) } catch { /* reported below */ }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw badRequest('Error in headers.x-llm-gateway-headers: must be a JSON object')
}
