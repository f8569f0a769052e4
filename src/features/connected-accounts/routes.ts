import { inProject } from '../../catalog/index.ts'
import * as contract from '../../contract/connected-accounts.ts'
import type { Api } from '../../platform/http/call.ts'
import { pageOf, readPage } from '../../platform/http/paging.ts'
import { completeAuth } from './complete-auth.ts'
import { createAccount } from './create.ts'
import type { AccountDeps, SharedAccountDeps } from './deps.ts'
import { createLink } from './link.ts'
import { doctorView } from './doctor-view.ts'
import { presentAccount, shownVal } from './present.ts'
import { reauthenticate } from './reauthentication.ts'
import { revokeAccount } from './revoke.ts'
import { accountService } from './service.ts'

/** `leave`: tells applications what ends with an account, while it can still be asked with. */
export function connectedAccountRoutes(
  api: Api,
  shared: SharedAccountDeps,
  leave: (projectId: string, id: string) => Promise<void>,
): void {
  const of = (projectId: string) => inProject<AccountDeps>(shared, projectId)
  const serviceOf = async (projectId: string) => accountService(await of(projectId))

  api.on(contract.createConnectedAccount, async ({ projectId, body, settings }) => {
    const { id, status, redirectUrl, scheme, managed, val, uuid, authConfigUuid } = await createAccount(
      await of(projectId),
      projectId,
      body.auth_config.id,
      body.connection,
      body.validate_credentials ?? false,
    )
    const callbackUrl = body.connection.callback_url ?? body.connection.redirect_uri
    return {
      id,
      status,
      redirect_url: redirectUrl,
      redirect_uri: redirectUrl,
      connectionData: {
        authScheme: scheme.mode,
        val: shownVal({ val, status, managed, manifest: scheme.manifest, callbackUrl }, settings.maskSecrets),
      },
      deprecated: { uuid, authConfigUuid },
    }
  })
  api.on(contract.linkConnectedAccount, async ({ projectId, body: { auth_config_id, ...draft } }) =>
    createLink(await of(projectId), projectId, auth_config_id, draft),
  )
  api.on(contract.completeAuth, async ({ projectId, body }) =>
    completeAuth(await of(projectId), projectId, body.session_uri, body.user_id),
  )
  api.on(contract.listConnectedAccounts, async ({ projectId, query, apiVersion, settings }) => {
    const page = readPage(query)
    const deps = await of(projectId)
    const { rows, total } = await accountService(deps).list(
      projectId,
      {
        toolkits: query.toolkit_slugs?.map((slug) => slug.toLowerCase()),
        statuses: query.statuses,
        users: query.user_ids,
        authConfigs: query.auth_config_ids,
        ids: query.connected_account_ids,
        type: query.account_type ?? 'PRIVATE',
        orderBy: query.order_by ?? 'created_at',
        ascending: query.order_direction === 'asc',
      },
      page,
    )
    return pageOf(
      rows.map((row) => presentAccount(deps, row, settings.maskSecrets, apiVersion)),
      total,
      page,
    )
  })
  api.on(contract.readConnectedAccount, async ({ projectId, params, apiVersion, settings }) => {
    const deps = await of(projectId)
    return presentAccount(
      deps,
      await accountService(deps).read(projectId, params.nanoid),
      settings.maskSecrets,
      apiVersion,
      true,
    )
  })
  api.on(contract.listExchanges, async ({ projectId, params }) => {
    const deps = await of(projectId)
    return doctorView(deps, projectId, await accountService(deps).read(projectId, params.nanoid))
  })
  api.on(contract.updateConnectedAccount, async ({ projectId, params, body }) => {
    const { id, status } = await (await serviceOf(projectId)).update(projectId, params.nanoid, body)
    return { success: true, id, status }
  })
  api.on(contract.setConnectedAccountStatus, async ({ projectId, params, body }) => {
    await (await serviceOf(projectId)).setEnabled(projectId, params.nanoid, body.enabled)
    return { success: true }
  })
  api.on(contract.refreshConnectedAccount, async ({ projectId, params, query, body }) =>
    reauthenticate(await of(projectId), projectId, params.nanoid, {
      callbackUrl: body?.redirect_url ?? query.redirect_url,
      validate: body?.validate_credentials ?? false,
    }),
  )
  api.on(contract.revokeConnectedAccount, async ({ projectId, params }) => ({
    revoked_tokens: [...(await revokeAccount(await of(projectId), projectId, params.nanoid))],
    connected_account: { id: params.nanoid, status: 'REVOKED' as const },
  }))
  api.on(contract.deleteConnectedAccount, async ({ projectId, params, query }) => {
    await leave(projectId, params.nanoid)
    const jobId = await (
      await serviceOf(projectId)
    ).remove(projectId, params.nanoid, query.revoke_on_delete ?? false)
    return { success: true, ...(jobId ? { revoke_job_id: jobId } : {}) }
  })
}
