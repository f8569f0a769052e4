import type { GuardedCall, HookResult, Hooks, Result } from '../../../engine/index.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import type { SessionKey, SessionRules } from '../index.ts'
import { askHook, type AskDeps } from './ask.ts'
import { type Hook, type HookType, readHook } from './hook.ts'
import { type Said, stopped, wordFor } from './said.ts'

export interface HooksDeps extends AskDeps {
  sessionRules(key: SessionKey, call: object): Promise<SessionRules | undefined>
}

/** For all hooks of one type together: a call has a minute in all. */
const TOGETHER_MS = 15_000

/** The hooks of sessions, one after the other in their order: each sees what those before it made of the call. */
export function sessionHooks(deps: HooksDeps): Hooks {
  async function hooksOf({ execution, found: { toolkit } }: GuardedCall): Promise<readonly Hook[]> {
    const { projectId, within, dryRun } = execution
    if (within?.sessionId === undefined || dryRun) return []
    const rules = await deps.sessionRules({ projectId, id: within.sessionId }, execution)
    if (!rules) throw new ApiError('ToolRouterV2_SessionNotFound', `Session ${within.sessionId} not found`)
    return (rules.hooks ?? [])
      .map(readHook)
      .map((hook) => {
        // It was read when the session was configured; a release that reads less must not skip it.
        if ('mistake' in hook)
          throw new ApiError(
            'ActionExecute_PolicyRefused',
            `A hook of the session cannot be used: ${hook.mistake}`,
          )
        return hook
      })
      .filter(({ toolkits }) => !toolkits || toolkits.includes(toolkit.slug))
  }

  /** `stop`: the first that stopped the call. */
  async function ask(
    type: HookType,
    hooks: readonly Hook[],
    call: GuardedCall,
    result: Result | undefined,
    told: HookResult[],
  ): Promise<{ value?: Record<string, unknown>; stop?: string }> {
    const until = performance.now() + TOGETHER_MS
    let value: Record<string, unknown> | undefined
    for (const hook of hooks.filter((one) => one.type === type)) {
      const left = Math.min(hook.timeoutMs, until - performance.now())
      const looked = result
        ? { call, arguments: call.execution.arguments, result: value ? { ...result, data: value } : result }
        : { call, arguments: value ?? call.arguments }
      const answered = left > 0 ? await askHook(deps, hook, looked, Math.ceil(left)) : undefined
      const said: Said =
        answered ??
        (hook.failsOpen
          ? { action: 'run' }
          : stopped(type, `The hook ${hook.id} of the session gave no answer, so this was blocked.`))
      told.push({
        hook_id: hook.id,
        type,
        action: answered ? wordFor(type, said) : 'no_answer',
        message: said.action === 'stop' ? said.message : null,
      })
      if (said.action === 'stop') return { stop: said.message }
      if (said.action === 'modify') value = said.value
    }
    return value ? { value } : {}
  }

  return {
    async before(call) {
      const hooks = await hooksOf(call)
      if (hooks.length === 0) return undefined
      const results: HookResult[] = []
      const { value, stop } = await ask('before_execute', hooks, call, undefined, results)
      if (stop !== undefined) return { blocked: blocked(stop, results, null) }
      return {
        ...(value && { arguments: value }),
        async after(result) {
          // What was never made has nothing to look at.
          if (result.held) return result
          const { value: data, stop: reason } = await ask('after_execute', hooks, call, result, results)
          return reason !== undefined
            ? blocked(reason, results, result.statusCode)
            : data
              ? { ...result, data }
              : result
        },
      }
    },
    async refuseProxy(call) {
      if ((await hooksOf(call)).length > 0)
        throw new ApiError(
          'ActionExecute_PolicyRefused',
          `The session has hooks for ${call.found.toolkit.slug}, which look at calls of tools; requests of the caller's own are not made.`,
        )
    },
  }
}

const blocked = (reason: string, results: readonly HookResult[], statusCode: number | null): Result => ({
  data: {},
  error: reason,
  successful: false,
  statusCode,
  blocked: { reason, results },
})
