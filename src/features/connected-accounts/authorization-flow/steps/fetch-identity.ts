import { updateIdentity } from '../../identity/identity.ts'
import type { ConnectContext, FlowOutcome } from '../context.ts'

/**
 * Fetches the user's identity at the provider, which accounts and pages show. A failure does not end the
 * flow.
 */
export async function fetchIdentity(context: ConnectContext): Promise<FlowOutcome> {
  const { project, projectId, account } = context
  const identity = await updateIdentity(project, projectId, account.id, context.identity)
  return { kind: 'connected', subject: context, identity }
}
