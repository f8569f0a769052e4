import * as contract from '../../../contract/sessions/index.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import type { Api } from '../../../platform/http/call.ts'
import { assertNoProblems } from '../config/validate-config.ts'
import { readCustomTools } from '../tools/custom-tools.ts'
import { type MetaToolRunDeps, runMetaTool } from './run-meta-tool.ts'
import { readSessionCaller, openScope, type SessionScopeDeps } from '../scope/scope.ts'
import type { SessionService } from '../service.ts'
import type { SessionRow } from '../store.ts'

/** The meta tools by routes of their own. */
export function sessionMetaToolRoutes(
  api: Api,
  deps: SessionScopeDeps & MetaToolRunDeps & { service: SessionService },
): void {
  api.on(contract.executeMeta, async (call) => {
    const { body, signal } = call
    const scope = await openScope(
      deps,
      readSessionCaller(call),
      await deps.service.readAndTouch(call.projectId, call.params.session_id),
    )
    const { data, error, logId } = await runMetaTool(deps, scope, body.slug, body.arguments ?? {}, {
      signal,
      custom: readCustomTools(scope.catalog, body.experimental),
    })
    return { data, error, log_id: logId }
  })

  api.on(contract.searchInSession, async (call) => {
    const {
      body: { toolkits, experimental, ...search },
      signal,
    } = call
    const row = await deps.service.readAndTouch(call.projectId, call.params.session_id)
    const scope = await openScope(
      deps,
      readSessionCaller(call),
      toolkits ? narrowToToolkits(row, toolkits) : row,
    )
    assertNoProblems(
      (toolkits ?? [])
        .filter((slug) => !scope.catalog.toolkit(slug))
        .map((slug) => `toolkits: there is no toolkit ${slug}`),
    )
    const { data, error } = await runMetaTool(
      deps,
      scope,
      'SERVICE_SEARCH_TOOLS',
      search,
      { signal, custom: readCustomTools(scope.catalog, experimental) },
      true,
    )
    if (error !== null && !('results' in data))
      throw new ApiError('ToolRouterV2_InvalidConfig', error, { details: [error] })
    return data
  })
}

/** The session with fewer toolkits. */
function narrowToToolkits(row: SessionRow, toolkits: readonly string[]): SessionRow {
  const { toolkits: configured } = row.config
  const requested = toolkits.map((slug) => slug.toLowerCase())
  const enable = !configured
    ? requested
    : 'enable' in configured
      ? requested.filter((slug) => configured.enable.includes(slug))
      : requested.filter((slug) => !configured.disable.includes(slug))
  return { ...row, config: { ...row.config, toolkits: { enable } } }
}
