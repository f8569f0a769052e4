import {
  type ConnectionContext,
  type Grant,
  GrantRejected,
  ProviderUnavailable,
} from '../../../auth-schemes/index.ts'
import type { AccountStatus } from '../../../contract/schemes.ts'
import { toUpstreamError } from '../../../engine/index.ts'
import { ApiError, notFound } from '../../../platform/http/api-error.ts'
import { authSchemeOf, encryptCredentials } from '../credentials.ts'
import type { AccountDeps } from '../deps.ts'
import { updateIdentity } from '../identity/identity.ts'
import { CredentialsRejected, probe, probeRequestOf } from '../identity/probe.ts'
import { logProviderRequests, refreshRequestKind } from '../provider-log/request-log.ts'
import { canMove, moveAccount } from '../state-machine.ts'
import { type AccountRow, findAccount, findAccountForUpdate, updateAccount } from '../store.ts'
import type { ConfiguredAccount } from './reauthenticate.ts'
import { withoutFlowFields } from './reopen-account.ts'

/**
 * Validates the stored credentials of a scheme without a redirect, and reactivates the account if they work.
 * Returns the status afterwards. @throws CredentialsRejected, ApiError
 */
export async function revalidateCredentials(
  deps: AccountDeps,
  projectId: string,
  { row, config, toolkit, connection }: ConfiguredAccount,
  validate: boolean,
): Promise<AccountStatus> {
  if (row.status !== 'ACTIVE' && !canMove('replace', row.status))
    throw new ApiError(
      'ConnectedAccount_BadRequest',
      `The connected account ${row.id} is ${row.status}; only an ACTIVE, EXPIRED or FAILED account can be validated ` +
        'again. Enable it, or create a link with its connected_account_id, on which its user enters new credentials.',
    )
  const grant = await refreshForValidation(deps, projectId, row.id, connection)
  const credentials = withoutFlowFields({ ...connection.credentials, ...grant?.credentials })
  const canProbe = validate || probeRequestOf(toolkit, connection) !== undefined
  const identity =
    row.auth_scheme !== 'NO_AUTH' && canProbe
      ? await probe(deps, { projectId, accountId: row.id, toolkit, config, credentials })
      : undefined
  const encrypted = encryptCredentials(await deps.encryptor.ofProject(projectId), row.id, credentials)
  const status = await storeValidated(deps, projectId, row, grant, encrypted)
  if (status === 'ACTIVE') await updateIdentity(deps, projectId, row.id, identity)
  return status
}

function storeValidated(
  deps: AccountDeps,
  projectId: string,
  row: AccountRow,
  grant: Grant | undefined,
  credentials: Buffer,
): Promise<AccountStatus> {
  return deps.db.begin(async (tx) => {
    const current = await findAccountForUpdate(tx, projectId, row.id)
    if (!current) throw notFound('connected_account', row.id)
    // Other credentials were stored meanwhile; those were not validated here.
    if (current.credentials_version !== row.credentials_version) return current.status
    const refreshedExpiry = grant && (grant.expiresAt === null ? null : new Date(grant.expiresAt))
    const tokenExpiresAt = refreshedExpiry === undefined ? current.token_expires_at : refreshedExpiry
    const change = { credentials, token_expires_at: tokenExpiresAt }
    if (current.status !== 'ACTIVE') await moveAccount(deps, tx, projectId, row.id, 'replace', change)
    else if (grant) await updateAccount(tx, projectId, row.id, change)
    return (await findAccount(tx, projectId, row.id))?.status ?? current.status
  })
}

/** Fetches a new session or token, if the scheme makes one from what is stored. */
async function refreshForValidation(
  deps: AccountDeps,
  projectId: string,
  accountId: string,
  connection: ConnectionContext,
): Promise<Grant | undefined> {
  const scheme = authSchemeOf(connection)
  const { refresh } = scheme ?? {}
  if (!refresh || !(scheme?.canRefresh?.(connection) ?? false)) return undefined
  const subject = { projectId, accountId, kind: refreshRequestKind(connection), connection }
  try {
    return await logProviderRequests(deps, subject, (tools) => refresh(connection, tools))
  } catch (error) {
    if (error instanceof GrantRejected)
      throw new CredentialsRejected(`The provider rejected the credentials: ${error.message}`, error)
    if (error instanceof ProviderUnavailable)
      throw toUpstreamError(`The credentials could not be validated: ${error.message}`, error)
    throw error
  }
}
