import type { Grant, Values } from '../../auth-schemes/index.ts'
import type { AccountStatus } from '../../contract/schemes.ts'
import type { AccountDeps } from './deps.ts'
import type { FlowRow } from './flow-store.ts'
import { MOVES } from './lifecycle.ts'
import { openVal, valContext } from './open.ts'
import type { Kept } from './reauthentication.ts'
import { withoutFailure } from './reopen.ts'
import { keepForRevocation } from './revocations.ts'
import { type AccountRow, find, findForUpdate, move } from './store.ts'

const NOTHING_KEPT: Kept = { val: {}, requested_scopes: [], requested_user_scopes: [] }

/** What a walk on an account that stood before keeps until its end; a first walk has stored all with the account. */
export const keptBy = (secrets: Values): Kept => secrets['kept'] as Kept | undefined ?? NOTHING_KEPT

const mayBegin = (from: readonly AccountStatus[], status: AccountStatus) => from.includes(status)

/** Whether the end of this walk can still bring credentials to the account. A first walk never writes over an account that is connected. */
export const mayFinish = ({ kind }: FlowRow, { status }: AccountRow): boolean => mayBegin(MOVES[kind].from, status)

/** The browser goes to the provider: a first walk is noted, an account that works meanwhile stays as it is. False when the account waits for no walk. */
export async function sendOff({ db }: AccountDeps, flow: FlowRow): Promise<boolean> {
  const { project_id, connected_account_id, kind } = flow
  return await move(db, project_id, connected_account_id, 'send') || (kind === 'reconnect' && (await find(db, project_id, connected_account_id))?.status === 'ACTIVE')
}

/**
 * Stores what the provider gave. It is merged with what the row holds at this moment, not when the walk began: a renewal may have been here meanwhile, and
 * what the provider leaves out (a refresh token that it hands out once) is kept. False when the account waits for it no longer.
 */
export function storeGrant(deps: AccountDeps, flow: FlowRow, secrets: Values, grant: Grant): Promise<boolean> {
  const { project_id: projectId, connected_account_id: id, kind } = flow
  return deps.db.begin(async (tx) => {
    const row = await findForUpdate(tx, projectId, id)
    if (!row || !mayFinish(flow, row)) return false
    await keepForRevocation(deps, tx, projectId, row)
    const { val, ...scopes } = keptBy(secrets)
    const { revoked_at: _revokedAt, ...stood } = withoutFailure(openVal(deps.sealer, row))
    return move(tx, projectId, id, kind, {
      val: deps.sealer.seal({ ...stood, ...val, ...grant.val }, valContext(id)), token_expires_at: grant.expiresAt === null ? null : new Date(grant.expiresAt),
      ...(kind === 'reconnect' ? scopes : {}),
    })
  })
}
