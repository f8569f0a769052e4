import type { Values } from '../../auth-schemes/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Db } from '../../platform/db/sql.ts'
import type { AccountDeps } from './deps.ts'
import { MOVES } from './lifecycle.ts'
import { openVal, valContext } from './open.ts'
import * as store from './store.ts'

/**
 * The account waits for its user once more. An ACTIVE one is left as it is and works on; one that cannot be used becomes INITIATED for ten minutes, with the
 * credentials that it has. See docs/decisions/0014-reauthentication.md. @throws 404 when it is gone
 */
export async function reopen(
  deps: AccountDeps,
  tx: Db,
  projectId: string,
  id: string,
  { callbackUrl, redirectUrl }: { callbackUrl: string | undefined; redirectUrl?: string },
): Promise<void> {
  const current = await store.findForUpdate(tx, projectId, id)
  if (!current) throw new ApiError('ConnectedAccount_ResourceNotFound', `Connected account "${id}" not found`)
  if (callbackUrl !== undefined) await store.update(tx, projectId, id, { callback_url: callbackUrl })
  if (current.status === 'ACTIVE') return
  const val = {
    ...withoutFailure(openVal(deps.encryptor, current)),
    ...(redirectUrl === undefined ? {} : { redirectUrl }),
  }
  const isOpen = (MOVES.send.from as readonly string[]).includes(current.status)
  // A set-up that ran out of time and is not written down yet is EXPIRED for everybody but the statement that would move it.
  if (current.status === 'EXPIRED') await store.writeTimeout(tx, projectId, id)
  await store.move(tx, projectId, id, isOpen ? 'send' : 'reopen', {
    val: deps.encryptor.encrypt(val, valContext(id)),
    setup_expires_at: store.SETUP_END,
  })
}

/** What an earlier walk left behind says nothing about the next one. */
export const withoutFailure = ({
  redirectUrl: _redirectUrl,
  error: _error,
  error_description: _description,
  ...val
}: Values): Values => val
