import { ApiError } from '../../../platform/http/api-error.ts'
import type { AccountDeps } from '../deps.ts'
import { updateIdentity } from '../identity/identity.ts'
import { moveAccount, STATUS_REASONS } from '../state-machine.ts'
import { type AccountRow, findAccount } from '../store.ts'
import { decryptPendingConnection, storeGrant } from './pending-connection.ts'
import * as pendingStore from './pending-store.ts'

const SESSION = /^session_[A-Za-z0-9]{32}$/

const unknownSession = () =>
  new ApiError(
    'ConnectedAccount_AuthSessionNotFound',
    'The session does not exist: it has expired, or was confirmed before.',
  )

/**
 * Connects the account after the application confirmed the user that returned from the provider. If the user
 * is another one, the session ends and the account fails. @throws 400, 404
 */
export async function completeAuth(
  deps: AccountDeps,
  projectId: string,
  sessionUri: string,
  userId: string,
): Promise<{ connected_account_id: string; toolkit_slug: string }> {
  if (userId === 'default')
    throw new ApiError(
      'ConnectedAccount_BadRequest',
      'The user_id "default" does not identify a user, so it cannot confirm one. Connect the account with the id of ' +
        'its user, and send that id here.',
    )
  const pending = SESSION.test(sessionUri)
    ? await pendingStore.findPendingConfirmation(deps.db, projectId, pendingStore.hashKey(sessionUri))
    : undefined
  const row =
    pending && !pending.is_expired
      ? await findAccount(deps.db, projectId, pending.connected_account_id)
      : undefined
  if (!pending || !row) throw unknownSession()
  if (row.user_id !== userId) throw await rejectOtherUser(deps, projectId, pending.id, row)
  const { grant } = decryptPendingConnection(deps.encryptor, pending)
  const isStored = await deps.db.begin(
    async (tx) =>
      (await pendingStore.usePendingConnection(tx, projectId, pending.id)) &&
      (await storeGrant(deps, tx, projectId, row, grant)),
  )
  if (!isStored) throw unknownSession()
  await updateIdentity(deps, projectId, row.id)
  return { connected_account_id: row.id, toolkit_slug: row.toolkit_slug }
}

/**
 * Ends the session and fails the account, unless the account works with older credentials. Returns the error.
 */
async function rejectOtherUser(
  deps: AccountDeps,
  projectId: string,
  pendingId: string,
  row: AccountRow,
): Promise<ApiError> {
  const isFirst = await deps.db.begin(async (tx) => {
    if (!(await pendingStore.usePendingConnection(tx, projectId, pendingId))) return false
    await moveAccount(deps, tx, projectId, row.id, 'fail', { status_reason: STATUS_REASONS.wrongUser })
    return true
  })
  return isFirst
    ? new ApiError(
        'ConnectedAccount_BadRequest',
        'The account belongs to a different user than the one who returned from the provider, so it ' +
          'is not connected.',
      )
    : unknownSession()
}
