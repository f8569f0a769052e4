import { finish, type Finished, UNCHANGED, type Unchanged } from '../../platform/pipeline.ts'
import { checkArguments, copyArguments } from '../arguments/check-arguments.ts'
import type { HookOutcome } from '../dependencies.ts'
import type { ToolResult } from '../types.ts'
import { prepareCall } from './authorize-call.ts'
import type { CallStart, HasArguments, HasConnection, HasTool, StepDeps } from './context.ts'

type HookedCall = CallStart & HasTool & HasArguments & HasConnection
interface MayHaveHook {
  readonly hookOutcome?: HookOutcome | undefined
}

/** Runs the hooks of the session before the call. They may change its arguments or block it. */
export function runHooksBefore(
  context: HookedCall,
  deps: StepDeps,
): Unchanged | Promise<Unchanged | (MayHaveHook & HasArguments) | Finished<ToolResult>> {
  return deps.hooks ? applyHooks(context, deps) : UNCHANGED
}

async function applyHooks(
  context: HookedCall,
  deps: StepDeps,
): Promise<Unchanged | (MayHaveHook & HasArguments) | Finished<ToolResult>> {
  const hookOutcome = await deps.hooks?.beforeCall(prepareCall(context, deps))
  if (!hookOutcome) return UNCHANGED
  if (hookOutcome.blocked) return finish({ ...hookOutcome.blocked, isWithheld: true })
  if (!hookOutcome.arguments) return { hookOutcome, arguments: context.arguments }
  const args = copyArguments(hookOutcome.arguments)
  const invalid = checkArguments(context.resolvedTool, args)
  if (!invalid) return { hookOutcome, arguments: args }
  const error = `A hook changed the arguments. ${invalid.error ?? ''}`
  return finish({ ...invalid, error, isWithheld: true, loggedAs: { ...invalid, error } })
}

/** Runs the hooks that inspect the result. */
export function runHooksAfter(
  context: HasArguments & MayHaveHook,
  _deps: StepDeps,
  result: ToolResult,
): ToolResult | Promise<ToolResult> {
  return context.hookOutcome?.after?.(result, context.arguments) ?? result
}
