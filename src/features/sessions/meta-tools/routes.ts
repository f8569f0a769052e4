import * as contract from '../../../contract/session-meta-tools.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import type { Api } from '../../../platform/http/call.ts'
import { refuse } from '../config/validate-config.ts'
import { customTools } from '../tools/custom-tools.ts'
import { refuseUnknown } from '../routes.ts'
import { type MetaDeps, runMeta } from './run-meta-tool.ts'
import { callerOf, openScope, type ScopeDeps } from '../scope/scope.ts'
import type { SessionService } from '../service.ts'
import type { SessionRow } from '../store.ts'

/** The meta tools by routes of their own. */
export function sessionMetaRoutes(api: Api, deps: ScopeDeps & MetaDeps & { service: SessionService }): void {
  api.on(contract.executeMeta, async (call) => {
    const { body, apiVersion, signal } = call
    refuseUnknown(apiVersion, contract.executeMeta, body)
    const scope = await openScope(
      deps,
      callerOf(call),
      await deps.service.use(call.projectId, call.params.session_id),
    )
    const { data, error, logId } = await runMeta(deps, scope, body.slug, body.arguments ?? {}, {
      signal,
      custom: customTools(scope.catalog, body.experimental),
    })
    return { data, error, log_id: logId }
  })

  api.on(contract.searchInSession, async (call) => {
    const {
      body: { toolkits, experimental, ...asked },
      apiVersion,
      signal,
    } = call
    refuseUnknown(apiVersion, contract.searchInSession, call.body)
    const row = await deps.service.use(call.projectId, call.params.session_id)
    const scope = await openScope(deps, callerOf(call), toolkits ? narrowed(row, toolkits) : row)
    refuse(
      (toolkits ?? [])
        .filter((slug) => !scope.catalog.toolkit(slug))
        .map((slug) => `toolkits: there is no toolkit ${slug}`),
    )
    const { data, error } = await runMeta(
      deps,
      scope,
      'SERVICE_SEARCH_TOOLS',
      asked,
      { signal, custom: customTools(scope.catalog, experimental) },
      true,
    )
    if (error !== null && !('results' in data))
      throw new ApiError('ToolRouterV2_InvalidConfig', error, { details: [error] })
    return data
  })
}

/** The session with fewer toolkits. */
function narrowed(row: SessionRow, toolkits: readonly string[]): SessionRow {
  const { toolkits: shown } = row.config
  const wanted = toolkits.map((slug) => slug.toLowerCase())
  const enable = !shown
    ? wanted
    : 'enable' in shown
      ? wanted.filter((slug) => shown.enable.includes(slug))
      : wanted.filter((slug) => !shown.disable.includes(slug))
  return { ...row, config: { ...row.config, toolkits: { enable } } }
}
