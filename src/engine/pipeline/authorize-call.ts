import { finish, type Finished } from '../../platform/pipeline.ts'
import type { PreparedCall, ToolResult } from '../types.ts'
import type {
  CallStart,
  HasArguments,
  HasAuthorization,
  HasConnection,
  HasTool,
  StepDeps,
} from './context.ts'

const AUTHORIZED: HasAuthorization = { isAuthorized: true }

/**
 * Applies the policies of the project and the permissions of the session. A call that a person has to approve
 * ends here.
 */
export function authorizeCall(
  context: CallStart & HasTool & HasArguments & HasConnection,
  deps: StepDeps,
): HasAuthorization | Promise<HasAuthorization | Finished<ToolResult>> {
  return deps.policies ? applyPolicies(prepareCall(context, deps), deps) : AUTHORIZED
}

async function applyPolicies(
  prepared: PreparedCall,
  { policies }: StepDeps,
): Promise<HasAuthorization | Finished<ToolResult>> {
  const decision = await policies?.authorize(prepared)
  if (!decision) return AUTHORIZED
  if ('restore' in decision) return { ...AUTHORIZED, usedApproval: decision }
  return finish({ ...decision.result, loggedAs: decision.loggedResult })
}

export function prepareCall(
  context: CallStart & HasTool & HasArguments & HasConnection,
  { catalog }: StepDeps,
): PreparedCall {
  const { call, resolvedTool, connection, logId, arguments: args } = context
  return {
    catalog,
    call,
    resolvedTool,
    connection,
    logId,
    arguments: args,
    loggedArguments: args,
    isProxy: false,
  }
}
