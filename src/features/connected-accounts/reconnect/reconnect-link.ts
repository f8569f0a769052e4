import { badRequest, notFound } from '../../../platform/http/api-error.ts'
import { insertConnectLink } from '../connect-links/link-store.ts'
import { presentLink } from '../connect-links/present-link.ts'
import type { AccountDeps } from '../deps.ts'
import { findAccount } from '../store.ts'
import { reopenAccount } from './reopen-account.ts'

/** Fields of the request that only a new account has. */
const NEW_ACCOUNT_FIELDS = ['connection_data', 'alias', 'experimental'] as const
type NewAccountFields = Partial<Record<(typeof NEW_ACCOUNT_FIELDS)[number], unknown>>

/** Creates a link to the page on which the user reconnects an existing account. @throws 404 */
export async function createReconnectLink(
  deps: AccountDeps,
  projectId: string,
  id: string,
  callbackUrl: string | undefined,
) {
  const { token, expiresAt } = await deps.db.begin(async (tx) => {
    await reopenAccount(deps, tx, projectId, id, { callbackUrl })
    return insertConnectLink(tx, { project_id: projectId, connected_account_id: id, kind: 'reconnect' })
  })
  return presentLink(deps, id, token, expiresAt)
}

/** Checks that the rest of the request matches the account. @throws 400, 404 */
export async function checkReconnectDraft(
  deps: AccountDeps,
  projectId: string,
  { id, authConfigId, userId }: { id: string; authConfigId: string; userId: string | undefined },
  draft: NewAccountFields,
): Promise<void> {
  const row = await findAccount(deps.db, projectId, id)
  if (!row) throw notFound('connected_account', id)
  if (row.user_id !== userId)
    throw badRequest('Error in payload.user_id: is not the user of this connected account')
  if (row.auth_config_id !== authConfigId)
    throw badRequest(
      `Error in payload.auth_config_id: must be ${row.auth_config_id}, the auth config of this connected account`,
    )
  const misplaced = NEW_ACCOUNT_FIELDS.filter((name) => draft[name] !== undefined)
  if (misplaced.length)
    throw badRequest(
      ...misplaced.map(
        (name) =>
          `Error in payload.${name}: is for a new account; change it with PATCH /connected_accounts/{id} instead`,
      ),
    )
}
