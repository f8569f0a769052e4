import type { Credentials } from '../../../auth-schemes/index.ts'
import type { Db } from '../../../platform/db/sql.ts'
import { notFound } from '../../../platform/http/api-error.ts'
import { decryptCredentials, encryptCredentials } from '../credentials.ts'
import type { AccountDeps } from '../deps.ts'
import { canMove, moveAccount, SETUP_EXPIRES_AT } from '../state-machine.ts'
import { expireSetup } from '../status-store.ts'
import * as store from '../store.ts'

/**
 * Prepares an account for a new authentication of its user. An ACTIVE account is unchanged and keeps working.
 * Another one becomes INITIATED for ten minutes, with the credentials that it has. See
 * docs/decisions/0014-reauthentication.md. @throws 404
 */
export async function reopenAccount(
  deps: AccountDeps,
  tx: Db,
  projectId: string,
  id: string,
  { callbackUrl, redirectUrl }: { callbackUrl: string | undefined; redirectUrl?: string },
): Promise<void> {
  const current = await store.findAccountForUpdate(tx, projectId, id)
  if (!current) throw notFound('connected_account', id)
  if (callbackUrl !== undefined) await store.updateAccount(tx, projectId, id, { callback_url: callbackUrl })
  if (current.status === 'ACTIVE') return
  const credentials = {
    ...withoutFlowFields(decryptCredentials(deps.encryptor, current)),
    ...(redirectUrl === undefined ? {} : { redirectUrl }),
  }
  // An account whose time to connect has ended reads as EXPIRED before its row says so.
  if (current.status === 'EXPIRED') await expireSetup(deps, tx, projectId, id)
  const transition = canMove('redirect', current.status) ? 'redirect' : 'reopen'
  await moveAccount(deps, tx, projectId, id, transition, {
    credentials: encryptCredentials(await deps.encryptor.ofProject(projectId), id, credentials),
    setup_expires_at: SETUP_EXPIRES_AT,
  })
}

/** Field of the credentials of a new account: the auth configs among which the user chooses on the page of a link. */
export const SIGN_IN_OPTIONS = 'sign_in_options'

/** Removes what a link or an earlier authorization flow stored with the credentials. */
export const withoutFlowFields = ({
  [SIGN_IN_OPTIONS]: _options,
  redirectUrl: _redirectUrl,
  error: _error,
  error_description: _description,
  ...credentials
}: Credentials): Credentials => credentials
