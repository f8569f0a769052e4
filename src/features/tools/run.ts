import { LATEST_VERSION } from '../../catalog/index.ts'
import * as contract from '../../contract/tools.ts'
import type { ExecuteTool, ToolExecution, ToolCall, GenerateArguments, ExecuteProxy, ProxyCall } from '../../engine/index.ts'
import { badRequest } from '../../platform/http/api-error.ts'
import type { Api, Call } from '../../platform/http/call.ts'
import { sourceOf } from '../../platform/http/client-info.ts'
import { defaultVersion } from './browse.ts'
import { idempotency, readKey } from './idempotency.ts'
import { fieldsOf } from './response-shaping/fields.ts'
import { firstPage, laterPage, type PageDeps } from './response-shaping/pages.ts'

export interface RunDeps extends PageDeps {
  execute: ExecuteTool
  proxy: ExecuteProxy
  input: GenerateArguments
}

export function runRoutes(api: Api, deps: RunDeps): void {
  const { execute, proxy, input } = deps
  const once = idempotency(deps)

  api.on(contract.executeTool, async (call) => {
    const { body } = call
    if (body.text !== undefined && body.arguments !== undefined)
      throw badRequest("Error in payload.text.arguments: Only one of 'text' or 'arguments' must be provided")
    const headers = gatewayHeaders(call.header('x-llm-gateway-headers'))
    const text = body.text === undefined ? undefined : { text: body.text, headers }
    const options = body.response ?? {}
    const key = readKey(call.header('idempotency-key'))
    const keep = options.fields && fieldsOf(options.fields)
    const run = async (more: Pick<ToolCall, 'logId' | 'onEffect'> = {}, onHeld?: () => void) => {
      const executed = await execute({ ...executionOf(call), text, dryRun: options.dry_run, ...more })
      if (executed.isWithheld) onHeld?.()
      return shaped(call, executed, keep)
    }
    // Nothing happens in a dry run that could happen twice.
    if (key === undefined || options.dry_run) return run()
    const {
      projectId,
      settings: { storePayloads: mayStore },
      params,
      apiVersion,
      log,
    } = call
    return once({
      projectId,
      key,
      call: [apiVersion, params.tool_slug.toUpperCase(), body],
      mayStore,
      log,
      run: (logId, onEffect, onHeld) => run({ logId, onBeforeSend: onEffect }, onHeld),
    })
  })
  api.on(contract.readResponsePage, async ({ projectId, params, query }) =>
    laterPage(deps, projectId, params.response_id, query.page ?? 2),
  )

  /** The answer as its caller wants it; without options as it is. */
  async function shaped(
    { body, projectId, settings, log }: Call<typeof contract.executeTool>,
    { data, error, successful, logId, paging }: ToolExecution,
    keep: ReturnType<typeof fieldsOf> | undefined,
  ): Promise<contract.ExecuteReply> {
    const reply = { data, error, successful, session_info: null, log_id: logId, ...(paging && { paging }) }
    const { max_tokens: tokens, dry_run: isDry } = body.response ?? {}
    if (!successful || isDry || (!keep && tokens === undefined)) return reply
    const kept = keep?.(data)
    const page =
      tokens === undefined
        ? undefined
        : await firstPage(deps, projectId, kept?.data ?? data, {
            tokens,
            mayStore: settings.storePayloads,
            log,
          })
    return {
      ...reply,
      data: page?.data ?? kept?.data ?? data,
      response: { ...page?.response, ...(kept?.missing.length ? { missing_fields: kept.missing } : {}) },
    }
  }

  api.on(contract.toolInput, ({ projectId, params, body, signal, header }) =>
    input(
      { projectId, toolSlug: params.tool_slug, version: body.version ?? LATEST_VERSION, signal },
      {
        text: body.text,
        description: body.custom_description,
        systemPrompt: body.system_prompt,
        headers: gatewayHeaders(header('x-llm-gateway-headers')),
      },
    ),
  )

  api.on(contract.proxyExecute, async (call) => {
    const { status, headers, data, file } = await proxy(proxyCallOf(call))
    return {
      status,
      headers,
      ...(file
        ? {
            binary_data: {
              url: file.url,
              content_type: file.mimetype,
              size: file.size,
              expires_at: file.expiresAt,
            },
          }
        : { data }),
    }
  })
}

function proxyCallOf(call: Call<typeof contract.proxyExecute>): ProxyCall {
  const { body, projectId, settings, requestId, signal, log } = call
  return {
    projectId,
    settings,
    requestId,
    signal,
    log,
    source: sourceOf(call),
    connectedAccountId: body.connected_account_id,
    userId: body.user_id,
    customConnection: body.custom_connection_data,
    endpoint: body.endpoint,
    method: body.method,
    body: body.body,
    binaryBody: body.binary_body,
    parameters: body.parameters,
  }
}

function executionOf(call: Call<typeof contract.executeTool>): ToolCall {
  const { body, params, projectId, settings, requestId, apiVersion, signal } = call
  return {
    projectId,
    settings,
    requestId,
    signal,
    toolSlug: params.tool_slug,
    version: body.version ?? defaultVersion(apiVersion),
    userId: body.user_id ?? body.entity_id,
    connectedAccountId: body.connected_account_id,
    arguments: body.arguments ?? {},
    customAuth: customAuthOf(body.custom_auth_params as ToolCall['customAuth']),
    customConnection: body.custom_connection_data,
    source: sourceOf(call),
    log: call.log,
    ...(body.paging && {
      paging: { maxPages: body.paging.max_pages ?? PAGES, maxItems: body.paging.max_items ?? ITEMS },
    }),
  }
}

const PAGES = 10
const ITEMS = 1_000

/** Empty parameters are none. A header that cannot be sent is the caller's mistake, not trouble with the application. */
function customAuthOf(given: ToolCall['customAuth']): ToolCall['customAuth'] {
  const { base_url, parameters = [], body = {} } = given ?? {}
  const wrong = parameters.flatMap(({ name, in: place, value }, i) => {
    if (place !== 'header') return []
    const at = `Error in payload.custom_auth_params.parameters.${i}`
    return [
      ...(HEADER_NAME.test(name) ? [] : [`${at}.name: is no header name`]),
      ...(HEADER_VALUE.test(String(value)) ? [] : [`${at}.value: cannot stand in a header`]),
    ]
  })
  if (wrong.length) throw badRequest(...wrong)
  return base_url || parameters.length || Object.keys(body).length ? given : undefined
}

// RFC 9110, sections 5.1 and 5.5.
const HEADER_NAME = /^[!#$%&'*+.^_`|~\w-]+$/
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

const GATEWAY_HEADERS_MAX = 50
/** What belongs to the connection to the model, and what a gateway could not be told by a caller. */
const NOT_PASSED_ON =
  /^(host|connection|content-length|content-type|content-encoding|transfer-encoding|keep-alive|upgrade|te|trailer|expect|accept-encoding|proxy-.*)$/i

/** Headers for the model, given as one JSON object. @throws ApiError 400 for what could not be sent */
function gatewayHeaders(text: string | undefined): Record<string, string> {
  if (text === undefined) return {}
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    /* reported below */
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw badRequest('Error in headers.x-llm-gateway-headers: must be a JSON object')
  const entries = Object.entries(parsed)
  const fits =
    entries.length <= GATEWAY_HEADERS_MAX &&
    entries.every(
      ([name, value]) =>
        HEADER_NAME.test(name) &&
        !NOT_PASSED_ON.test(name) &&
        ['string', 'number', 'boolean'].includes(typeof value) &&
        HEADER_VALUE.test(String(value)),
    )
  if (!fits)
    throw badRequest(
      `Error in headers.x-llm-gateway-headers: must be at most ${GATEWAY_HEADERS_MAX} names of headers with texts that can be sent`,
    )
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), String(value)]))
}
