import type { Values } from '../../auth-schemes/index.ts'
import type { Db } from '../../platform/db/sql.ts'
import { ApiError, badRequest } from '../../platform/http/api-error.ts'
import type { ConnectionDraft } from '../../contract/connected-accounts.ts'
import { compiledSchemeOf } from '../../catalog/index.ts'
import { checkFields, findAuthConfig, isMaskOf, openConfig } from '../auth-configs/index.ts'
import { withAlias } from './create.ts'
import { completed } from './completed.ts'
import type { AccountDeps } from './deps.ts'
import { REASONS } from './lifecycle.ts'
import { refuseChosenHosts, refuseMistakes, storedForm, withKeyAlias, withoutSession } from './given-val.ts'
import { noteIdentity } from './identity.ts'
import { openVal, valContext } from './open.ts'
import { withoutFailure } from './reopen.ts'
import { keepForRevocation, revokeLater } from './revocations.ts'
import * as store from './store.ts'

/** Schemes whose credentials may be replaced by hand, and the members that may be written. */
const PATCHABLE_SCHEMES = [
  'BEARER_TOKEN',
  'API_KEY',
  'BASIC',
  'BASIC_WITH_JWT',
  'GOOGLE_SERVICE_ACCOUNT',
  'SERVICE_ACCOUNT',
]

export interface AccountPatch {
  alias?: string | undefined
  connection?: { state: { authScheme: string; val: Values } } | undefined
  experimental?: ConnectionDraft['experimental']
}

async function removeRow(
  deps: AccountDeps,
  tx: Db,
  projectId: string,
  row: store.AccountRow,
  revoke: boolean,
): Promise<string | undefined> {
  const jobId = revoke
    ? await revokeLater(deps, tx, projectId, row)
    : await keepForRevocation(deps, tx, projectId, row)
  await store.remove(tx, projectId, row.id, deps.encryptor.encrypt({}, valContext(row.id)))
  return jobId ?? undefined
}

/** Deletes the user's accounts under these auth configs, as part of a transaction; answers how many. */
export async function removeAccountsOf(
  deps: AccountDeps,
  tx: Db,
  projectId: string,
  userId: string,
  configIds: readonly string[],
): Promise<number> {
  let removed = 0
  for (const { id } of await store.ofUser(tx, projectId, userId, configIds)) {
    const row = await store.findForUpdate(tx, projectId, id)
    if (!row) continue
    await removeRow(deps, tx, projectId, row, false)
    removed++
  }
  return removed
}

export function accountService(deps: AccountDeps) {
  const { db } = deps
  const notFound = (id: string) =>
    new ApiError('ConnectedAccount_ResourceNotFound', `Connected account "${id}" not found`)

  const write = (projectId: string, id: string, patch: AccountPatch, found: Values) =>
    withAlias(patch.alias, () =>
      db.begin(async (tx) => {
        const row = await store.findForUpdate(tx, projectId, id)
        if (!row) throw notFound(id)
        const acl = aclChange(row, patch.experimental)
        const written = patch.connection && (await newVal(tx, projectId, row, patch.connection.state))
        const val = written && { ...written, ...found }
        if (val) await keepForRevocation(deps, tx, projectId, row)
        await store.update(tx, projectId, id, {
          ...(patch.alias === undefined ? {} : { alias: patch.alias || null }),
          ...acl,
          ...(val ? { val: deps.encryptor.encrypt(val, valContext(id)) } : {}),
        })
        // Fresh credentials bring a dead account back; a switched-off one stays off.
        if (val) await store.move(tx, projectId, id, 'replace')
        return { row: (await store.find(tx, projectId, id)) as store.AccountRow, isNew: val !== undefined }
      }),
    )

  return {
    list: (projectId: string, filter: store.AccountFilter, page: { limit: number; offset: number }) =>
      store.list(db, projectId, filter, page),

    async read(projectId: string, id: string): Promise<store.AccountRow> {
      const row = await store.find(db, projectId, id)
      if (!row) throw notFound(id)
      return row
    },

    async update(projectId: string, id: string, patch: AccountPatch): Promise<store.AccountRow> {
      const { row, isNew } = await write(projectId, id, patch, await lookedUp(projectId, id, patch))
      if (isNew) await noteIdentity(deps, projectId, id)
      return row
    },

    async setEnabled(projectId: string, id: string, enabled: boolean): Promise<void> {
      if (
        await store.move(db, projectId, id, enabled ? 'enable' : 'disable', {
          status_reason: REASONS.changedByUser,
        })
      )
        return
      const row = await store.find(db, projectId, id)
      if (!row) throw notFound(id)
      throw new ApiError(
        'ConnectedAccount_BadRequest',
        `The connected account ${id} is ${row.status}; only an ACTIVE or INACTIVE account can be switched.`,
      )
    },

    /** With `revoke`, has the access ended at the provider too; answers the id of that job. */
    remove: (projectId: string, id: string, revoke: boolean): Promise<string | undefined> =>
      db.begin(async (tx) => {
        const row = await store.findForUpdate(tx, projectId, id)
        if (!row) throw notFound(id)
        return removeRow(deps, tx, projectId, row, revoke)
      }),
  }

  /** What new credentials need beside them is looked up before anything is written: no row is locked while an application is asked. */
  async function lookedUp(projectId: string, id: string, { connection }: AccountPatch): Promise<Values> {
    const row = connection && (await store.find(db, projectId, id))
    const toolkit = row && deps.catalog.toolkit(row.toolkit_slug)
    const config = row && (await findAuthConfig(db, projectId, row.auth_config_id))
    if (
      !connection ||
      !row ||
      !toolkit ||
      !config ||
      !compiledSchemeOf(toolkit, row.auth_scheme)?.manifest.post_connect
    )
      return {}
    const val = await newVal(db, projectId, row, connection.state)
    return val ? (await completed(deps, { projectId, accountId: id, toolkit, config, val })).val : {}
  }

  /** Member by member; null removes, a masked value that comes back is ignored. Undefined when nothing is left to write. */
  async function newVal(
    tx: Db,
    projectId: string,
    row: store.AccountRow,
    { authScheme, val: sent }: { authScheme: string; val: Values },
  ): Promise<Values | undefined> {
    if (authScheme.toUpperCase() !== row.auth_scheme)
      throw badRequest(
        `Error in payload.connection.state.authScheme: must be ${row.auth_scheme}, the scheme of this account`,
      )
    if (!PATCHABLE_SCHEMES.includes(row.auth_scheme))
      throw new ApiError(
        'ConnectedAccount_BadRequest',
        `The credentials of ${row.auth_scheme} accounts come from the provider and cannot be written.`,
      )
    const stored = openVal(deps.encryptor, row)
    // The label that reads show beside the credentials is no part of them.
    const {
      status: _status,
      displayName: _label,
      ...changes
    } = withKeyAlias({ mode: row.auth_scheme }, sent) as Record<string, unknown>
    const fresh = Object.entries(changes).filter(([name, value]) => !isMaskOf(value, stored[name]))
    if (!fresh.length) return undefined
    const merged = { ...withoutSession(withoutFailure(stored)), ...Object.fromEntries(fresh) }
    const toolkit = deps.catalog.toolkit(row.toolkit_slug)
    const scheme = toolkit && compiledSchemeOf(toolkit, row.auth_scheme)
    const config = await findAuthConfig(tx, projectId, row.auth_config_id)
    if (!toolkit || !scheme || !config)
      return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null))
    const { shared } = openConfig(deps.encryptor, config)
    const val = storedForm(scheme, merged, shared)
    checkFields(
      toolkit,
      scheme,
      'connected_account_initiation',
      { ...shared, ...val },
      'payload.connection.state.val',
    )
    refuseMistakes(scheme, { ...shared, ...val })
    refuseChosenHosts(scheme, config, Object.fromEntries(fresh))
    return val
  }

  function aclChange(
    row: store.AccountRow,
    experimental: AccountPatch['experimental'],
  ): Parameters<typeof store.update>[3] {
    if (!experimental) return {}
    const type = experimental.account_type ?? row.account_type
    if (experimental.acl_config_for_shared && type !== 'SHARED')
      throw new ApiError(
        'ConnectedAccount_AclOnlyForShared',
        'acl_config_for_shared is only valid on SHARED accounts.',
      )
    return {
      account_type: type,
      acl: type === 'SHARED' ? { ...row.acl, ...experimental.acl_config_for_shared } : null,
    }
  }
}
