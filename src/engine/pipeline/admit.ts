import type { EngineDeps, FoundTool, GuardedCall, Held, Hooked, Result } from '../types.ts'

/** How a call goes on: not at all, with an answer in its place, or with what looks at its answer. */
export interface Admitted {
  held?: Held | undefined
  after?: Hooked['after']
}

/**
 * Before anything is sent: the hooks of the session look at the call and may change its arguments, then the policies judge what is left to be sent.
 * @throws ApiError ActionExecute_PolicyRefused
 */
export async function admit(
  { hooks, guard }: EngineDeps,
  call: GuardedCall,
  readArguments: (found: FoundTool, args: Record<string, unknown>) => Result | undefined,
): Promise<Admitted> {
  const hooked = await hooks?.before(call)
  if (hooked?.blocked) return { held: asIs(hooked.blocked) }
  if (hooked?.arguments) {
    const mistake = readArguments(call.found, hooked.arguments)
    if (mistake)
      return { held: asIs({ ...mistake, error: `A hook changed the arguments. ${mistake.error ?? ''}` }) }
    call.execution.arguments = hooked.arguments
  }
  const held = await guard?.check({ ...call, arguments: call.execution.arguments })
  return { held, ...(hooked?.after && { after: hooked.after }) }
}

const asIs = (result: Result): Held => ({ answered: { ...result, held: true }, recorded: result })
