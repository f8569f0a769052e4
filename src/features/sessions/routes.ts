import type { CatalogOf } from '../../catalog/index.ts'
import * as contract from '../../contract/sessions.ts'
import type { ApiVersion } from '../../contract/route.ts'
import type { Api, Call } from '../../platform/http/call.ts'
import { pageOf, readPage } from '../../platform/http/paging.ts'
import { refuse } from './check.ts'
import { customEcho } from './custom.ts'
import { listedMetaTools } from './meta.ts'
import { preloadedCount } from './preloaded.ts'
import { mcpAddress, presentConfig, type PresentDeps, presentSession } from './present.ts'
import { assistivePrompt } from './prompt.ts'
import type { MetaDeps } from './run-meta.ts'
import { callerOf, openScope, type ScopeDeps } from './scope.ts'
import type { SessionService } from './service.ts'
import type { SessionRow } from './store.ts'

export interface SessionRoutesDeps extends ScopeDeps, PresentDeps, MetaDeps {
  catalogOf: CatalogOf
  service: SessionService
}

const HISTORY_A_PAGE_MAX = 100

/** Sessions themselves: opened, read, changed, closed. */
export function sessionRoutes(api: Api, deps: SessionRoutesDeps): void {
  const { service, catalogOf } = deps

  type SessionCaller = Pick<
    Call<typeof contract.readSession>,
    'projectId' | 'keyId' | 'settings' | 'requestId' | 'log' | 'header' | 'apiVersion'
  >
  const presented = async (
    call: SessionCaller,
    row: SessionRow,
    more?: NonNullable<contract.Session['experimental']>,
  ): Promise<contract.Session> =>
    presentSession(
      deps,
      row,
      preloadedCount(await openScope(deps, callerOf(call), row)),
      call.apiVersion,
      more,
    )

  api.on(contract.createSession, async (call) => {
    const { projectId, body, apiVersion } = call
    refuseUnknown(apiVersion, contract.createSession, body)
    const custom = customEcho(await catalogOf(projectId), body.experimental)
    const row = await service.create(projectId, body)
    const { config } = await openScope(deps, callerOf(call), row)
    return presented(call, row, {
      assistive_prompt: assistivePrompt(
        config,
        listedMetaTools(deps.metaTools, config),
        deps.spell,
        new Date(deps.clock.now()),
      ),
      ...(custom as object),
    })
  })
  api.on(contract.readSession, async (call) =>
    presented(call, await service.read(call.projectId, call.params.session_id)),
  )
  api.on(contract.attachSession, async (call) => {
    const { projectId, params, body, apiVersion } = call
    refuseUnknown(apiVersion, contract.attachSession, body)
    const row = await service.use(projectId, params.session_id)
    return presented(call, row, customEcho(await catalogOf(projectId), body.experimental) as object)
  })
  api.on(contract.updateSession, async (call) => {
    refuseUnknown(call.apiVersion, contract.updateSession, call.body)
    return presented(call, await service.update(call.projectId, call.params.session_id, call.body))
  })
  api.on(contract.deleteSession, async ({ projectId, params }) => {
    await service.remove(projectId, params.session_id)
    return { session_id: params.session_id, deleted: true as const }
  })
  api.on(contract.sessionConfigHistory, async ({ projectId, params, query, apiVersion }) => {
    const page = readPage(query, HISTORY_A_PAGE_MAX)
    const { userId, items, total } = await service.history(projectId, params.session_id, page)
    return pageOf(
      items.map(({ version, config, at, isCurrent }) => ({
        version,
        is_current: isCurrent,
        created_at: at.toISOString(),
        config: presentConfig(userId, config, apiVersion),
      })),
      total,
      page,
    )
  })
  api.on(contract.createLabsSession, async ({ projectId, body: { user_id: userId, config } }) => {
    const toolkits = config?.toolkits ?? []
    const { id } = await service.createLabs(projectId, userId, {
      ...(toolkits.length ? { toolkits: { enable: toolkits.map(({ toolkit }) => toolkit) } } : {}),
      manage_connections: { enable: !config?.manually_manage_connections },
      auth_configs: Object.fromEntries(
        toolkits.flatMap(({ toolkit, auth_config_id: auth }) => (auth ? [[toolkit, auth]] : [])),
      ),
    })
    const url = mcpAddress(deps.publicUrl, id, 'v3')
    return { session_id: id, chat_session_mcp_url: url, tool_router_instance_mcp_url: url }
  })
}

/** Decision: v3 ignores members that it does not know, v3.1 refuses them by name. */
export function refuseUnknown(
  apiVersion: ApiVersion,
  { body: { properties } }: { body: { properties: object } },
  body: object,
): void {
  if (apiVersion === 'v3') return
  refuse(
    Object.keys(body)
      .filter((key) => !Object.hasOwn(properties, key))
      .map((key) => `unrecognized key: ${key.slice(0, 100)}`),
  )
}
