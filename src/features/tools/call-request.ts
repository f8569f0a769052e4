import type * as contract from '../../contract/tools/index.ts'
import type { ProxyCall, ToolCall } from '../../engine/index.ts'
import { badRequest } from '../../platform/http/api-error.ts'
import type { Call } from '../../platform/http/call.ts'
import { clientInfoFrom } from '../../platform/http/client-info.ts'
import { toProxiedRequest } from './proxied-request.ts'
import { defaultVersion } from './service.ts'

const PAGES_DEFAULT = 10
const ITEMS_DEFAULT = 1_000
// RFC 9110, sections 5.1 and 5.5.
const HEADER_NAME = /^[!#$%&'*+.^_`|~\w-]+$/
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
const GATEWAY_HEADERS_MAX = 50
/** Headers of the connection to the model. Those for proxies, `proxy-…`, are reserved too. */
const RESERVED_HEADERS = new Set([
  'host',
  'authorization',
  'api-key',
  'x-api-key',
  'cookie',
  'connection',
  'content-length',
  'content-type',
  'content-encoding',
  'transfer-encoding',
  'keep-alive',
  'upgrade',
  'te',
  'trailer',
  'expect',
  'accept-encoding',
])

/** Returns the call of a tool that a request describes. */
export function toToolCall(
  call: Call<typeof contract.executeTool>,
  gatewayHeaders: readonly string[],
): ToolCall {
  const { body, params, projectId, settings, requestId, apiVersion, signal, log, changesConfirmed } = call
  if (body.text !== undefined && body.arguments !== undefined) {
    throw badRequest("Error in payload.text.arguments: Only one of 'text' or 'arguments' must be provided")
  }
  const headers = readGatewayHeaders(call.header('x-llm-gateway-headers'), gatewayHeaders)
  const { paging } = body
  return {
    projectId,
    settings,
    requestId,
    signal,
    log,
    changesConfirmed,
    toolSlug: params.tool_slug,
    version: body.version ?? defaultVersion(apiVersion),
    userId: body.user_id ?? body.entity_id,
    connectedAccountId: body.connected_account_id,
    arguments: body.arguments ?? {},
    ownsArguments: true,
    text: body.text === undefined ? undefined : { text: body.text, headers },
    customAuth: checkCustomAuth(body.custom_auth_params as ToolCall['customAuth']),
    customConnection: body.custom_connection_data,
    source: clientInfoFrom(call),
    dryRun: body.response?.dry_run,
    paging: paging && {
      maxPages: paging.max_pages ?? PAGES_DEFAULT,
      maxItems: paging.max_items ?? ITEMS_DEFAULT,
    },
  }
}

/** Returns the proxied request that a request describes. */
export function toProxyCall(call: Call<typeof contract.proxyExecute>): ProxyCall {
  const { body, projectId, settings, requestId, signal, log, changesConfirmed } = call
  return {
    projectId,
    settings,
    requestId,
    signal,
    log,
    changesConfirmed,
    source: clientInfoFrom(call),
    connectedAccountId: body.connected_account_id,
    userId: body.user_id,
    ...toProxiedRequest(body),
  }
}

/** Empty parameters count as none. @throws ApiError 400 for a header that cannot be sent */
function checkCustomAuth(customAuth: ToolCall['customAuth']): ToolCall['customAuth'] {
  const { base_url, parameters = [], body = {} } = customAuth ?? {}
  const errors = parameters.flatMap(({ name, in: location, value }, index) => {
    if (location !== 'header') return []
    const field = `Error in payload.custom_auth_params.parameters.${index}`
    return [
      ...(HEADER_NAME.test(name) ? [] : [`${field}.name: is not a valid header name`]),
      ...(HEADER_VALUE.test(String(value)) ? [] : [`${field}.value: is not a valid header value`]),
    ]
  })
  if (errors.length) throw badRequest(...errors)
  return base_url || parameters.length || Object.keys(body).length ? customAuth : undefined
}

/**
 * Reads headers for the language model from a JSON object. Requests to the model have the key of the administrator, so
 * only headers in `allowed` are sent: others could choose another provider, route or key.
 * @throws ApiError 400 for headers that cannot be sent
 */
export function readGatewayHeaders(
  text: string | undefined,
  allowed: readonly string[],
): Record<string, string> {
  if (text === undefined) return {}
  const field = 'Error in headers.x-llm-gateway-headers'
  let headers: unknown
  try {
    headers = JSON.parse(text)
  } catch {
    /* reported below */
  }
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) {
    throw badRequest(`${field}: must be a JSON object`)
  }
  const entries = Object.entries(headers)
  if (entries.length > GATEWAY_HEADERS_MAX || !entries.every(([name, value]) => isSendable(name, value))) {
    throw badRequest(
      `${field}: must contain at most ${GATEWAY_HEADERS_MAX} valid header names with valid header values`,
    )
  }
  const denied = entries.find(([name]) => !isAllowed(name.toLowerCase(), allowed))
  if (denied) {
    throw badRequest(
      `${field}.${denied[0]}: is not in LLM_GATEWAY_HEADERS, the headers that this server passes on`,
    )
  }
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), String(value)]))
}

const isAllowed = (name: string, allowed: readonly string[]): boolean =>
  allowed.some((entry) => (entry.endsWith('*') ? name.startsWith(entry.slice(0, -1)) : name === entry))

const isSendable = (name: string, value: unknown): boolean =>
  HEADER_NAME.test(name) &&
  !RESERVED_HEADERS.has(name.toLowerCase()) &&
  !/^proxy-/i.test(name) &&
  ['string', 'number', 'boolean'].includes(typeof value) &&
  HEADER_VALUE.test(String(value))
