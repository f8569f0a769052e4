import * as contract from '../../contract/alerts.ts'
import type { Api } from '../../platform/http/call.ts'
import * as service from './service.ts'
import * as store from './store.ts'

export function alertRoutes(api: Api, deps: service.AlertDeps): void {
  api.on(contract.listAlertRules, async ({ projectId }) => ({
    items: (await store.listRules(deps.db, projectId)).map((row) => service.presentRule(deps, row)),
  }))
  api.on(contract.createAlertRule, ({ projectId, body }) => service.createRule(deps, projectId, body))
  api.on(contract.updateAlertRule, ({ projectId, params: { id }, body }) =>
    service.updateRule(deps, projectId, id, body),
  )
  api.on(contract.deleteAlertRule, async ({ projectId, params: { id } }) => {
    if ((await store.deleteRule(deps.db, projectId, id)) === 0) throw service.notFound(id)
    return { success: true }
  })
  api.on(contract.testAlertRule, ({ projectId, params: { id } }) => service.testRule(deps, projectId, id))
}
