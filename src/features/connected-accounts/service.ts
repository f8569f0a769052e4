import type { Credentials } from '../../auth-schemes/index.ts'
import type { Db } from '../../platform/db/sql.ts'
import { ApiError, badRequest, notFound } from '../../platform/http/api-error.ts'
import type { ConnectionDraft } from '../../contract/connected-accounts/index.ts'
import { findCompiledScheme } from '../../catalog/index.ts'
import { decryptConfig, findAuthConfig, isMaskOf, validateFields } from '../auth-configs/index.ts'
import { listUserAccounts } from './account-selection/store.ts'
import { runPostConnectLookup } from './authorization-flow/post-connect.ts'
import { withAliasConflict } from './create.ts'
import { decryptCredentials, encryptCredentials } from './credentials.ts'
import type { AccountDeps } from './deps.ts'
import { updateIdentity } from './identity/identity.ts'
import { aclOnlyForShared } from './new-account-row.ts'
import {
  normalizeCredentials,
  rejectChosenHosts,
  rejectInvalidCredentials,
  rejectMovedSecrets,
  withApiKeyAlias,
  withoutSession,
} from './normalize-credentials.ts'
import { withoutFlowFields } from './reconnect/reopen-account.ts'
import { copyCredentialsForRevocation, scheduleRevocation } from './revocation/revocation-jobs.ts'
import { moveAccount } from './state-machine.ts'
import { removeAccount } from './status-store.ts'
import * as store from './store.ts'

/** Schemes whose credentials can be written through the API. */
const WRITABLE_SCHEMES = [
  'BEARER_TOKEN',
  'API_KEY',
  'BASIC',
  'BASIC_WITH_JWT',
  'GOOGLE_SERVICE_ACCOUNT',
  'SERVICE_ACCOUNT',
]

export interface AccountPatch {
  alias?: string | undefined
  connection?: { state: { authScheme: string; val: Credentials } } | undefined
  experimental?: ConnectionDraft['experimental']
}

export async function readAccount(
  { db }: AccountDeps,
  projectId: string,
  id: string,
): Promise<store.AccountRow> {
  const row = await store.findAccount(db, projectId, id)
  if (!row) throw notFound('connected_account', id)
  return row
}

/**
 * Writes the fields of the patch. New credentials reactivate an EXPIRED or FAILED account. @throws 400, 404,
 * 409
 */
export async function updateAccount(
  deps: AccountDeps,
  projectId: string,
  id: string,
  patch: AccountPatch,
): Promise<store.AccountRow> {
  const lookup = await lookUpBeforeWrite(deps, projectId, id, patch)
  const { row, hasNewCredentials } = await withAliasConflict(patch.alias, () =>
    deps.db.begin((tx) => writePatch(deps, tx, projectId, id, patch, lookup)),
  )
  if (hasNewCredentials) await updateIdentity(deps, projectId, id)
  return row
}

async function writePatch(
  deps: AccountDeps,
  tx: Db,
  projectId: string,
  id: string,
  patch: AccountPatch,
  lookup: Credentials,
): Promise<{ row: store.AccountRow; hasNewCredentials: boolean }> {
  const row = await store.findAccountForUpdate(tx, projectId, id)
  if (!row) throw notFound('connected_account', id)
  const acl = aclChange(row, patch.experimental)
  const patched =
    patch.connection && (await patchCredentials(deps, tx, projectId, row, patch.connection.state))
  const credentials = patched && { ...patched, ...lookup }
  if (credentials) await copyCredentialsForRevocation(deps, tx, projectId, row)
  await store.updateAccount(tx, projectId, id, {
    alias: patch.alias === undefined ? undefined : patch.alias || null,
    ...acl,
    credentials:
      credentials && encryptCredentials(await deps.encryptor.ofProject(projectId), id, credentials),
  })
  // A disabled account stays disabled.
  if (credentials) await moveAccount(deps, tx, projectId, id, 'replace')
  const written = (await store.findAccount(tx, projectId, id)) as store.AccountRow
  return { row: written, hasNewCredentials: credentials !== undefined }
}

/**
 * Looks up what new credentials need before anything is written, so that no row is locked during the request.
 */
async function lookUpBeforeWrite(
  deps: AccountDeps,
  projectId: string,
  id: string,
  { connection }: AccountPatch,
): Promise<Credentials> {
  const row = connection && (await store.findAccount(deps.db, projectId, id))
  const toolkit = row && deps.catalog.toolkit(row.toolkit_slug)
  const config = row && (await findAuthConfig(deps.db, projectId, row.auth_config_id))
  if (!connection || !row || !toolkit || !config) return {}
  if (!findCompiledScheme(toolkit, row.auth_scheme)?.manifest.post_connect) return {}
  const credentials = await patchCredentials(deps, deps.db, projectId, row, connection.state)
  if (!credentials) return {}
  const lookup = await runPostConnectLookup(deps, { projectId, accountId: id, toolkit, config, credentials })
  return lookup.credentials
}

/**
 * Merges the sent fields into the stored credentials: null removes a field, and a masked value that a client
 * sends back is ignored. Returns undefined if nothing remains to be written. @throws 400
 */
async function patchCredentials(
  deps: AccountDeps,
  tx: Db,
  projectId: string,
  row: store.AccountRow,
  { authScheme, val: sent }: { authScheme: string; val: Credentials },
): Promise<Credentials | undefined> {
  rejectOtherScheme(row, authScheme)
  const stored = decryptCredentials(deps.encryptor, row)
  // Reads show the status and the name next to the credentials; both are no credentials.
  const {
    status: _status,
    displayName: _displayName,
    ...fields
  } = withApiKeyAlias({ mode: row.auth_scheme }, sent) as Record<string, unknown>
  const changes = Object.entries(fields).filter(([name, value]) => !isMaskOf(value, stored[name]))
  if (!changes.length) return undefined
  const merged = { ...withoutSession(withoutFlowFields(stored)), ...Object.fromEntries(changes) }
  const toolkit = deps.catalog.toolkit(row.toolkit_slug)
  const scheme = toolkit && findCompiledScheme(toolkit, row.auth_scheme)
  const config = await findAuthConfig(tx, projectId, row.auth_config_id)
  if (!toolkit || !scheme || !config)
    return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null))
  const { shared } = decryptConfig(deps.encryptor, config)
  const credentials = normalizeCredentials(scheme, merged, shared)
  const all = { ...shared, ...credentials }
  validateFields(toolkit, scheme, 'connected_account_initiation', all, 'payload.connection.state.val')
  rejectInvalidCredentials(scheme, all)
  rejectChosenHosts(scheme, config, Object.fromEntries(changes))
  rejectMovedSecrets(toolkit, scheme, {
    stored: withoutFlowFields(stored),
    changed: credentials,
    names: changes.map(([name]) => name),
  })
  return credentials
}

function rejectOtherScheme(row: store.AccountRow, authScheme: string): void {
  if (authScheme.toUpperCase() !== row.auth_scheme)
    throw badRequest(
      `Error in payload.connection.state.authScheme: must be ${row.auth_scheme}, the scheme of this account`,
    )
  if (!WRITABLE_SCHEMES.includes(row.auth_scheme))
    throw new ApiError(
      'ConnectedAccount_BadRequest',
      `The credentials of ${row.auth_scheme} accounts come from the provider and cannot be written.`,
    )
}

function aclChange(
  row: store.AccountRow,
  experimental: AccountPatch['experimental'],
): Pick<store.AccountUpdate, 'account_type' | 'acl'> {
  if (!experimental) return {}
  const type = experimental.account_type ?? row.account_type
  if (experimental.acl_config_for_shared && type !== 'SHARED') throw aclOnlyForShared()
  return {
    account_type: type,
    acl: type === 'SHARED' ? { ...row.acl, ...experimental.acl_config_for_shared } : null,
  }
}

/**
 * Deletes an account. With `revoke`, its grant is revoked at the provider too; returns the id of that job.
 * @throws 404
 */
export const deleteAccount = (
  deps: AccountDeps,
  projectId: string,
  id: string,
  revoke: boolean,
): Promise<string | undefined> =>
  deps.db.begin(async (tx) => {
    const row = await store.findAccountForUpdate(tx, projectId, id)
    if (!row) throw notFound('connected_account', id)
    return deleteRow(deps, tx, projectId, row, revoke)
  })

/** Deletes the user's accounts with these auth configs in the caller's transaction. Returns their number. */
export async function deleteUserAccounts(
  deps: AccountDeps,
  tx: Db,
  projectId: string,
  userId: string,
  configIds: readonly string[],
): Promise<number> {
  let deleted = 0
  for (const { id } of await listUserAccounts(tx, projectId, userId, configIds)) {
    const row = await store.findAccountForUpdate(tx, projectId, id)
    if (!row) continue
    await deleteRow(deps, tx, projectId, row, false)
    deleted++
  }
  return deleted
}

async function deleteRow(
  deps: AccountDeps,
  tx: Db,
  projectId: string,
  row: store.AccountRow,
  revoke: boolean,
): Promise<string | undefined> {
  const jobId = revoke ? await scheduleRevocation(deps, tx, projectId, row) : undefined
  if (!revoke) await copyCredentialsForRevocation(deps, tx, projectId, row)
  await removeAccount(
    deps,
    tx,
    projectId,
    row.id,
    encryptCredentials(await deps.encryptor.ofProject(projectId), row.id, {}),
  )
  return jobId
}
