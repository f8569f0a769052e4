import { ApiError, badRequest } from '../../platform/http/api-error.ts'
import type { AccountDeps } from './deps.ts'
import { newLink } from './link-store.ts'
import { reopen } from './reopen.ts'
import { find } from './store.ts'

/** What belongs to a new account only: the one that stands has it already. */
const OF_NEW_ACCOUNTS = ['connection_data', 'alias', 'experimental'] as const
type OfNewAccounts = Partial<Record<(typeof OF_NEW_ACCOUNTS)[number], unknown>>

/** A link whose page is for an account that stood before. */
export async function linkAgain(
  deps: AccountDeps,
  projectId: string,
  id: string,
  callbackUrl: string | undefined,
) {
  const { token, expires } = await deps.db.begin(async (tx) => {
    await reopen(deps, tx, projectId, id, { callbackUrl })
    return newLink(tx, { project_id: projectId, connected_account_id: id, kind: 'reconnect' })
  })
  return {
    link_token: token,
    redirect_url: `${deps.publicUrl}/link/${token}`,
    expires_at: expires.toISOString(),
    connected_account_id: id,
  }
}

/** The account that a link names must be the one that the rest of the request is about. @throws 400, 404 */
export async function checkAgain(
  deps: AccountDeps,
  projectId: string,
  { id, authConfigId, userId }: { id: string; authConfigId: string; userId: string | undefined },
  draft: OfNewAccounts,
): Promise<void> {
  const row = await find(deps.db, projectId, id)
  if (!row) throw new ApiError('ConnectedAccount_ResourceNotFound', `Connected account "${id}" not found`)
  if (row.user_id !== userId)
    throw badRequest('Error in payload.user_id: is not the user of this connected account')
  if (row.auth_config_id !== authConfigId)
    throw badRequest(
      `Error in payload.auth_config_id: must be ${row.auth_config_id}, the auth config of this connected account`,
    )
  const misplaced = OF_NEW_ACCOUNTS.filter((name) => draft[name] !== undefined)
  if (misplaced.length)
    throw badRequest(
      ...misplaced.map(
        (name) => `Error in payload.${name}: is for a new account; this one has its own, which PATCH changes`,
      ),
    )
}
