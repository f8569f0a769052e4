import { finish, type Finished, UNCHANGED, type Unchanged } from '../../../../platform/pipeline.ts'
import { randomText } from '../../../../platform/ids.ts'
import { callbackUrlWith } from '../callback-url.ts'
import type { ConnectContext, FlowOutcome } from '../context.ts'
import { storePendingConnection } from '../pending-connection.ts'
import { hashKey } from '../pending-store.ts'

/** 190 bits: the session id alone authorizes the confirmation. */
const SESSION_CHARACTERS = 32

/**
 * Ends if the project has a URL at which its application confirms the user that returned from the provider.
 * The account is connected when the application calls `complete_auth`.
 */
export async function requestConfirmation(
  context: ConnectContext,
): Promise<Unchanged | Finished<FlowOutcome>> {
  const { project, projectId, grant } = context
  const verifierUrl = grant.isFromProvider ? (await project.branding(projectId)).verifierUrl : null
  if (!verifierUrl) return UNCHANGED
  const session = `session_${randomText(SESSION_CHARACTERS)}`
  const url = callbackUrlWith(verifierUrl, { session_uri: session })
  const pending = { grant, what: '', choices: [], url }
  const id = await storePendingConnection(context, 'confirmation', hashKey(session), pending)
  return finish<FlowOutcome>(
    id === undefined ? { kind: 'too_late' } : { kind: 'confirmation_required', subject: context, url },
  )
}
