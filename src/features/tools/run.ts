import * as contract from '../../contract/tools.ts'
import type { Execute, Execution, Proxy, ProxyCall } from '../../engine/index.ts'
import { ApiError, badRequest } from '../../platform/http/api-error.ts'
import type { Api, Call } from '../../platform/http/call.ts'
import { defaultVersion } from './browse.ts'

export function runRoutes(api: Api, { execute, proxy }: { execute: Execute, proxy: Proxy }): void {
  api.on(contract.executeTool, async (call) => {
    const { body } = call
    if (body.text !== undefined && body.arguments !== undefined) throw badRequest("Error in payload.text.arguments: Only one of 'text' or 'arguments' must be provided")
    if (body.text !== undefined) throw new ApiError('ActionExecute_NoModelConfigured', 'This server has no language model that could read text.')
    checkGatewayHeaders(call.header('x-llm-gateway-headers'))
    const { data, error, successful, logId } = await execute(executionOf(call))
    return { data, error, successful, session_info: null, log_id: logId }
  })

  api.on(contract.proxyExecute, async (call) => {
    const { status, headers, data, file } = await proxy(proxyCallOf(call))
    return { status, headers, ...(file ? { binary_data: { url: file.url, content_type: file.mimetype, size: file.size, expires_at: file.expiresAt } } : { data }) }
  })
}

function proxyCallOf(call: Call<typeof contract.proxyExecute>): ProxyCall {
  const { body, projectId, settings, requestId, signal, log } = call
  return {
    projectId, settings, requestId, signal, log, source: sourceOf(call), connectedAccountId: body.connected_account_id, userId: body.user_id, customConnection: body.custom_connection_data,
    endpoint: body.endpoint, method: body.method, body: body.body, binaryBody: body.binary_body, parameters: body.parameters,
  }
}

function executionOf(call: Call<typeof contract.executeTool>): Execution {
  const { body, params, projectId, settings, requestId, apiVersion, signal } = call
  return {
    projectId, settings, requestId, signal, toolSlug: params.tool_slug, version: body.version ?? defaultVersion(apiVersion),
    userId: body.user_id ?? body.entity_id, connectedAccountId: body.connected_account_id, arguments: body.arguments ?? {},
    customAuth: customAuthOf(body.custom_auth_params as Execution['customAuth']), customConnection: body.custom_connection_data, source: sourceOf(call), log: call.log,
  }
}

/** Empty parameters are none. A header that cannot be sent is the caller's mistake, not trouble with the application. */
function customAuthOf(given: Execution['customAuth']): Execution['customAuth'] {
  const { base_url, parameters = [], body = {} } = given ?? {}
  const wrong = parameters.flatMap(({ name, in: place, value }, i) => {
    if (place !== 'header') return []
    const at = `Error in payload.custom_auth_params.parameters.${i}`
    return [...HEADER_NAME.test(name) ? [] : [`${at}.name: is no header name`], ...HEADER_VALUE.test(String(value)) ? [] : [`${at}.value: cannot stand in a header`]]
  })
  if (wrong.length) throw badRequest(...wrong)
  return base_url || parameters.length || Object.keys(body).length ? given : undefined
}

// RFC 9110, sections 5.1 and 5.5.
const HEADER_NAME = /^[!#$%&'*+.^_`|~\w-]+$/
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/** What the client says of itself; kept with the log row. */
function sourceOf({ header }: { header(name: string): string | undefined }): Execution['source'] {
  const framework = header('x-framework')
  const source = header('x-source')
  return framework || source ? { framework: framework?.slice(0, 64), source: source?.slice(0, 64), runtime: header('x-runtime')?.slice(0, 64), sdk_version: header('x-sdk-version')?.slice(0, 32) } : null
}

function checkGatewayHeaders(text: string | undefined): void {
  if (text === undefined) return
  let parsed: unknown
  try { parsed = JSON.parse(text) } catch { /* reported below */ }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw badRequest('Error in headers.x-llm-gateway-headers: must be a JSON object')
}
