import type { PreparedCall, HookResult, CallHooks, ToolResult } from '../../../engine/index.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import type { SessionRules } from '../session-rules.ts'
import type { SessionKey } from '../store.ts'
import { callHook, type CallHookDeps } from './call-hook.ts'
import { type SessionHook, type SessionHookType, parseHook } from './hook-config.ts'
import { type HookDecision, stopDecision, wireActionName } from './hook-decision.ts'

export interface SessionHooksDeps extends CallHookDeps {
  sessionRules(key: SessionKey, call: object): Promise<SessionRules | undefined>
}

/** For all hooks of one type together: a call has a minute in all. */
const TOTAL_TIMEOUT_MS = 15_000

/** The hooks of a session. They run in order, and each receives what the earlier ones made of the call. */
export function createSessionHooks(deps: SessionHooksDeps): CallHooks {
  return {
    async beforeCall(call) {
      const hooks = await hooksForCall(deps, call)
      if (hooks.length === 0) return undefined
      const results: HookResult[] = []
      const { value, stop } = await runHooks(deps, 'before_execute', hooks, { call }, results)
      if (stop !== undefined) return { blocked: blockedResult(stop, results, null) }
      return {
        ...(value && { arguments: value }),
        after: (result, sentArguments) =>
          runAfterHooks(deps, hooks, { ...call, arguments: sentArguments }, result, results),
      }
    },
    async rejectProxyCall(call) {
      if ((await hooksForCall(deps, call)).length > 0)
        throw new ApiError(
          'ActionExecute_PolicyRefused',
          `The session has hooks for ${call.resolvedTool.toolkit.slug}. They apply to tools, ` +
            'so proxied requests to this toolkit are not allowed in the session. Call a tool instead.',
        )
    },
  }
}

/** Returns the hooks that apply to a call. @throws ApiError if the session is deleted or a hook cannot be used */
async function hooksForCall(
  deps: SessionHooksDeps,
  { call: execution, resolvedTool: { toolkit } }: PreparedCall,
): Promise<readonly SessionHook[]> {
  const { projectId, parent, dryRun } = execution
  if (parent?.sessionId === undefined || dryRun) return []
  const rules = await deps.sessionRules({ projectId, id: parent.sessionId }, execution)
  if (!rules) throw new ApiError('ToolRouterV2_SessionNotFound', `Session ${parent.sessionId} not found`)
  return (rules.hooks ?? [])
    .map((json, at) => {
      const hook = parseHook(json, at)
      // It was valid when the session was configured. A release that no longer supports it must not skip it.
      if ('problem' in hook)
        throw new ApiError(
          'ActionExecute_PolicyRefused',
          `A hook of the session cannot be used: ${hook.problem}`,
        )
      return hook
    })
    .filter(({ toolkits }) => !toolkits || toolkits.includes(toolkit.slug))
}

/**
 * Runs the hooks of one type. Returns the value that they changed, or the message of the hook that stopped
 * the call.
 */
async function runHooks(
  deps: SessionHooksDeps,
  type: SessionHookType,
  hooks: readonly SessionHook[],
  { call, result }: { call: PreparedCall; result?: ToolResult },
  results: HookResult[],
): Promise<{ value?: Record<string, unknown>; stop?: string }> {
  const deadline = performance.now() + TOTAL_TIMEOUT_MS
  let value: Record<string, unknown> | undefined
  for (const hook of hooks.filter((one) => one.type === type)) {
    const remainingMs = Math.min(hook.timeoutMs, deadline - performance.now())
    const input = result
      ? { call, arguments: call.arguments, result: value ? { ...result, data: value } : result }
      : { call, arguments: value ?? call.arguments }
    const response = remainingMs > 0 ? await callHook(deps, hook, input, Math.ceil(remainingMs)) : undefined
    const decision: HookDecision = response ?? decisionWithoutResponse(hook)
    results.push({
      hook_id: hook.id,
      type,
      action: response ? wireActionName(type, decision) : 'no_answer',
      message: decision.action === 'stop' ? decision.message : null,
    })
    if (decision.action === 'stop') return { stop: decision.message }
    if (decision.action === 'modify') value = decision.value
  }
  return value ? { value } : {}
}

const decisionWithoutResponse = ({ id, type, failsOpen }: SessionHook): HookDecision =>
  failsOpen
    ? { action: 'run' }
    : stopDecision(type, `The hook ${id} of the session did not respond, so the call was blocked.`)

async function runAfterHooks(
  deps: SessionHooksDeps,
  hooks: readonly SessionHook[],
  call: PreparedCall,
  result: ToolResult,
  results: HookResult[],
): Promise<ToolResult> {
  // A call that was never sent has no result to check.
  if (result.isWithheld) return result
  const { value, stop } = await runHooks(deps, 'after_execute', hooks, { call, result }, results)
  if (stop !== undefined) return blockedResult(stop, results, result.statusCode)
  return value ? { ...result, data: value } : result
}

const blockedResult = (
  reason: string,
  results: readonly HookResult[],
  statusCode: number | null,
): ToolResult => ({
  data: {},
  error: reason,
  successful: false,
  statusCode,
  blocked: { reason, results },
})
