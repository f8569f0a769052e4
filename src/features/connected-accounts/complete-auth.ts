import { ApiError } from '../../platform/http/api-error.ts'
import { openWaiting, store } from './arrival.ts'
import type { AccountDeps } from './deps.ts'
import { noteIdentity } from './identity.ts'
import { REASONS } from './lifecycle.ts'
import { type AccountRow, find, move } from './store.ts'
import * as waits from './wait-store.ts'

const SESSION = /^session_[A-Za-z0-9]{32}$/

const unknown = () =>
  new ApiError(
    'ConnectedAccount_AuthSessionNotFound',
    'This session is not known: it has expired, or was confirmed before.',
  )

/**
 * The application says who its user is that came back from the provider: only then the connection stands. One word about another user ends the session and
 * fails the account. @throws 400, 404
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
      'The user id "default" is nobody in particular, so it confirms nothing. Connect accounts with the id of their user.',
    )
  const wait = SESSION.test(sessionUri)
    ? await waits.findSession(deps.db, projectId, waits.hashKey(sessionUri))
    : undefined
  const row = wait && !wait.late ? await find(deps.db, projectId, wait.connected_account_id) : undefined
  if (!wait || !row) throw unknown()
  if (row.user_id !== userId) await refuse(deps, projectId, wait, row)
  const { arrival } = openWaiting(deps, wait)
  const stored = await deps.db.begin(
    async (tx) =>
      (await waits.take(tx, projectId, wait.id)) && (await store(deps, tx, projectId, row.id, arrival)),
  )
  if (!stored) throw unknown()
  await noteIdentity(deps, projectId, row.id)
  return { connected_account_id: row.id, toolkit_slug: row.toolkit_slug }
}

/** An account that works with older credentials keeps them. */
async function refuse(
  { db }: AccountDeps,
  projectId: string,
  wait: waits.WaitRow,
  row: AccountRow,
): Promise<never> {
  const first = await db.begin(async (tx) => {
    if (!(await waits.take(tx, projectId, wait.id))) return false
    await move(tx, projectId, row.id, 'fail', { status_reason: REASONS.notThisUser })
    return true
  })
  throw first
    ? new ApiError(
        'ConnectedAccount_BadRequest',
        'The account belongs to another user than the one who came back from the provider, so it is not connected.',
      )
    : unknown()
}
