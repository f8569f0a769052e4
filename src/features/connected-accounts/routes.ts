import { bindToProject } from '../../catalog/index.ts'
import * as contract from '../../contract/connected-accounts/index.ts'
import type { Db } from '../../platform/db/sql.ts'
import { badRequest, notFound } from '../../platform/http/api-error.ts'
import type { Api } from '../../platform/http/call.ts'
import { pageOf, readPage } from '../../platform/http/paging.ts'
import { completeAuth } from './authorization-flow/complete-auth.ts'
import { createConnectLink } from './connect-links/create-link.ts'
import { createAccount } from './create.ts'
import type { AccountDeps, SharedAccountDeps } from './deps.ts'
import { setAccountEnabled } from './enable-account.ts'
import { presentAccount, presentCredentials } from './present.ts'
import { accountDiagnosis } from './provider-log/account-diagnosis.ts'
import { reauthenticate } from './reconnect/reauthenticate.ts'
import { revokeAccount } from './revocation/revoke.ts'
import { deleteAccount, readAccount, updateAccount } from './service.ts'
import { listStatusChanges } from './status-history.ts'
import { findAccount, listAccounts } from './store.ts'

/** `beforeDelete` unregisters webhooks at applications while the account can still be used for requests. */
export function connectedAccountRoutes(
  api: Api,
  shared: SharedAccountDeps,
  beforeDelete: (projectId: string, id: string) => Promise<void>,
): void {
  const depsOf = (projectId: string) => bindToProject<AccountDeps>(shared, projectId)
  connectRoutes(api, depsOf)
  readRoutes(api, depsOf)
  changeRoutes(api, depsOf, beforeDelete)
}

type DepsOf = (projectId: string) => Promise<AccountDeps>

function connectRoutes(api: Api, depsOf: DepsOf): void {
  api.on(contract.createConnectedAccount, async ({ projectId, body, settings }) => {
    const { connection } = body
    const account = await createAccount(
      await depsOf(projectId),
      projectId,
      body.auth_config.id,
      connection,
      body.validate_credentials,
    )
    const { id, status, verified, redirectUrl, scheme, uuid, authConfigUuid } = account
    const callbackUrl = connection.callback_url ?? connection.redirect_uri
    return {
      id,
      status,
      verified,
      redirect_url: redirectUrl,
      redirect_uri: redirectUrl,
      connectionData: {
        authScheme: scheme.mode,
        val: presentCredentials({ ...account, manifest: scheme.manifest, callbackUrl }, settings.maskSecrets),
      },
      deprecated: { uuid, authConfigUuid },
    }
  })
  api.on(contract.linkConnectedAccount, async ({ projectId, body: { auth_config_id, ...draft } }) =>
    createConnectLink(await depsOf(projectId), projectId, auth_config_id, draft),
  )
  api.on(contract.completeAuth, async ({ projectId, body }) =>
    completeAuth(await depsOf(projectId), projectId, body.session_uri, body.user_id),
  )
  api.on(contract.refreshConnectedAccount, async ({ projectId, params, query, body }) =>
    reauthenticate(await depsOf(projectId), projectId, params.nanoid, {
      callbackUrl: body?.redirect_url ?? query.redirect_url,
      validate: body?.validate_credentials ?? false,
    }),
  )
}

function readRoutes(api: Api, depsOf: DepsOf): void {
  api.on(contract.listConnectedAccounts, async ({ projectId, query, apiVersion, settings }) => {
    const page = readPage(query)
    const deps = await depsOf(projectId)
    const filter = {
      toolkits: query.toolkit_slugs?.map((slug) => slug.toLowerCase()),
      statuses: query.statuses,
      users: query.user_ids,
      authConfigs: query.auth_config_ids,
      ids: query.connected_account_ids,
      type: query.account_type ?? 'PRIVATE',
      orderBy: query.order_by ?? 'created_at',
      ascending: query.order_direction === 'asc',
    }
    const { rows, total, next } = await listAccounts(deps.db, projectId, filter, page)
    return pageOf(
      rows.map((row) => presentAccount(deps, row, settings.maskSecrets, apiVersion)),
      total,
      page,
      next,
    )
  })
  api.on(contract.readConnectedAccount, async ({ projectId, params, apiVersion, settings }) => {
    const deps = await depsOf(projectId)
    const row = await readAccount(deps, projectId, params.nanoid)
    return presentAccount(deps, row, settings.maskSecrets, apiVersion, true)
  })
  api.on(contract.listAccountHistory, async ({ projectId, params, query }) => {
    const { db } = await depsOf(projectId)
    const { limit } = readPage({ limit: query.limit })
    await requireAccount(db, projectId, params.nanoid)
    const before = query.cursor === undefined ? undefined : parseHistoryCursor(query.cursor)
    const rows = await listStatusChanges(db, projectId, params.nanoid, { before, limit: limit + 1 })
    const last = rows.length > limit ? rows[limit - 1] : undefined
    return {
      items: rows.slice(0, limit).map((row) => ({
        at: row.at.toISOString(),
        from: row.from_status,
        to: row.to_status,
        reason: row.reason,
      })),
      next_cursor: last ? formatHistoryCursor(last.id) : null,
    }
  })
  api.on(contract.listProviderRequests, async ({ projectId, params }) => {
    const deps = await depsOf(projectId)
    return accountDiagnosis(deps, projectId, await readAccount(deps, projectId, params.nanoid))
  })
}

function changeRoutes(
  api: Api,
  depsOf: DepsOf,
  beforeDelete: (projectId: string, id: string) => Promise<void>,
): void {
  api.on(contract.updateConnectedAccount, async ({ projectId, params, body }) => {
    const { id, status } = await updateAccount(await depsOf(projectId), projectId, params.nanoid, body)
    return { success: true, id, status }
  })
  api.on(contract.setConnectedAccountStatus, async ({ projectId, params, body }) => {
    await setAccountEnabled(await depsOf(projectId), projectId, params.nanoid, body.enabled, body.reason)
    return { success: true }
  })
  api.on(contract.revokeConnectedAccount, async ({ projectId, params }) => ({
    revoked_tokens: [...(await revokeAccount(await depsOf(projectId), projectId, params.nanoid))],
    connected_account: { id: params.nanoid, status: 'REVOKED' as const },
  }))
  api.on(contract.deleteConnectedAccount, async ({ projectId, params, query }) => {
    await beforeDelete(projectId, params.nanoid)
    const revoke = query.revoke_on_delete ?? false
    const jobId = await deleteAccount(await depsOf(projectId), projectId, params.nanoid, revoke)
    return { success: true, ...(jobId ? { revoke_job_id: jobId } : {}) }
  })
}

/** @throws ApiError 404 */
async function requireAccount(db: Db, projectId: string, id: string): Promise<void> {
  if (!(await findAccount(db, projectId, id))) throw notFound('connected_account', id)
}

/** Writes a cursor of the history: the last change of a page. */
const formatHistoryCursor = (id: number): string => Buffer.from(`change-${id}`).toString('base64')

function parseHistoryCursor(cursor: string): number {
  const id = Number(/^change-(\d{1,15})$/.exec(Buffer.from(cursor, 'base64').toString('latin1'))?.[1])
  if (!Number.isSafeInteger(id)) throw badRequest('Error in query.cursor: is not a cursor of this API')
  return id
}
