import type { AccountStatus } from '../../contract/schemes.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { AccountDeps } from './deps.ts'
import { readAccount } from './service.ts'
import { canMove, moveAccount, STATUS_REASONS, toStatusReason } from './state-machine.ts'

/** Enables or disables an ACTIVE or INACTIVE account; `reason` is kept with its status. @throws 400, 404 */
export async function setAccountEnabled(
  deps: AccountDeps,
  projectId: string,
  id: string,
  enabled: boolean,
  reason?: string,
): Promise<void> {
  const isMoved = await deps.db.begin((tx) =>
    moveAccount(deps, tx, projectId, id, enabled ? 'enable' : 'disable', {
      status_reason: reason ? toStatusReason(reason) : STATUS_REASONS.changedByUser,
    }),
  )
  if (isMoved) return
  const { status } = await readAccount(deps, projectId, id)
  throw new ApiError(
    'ConnectedAccount_BadRequest',
    `The connected account ${id} is ${status}; only an ACTIVE or INACTIVE account can be enabled or disabled.`,
    { fix: fixForStatus(id, status) },
  )
}

/** The next step for an account that can be neither enabled nor disabled. */
const fixForStatus = (id: string, status: AccountStatus): string =>
  canMove('connect', status)
    ? 'Wait until the user has finished connecting, or start again with POST /connected_accounts/link.'
    : `Reconnect it with POST /connected_accounts/${id}/refresh (patchbay connected-accounts refresh ${id}). ` +
      'The account is ACTIVE again when the user has authenticated.'
