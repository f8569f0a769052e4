import * as contract from '../../../contract/triggers/index.ts'
import type { Api } from '../../../platform/http/call.ts'
import { pageOf, readPage } from '../../../platform/http/paging.ts'
import { presentInstance } from './present.ts'
import { publishTestEvent } from './test-event.ts'
import { removeInstance, setInstanceEnabled, type TriggerDeps, upsertInstance } from './service.ts'
import { type InstanceFilter, listInstances } from './store.ts'

export function instanceRoutes(api: Api, deps: TriggerDeps): void {
  api.on(
    contract.upsertTrigger,
    async ({ projectId, params, body, apiVersion, signal, useAlternateStatus }) => {
      const draft = {
        slug: params.slug,
        accountId: body.connected_account_id ?? body.connectedAuthId,
        userId: body.user_id,
        config: body.trigger_config ?? body.triggerConfig ?? {},
        versions: body.toolkit_versions ?? body.version,
      }
      const { id, uuid, created } = await upsertInstance(deps, projectId, draft, signal)
      if (!created) useAlternateStatus()
      return { trigger_id: id, ...(apiVersion === 'v3' && { deprecated: { uuid } }) }
    },
  )
  api.on(contract.listTriggers, async ({ projectId, query, apiVersion }) => {
    const catalog = await deps.catalogOf(projectId)
    const requested = readPage(query)
    const page =
      query.cursor === undefined && query.page !== undefined
        ? { ...requested, page: query.page, offset: (query.page - 1) * requested.limit }
        : requested
    const { rows, total, next } = await listInstances(deps.db, projectId, filterFrom(query), page)
    const items = rows.map((row) => {
      const version = catalog.resolveVersion(row.toolkit_slug, row.version) ?? row.version
      return presentInstance(row, version, apiVersion)
    })
    return pageOf(items, total, page, next)
  })
  api.on(contract.setTriggerStatus, async ({ projectId, params, body, signal }) => {
    await setInstanceEnabled(deps, projectId, params.trigger_id, body.status === 'enable', signal)
    return { status: 'success' as const }
  })
  api.on(contract.testTrigger, async ({ projectId, params, body }) => ({
    payload: await publishTestEvent(deps, projectId, params.trigger_id, body.payload),
  }))
  api.on(contract.deleteTrigger, async ({ projectId, params }) => {
    await removeInstance(deps, projectId, params.trigger_id)
    return { trigger_id: params.trigger_id }
  })
}

/** Most filters have two names; the newer one has precedence. */
const filterFrom = (query: contract.ActiveFilters): InstanceFilter => ({
  accounts: query.connected_account_ids ?? query.connectedAccountIds,
  accountUuids: query.deprecatedConnectedAccountUuids,
  authConfigs: query.auth_config_ids ?? query.authConfigIds,
  authConfigUuids: query.deprecatedAuthConfigUuids,
  ids: query.trigger_ids ?? query.triggerIds,
  triggers: (query.trigger_names ?? query.triggerNames)?.map((name) => name.toUpperCase()),
  users: query.user_ids,
  showDisabled: query.show_disabled ?? query.showDisabled ?? false,
})
