import type * as contract from '../../contract/tools/index.ts'
import type { ExecuteTool, ToolCall, ToolExecution } from '../../engine/index.ts'
import type { Call } from '../../platform/http/call.ts'
import { runInSlices } from '../../platform/http/turns/run-in-slices.ts'
import { isPartlyUnparsed, parseAllMembers } from '../../platform/json-outline/index.ts'
import { toToolCall } from './call-request.ts'
import { readIdempotencyKey, runOnce } from './idempotency/idempotent-call.ts'
import { firstPage, type ResponsePageDeps } from './response-shaping/response-pages.ts'
import { compileFieldSelection, type SelectFields } from './response-shaping/select-fields.ts'

export interface ExecuteToolDeps extends ResponsePageDeps {
  executeTool: ExecuteTool
  /** Names of headers that callers may send to the language model, with an optional `*` at the end. */
  gatewayHeaders: readonly string[]
}
type ExecuteRequest = Call<typeof contract.executeTool>

/** Runs a tool. A request with an idempotency key runs it once. */
export async function executeToolRequest(
  deps: ExecuteToolDeps,
  request: ExecuteRequest,
): Promise<contract.ExecuteReply> {
  const { projectId, body, params, apiVersion, settings, log } = request
  const toolCall = toToolCall(request, deps.gatewayHeaders)
  const key = readIdempotencyKey(request.header('idempotency-key'))
  const { fields, max_tokens: tokensMax } = body.response ?? {}
  const selectFields = fields && compileFieldSelection(fields)
  const sendsUnchanged = key === undefined && !selectFields && tokensMax === undefined
  const run = async (more: Pick<ToolCall, 'logId' | 'onBeforeSend'> = {}) => {
    const execution = await deps.executeTool({ ...toolCall, sendsUnchanged, ...more })
    const reply = await shapeReply(deps, request, execution, selectFields)
    return { reply, isWithheld: execution.isWithheld === true }
  }
  // A dry run changes nothing, so it may be repeated.
  if (key === undefined || toolCall.dryRun) return (await run()).reply
  // The key is compared with all of the call.
  if (isPartlyUnparsed(body)) await runInSlices(parseAllMembers(body))
  return runOnce(deps, {
    projectId,
    key,
    call: [apiVersion, params.tool_slug.toUpperCase(), body],
    mayStore: settings.storePayloads,
    log,
    run: (logId, onBeforeSend) => run({ logId, onBeforeSend }),
  })
}

/** Applies the response options of the request. Failures and dry runs are not changed. */
async function shapeReply(
  deps: ExecuteToolDeps,
  { body, projectId, settings, log }: ExecuteRequest,
  { data, error, successful, logId, paging, session }: ToolExecution,
  selectFields: SelectFields | undefined,
): Promise<contract.ExecuteReply> {
  const sessionInfo = session && {
    session_id: session.accountId,
    expires_at: new Date(session.expiresAt).toISOString(),
  }
  const reply = {
    data,
    error,
    successful,
    session_info: sessionInfo ?? null,
    log_id: logId,
    ...(paging && { paging }),
  }
  const { max_tokens: tokensMax, dry_run: isDryRun } = body.response ?? {}
  if (!successful || isDryRun || (!selectFields && tokensMax === undefined)) return reply
  const selected = selectFields?.(data)
  const page =
    tokensMax === undefined
      ? undefined
      : await firstPage(deps, projectId, selected?.data ?? data, {
          tokensMax,
          mayStore: settings.storePayloads,
          log,
        })
  const missing = selected?.missing ?? []
  return {
    ...reply,
    data: page?.data ?? selected?.data ?? data,
    response: { ...page?.response, ...(missing.length ? { missing_fields: missing } : {}) },
  }
}
