import { finish, type Finished, UNCHANGED, type Unchanged } from '../../../../platform/pipeline.ts'
import type { ConnectContext, FlowOutcome } from '../context.ts'
import { storeGrant, usePending } from '../pending-connection.ts'

/**
 * Stores the credentials in one transaction, unless the account was deleted or its time to connect ended
 * while tokens were fetched.
 */
export async function connectAccount({
  project,
  projectId,
  account,
  grant,
  pendingId,
}: ConnectContext): Promise<Unchanged | Finished<FlowOutcome>> {
  const isStored = await project.db.begin(
    async (tx) =>
      (await usePending(tx, projectId, pendingId)) &&
      (await storeGrant(project, tx, projectId, account, grant)),
  )
  return isStored ? UNCHANGED : finish<FlowOutcome>({ kind: 'too_late' })
}
