import type { PreparedCall, HookResult, CallHooks, ToolResult } from '../../../engine/index.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import type { SessionKey, SessionRules } from '../store.ts'
import { callHook, type CallHookDeps } from './call-hook.ts'
import { type SessionHook, type SessionHookType, parseHook } from './hook-config.ts'
import { type HookDecision, stopDecision, wireActionName } from './hook-decision.ts'

export interface SessionHooksDeps extends CallHookDeps {
  sessionRules(key: SessionKey, call: object): Promise<SessionRules | undefined>
}

/** For all hooks of one type together: a call has a minute in all. */
const TOTAL_TIMEOUT_MS = 15_000

/** The hooks of sessions, one after the other in their order: each sees what those before it made of the call. */
export function createSessionHooks(deps: SessionHooksDeps): CallHooks {
  async function hooksForCall({
    call: execution,
    resolvedTool: { toolkit },
  }: PreparedCall): Promise<readonly SessionHook[]> {
    const { projectId, parent: within, dryRun } = execution
    if (within?.sessionId === undefined || dryRun) return []
    const rules = await deps.sessionRules({ projectId, id: within.sessionId }, execution)
    if (!rules) throw new ApiError('ToolRouterV2_SessionNotFound', `Session ${within.sessionId} not found`)
    return (rules.hooks ?? [])
      .map(parseHook)
      .map((hook) => {
        // It was read when the session was configured; a release that reads less must not skip it.
        if ('problem' in hook)
          throw new ApiError(
            'ActionExecute_PolicyRefused',
            `A hook of the session cannot be used: ${hook.problem}`,
          )
        return hook
      })
      .filter(({ toolkits }) => !toolkits || toolkits.includes(toolkit.slug))
  }

  /** `stop`: the first that stopped the call. */
  async function runHooks(
    type: SessionHookType,
    hooks: readonly SessionHook[],
    call: PreparedCall,
    result: ToolResult | undefined,
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
      const decision: HookDecision =
        response ??
        (hook.failsOpen
          ? { action: 'run' }
          : stopDecision(type, `The hook ${hook.id} of the session gave no answer, so this was blocked.`))
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

  return {
    async beforeCall(call) {
      const hooks = await hooksForCall(call)
      if (hooks.length === 0) return undefined
      const results: HookResult[] = []
      const { value, stop } = await runHooks('before_execute', hooks, call, undefined, results)
      if (stop !== undefined) return { blocked: blockedResult(stop, results, null) }
      return {
        ...(value && { arguments: value }),
        async after(result, sent) {
          // What was never made has nothing to look at.
          if (result.isWithheld) return result
          const { value: data, stop: reason } = await runHooks(
            'after_execute',
            hooks,
            { ...call, arguments: sent },
            result,
            results,
          )
          return reason !== undefined
            ? blockedResult(reason, results, result.statusCode)
            : data
              ? { ...result, data }
              : result
        },
      }
    },
    async rejectProxyCall(call) {
      if ((await hooksForCall(call)).length > 0)
        throw new ApiError(
          'ActionExecute_PolicyRefused',
          `The session has hooks for ${call.resolvedTool.toolkit.slug}, which look at calls of tools; ` +
            `requests of the caller's own are not made.`,
        )
    },
  }
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
