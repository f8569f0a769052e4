import type { CatalogOf } from '../../catalog/index.ts'
import * as contract from '../../contract/sessions/index.ts'
import { readSessionClientConfigs } from '../../contract/mcp-servers/index.ts'
import type { Api, Call } from '../../platform/http/call.ts'
import { clientConfigs, KEY_PLACEHOLDER } from '../../platform/mcp/index.ts'
import { pageOf, readPage } from '../../platform/http/paging.ts'
import { presentCustomTools } from './tools/custom-tools.ts'
import { listedMetaTools } from './meta-tools/meta-tool.ts'
import { preloadedCount } from './scope/preloaded-tools.ts'
import { sessionMcpUrl, presentConfig, type SessionPresenterDeps, presentSession } from './presenter.ts'
import { assistivePrompt } from './endpoint/assistive-prompt.ts'
import type { MetaToolRunDeps } from './meta-tools/run-meta-tool.ts'
import { readSessionCaller, openScope, type SessionScopeDeps } from './scope/scope.ts'
import type { SessionService } from './service.ts'
import type { SessionRow } from './store.ts'

export interface SessionRoutesDeps extends SessionScopeDeps, SessionPresenterDeps, MetaToolRunDeps {
  catalogOf: CatalogOf
  service: SessionService
}

const HISTORY_PER_PAGE_MAX = 100

type RequestCaller = Pick<
  Call<typeof contract.readSession>,
  'projectId' | 'keyId' | 'settings' | 'requestId' | 'log' | 'header' | 'apiVersion'
>

/** Registers the endpoints that create, read, update and delete sessions. */
export function sessionRoutes(api: Api, deps: SessionRoutesDeps): void {
  const { service, catalogOf } = deps
  api.on(contract.createSession, async (call) => {
    const { projectId, body } = call
    const custom = presentCustomTools(await catalogOf(projectId), body.experimental)
    const row = await service.create(projectId, body)
    const { config } = await openScope(deps, readSessionCaller(call), row)
    return present(deps, call, row, {
      assistive_prompt: assistivePrompt(
        config,
        listedMetaTools(deps.metaTools, config),
        deps.toWireName,
        new Date(deps.clock.now()),
      ),
      ...(custom as object),
    })
  })
  api.on(contract.readSession, async (call) =>
    present(deps, call, await service.read(call.projectId, call.params.session_id)),
  )
  api.on(contract.attachSession, async (call) => {
    const { projectId, params, body } = call
    const row = await service.readAndTouch(projectId, params.session_id)
    return present(
      deps,
      call,
      row,
      presentCustomTools(await catalogOf(projectId), body.experimental) as object,
    )
  })
  api.on(contract.updateSession, async (call) => {
    // Permissions and hooks of a session restrict calls as policies do, which only unrestricted keys change.
    const authorizeLoosening = () => call.authorize(undefined)
    const { projectId, params, body } = call
    return present(deps, call, await service.update(projectId, params.session_id, body, authorizeLoosening))
  })
  api.on(contract.deleteSession, async ({ projectId, params }) => {
    await service.remove(projectId, params.session_id)
    return { session_id: params.session_id, deleted: true as const }
  })
  clientConfigsRoute(api, deps)
  listRoute(api, deps)
  historyRoute(api, deps)
  labsRoute(api, deps)
}

const present = async (
  deps: SessionRoutesDeps,
  call: RequestCaller,
  row: SessionRow,
  experimental?: NonNullable<contract.Session['experimental']>,
): Promise<contract.Session> =>
  presentSession(
    deps,
    row,
    preloadedCount(await openScope(deps, readSessionCaller(call), row)),
    call.apiVersion,
    experimental,
  )

function clientConfigsRoute(api: Api, { service, publicUrl }: SessionRoutesDeps): void {
  api.on(readSessionClientConfigs, async ({ projectId, params, query, apiVersion }) => {
    const { id } = await service.read(projectId, params.session_id)
    const url = sessionMcpUrl(publicUrl, id, apiVersion)
    return {
      mcp_url: url,
      key_placeholder: KEY_PLACEHOLDER,
      clients: clientConfigs('patchbay', { signInUrl: url, keyUrl: url }, query.auth ?? 'sign_in'),
    }
  })
}

function listRoute(api: Api, { service, publicUrl }: SessionRoutesDeps): void {
  api.on(contract.listSessions, async ({ projectId, query, apiVersion }) => {
    const page = readPage(query)
    const { rows, total, next } = await service.list(projectId, query.user_id, page)
    return pageOf(
      rows.map(({ id, user_id, config_version, created_at, configured_at, last_used_at }) => ({
        session_id: id,
        user_id,
        mcp_url: sessionMcpUrl(publicUrl, id, apiVersion),
        config_version,
        created_at: created_at.toISOString(),
        configured_at: configured_at.toISOString(),
        last_used_at: last_used_at.toISOString(),
      })),
      total,
      page,
      next,
    )
  })
}

function historyRoute(api: Api, { service }: SessionRoutesDeps): void {
  api.on(contract.sessionConfigHistory, async ({ projectId, params, query, apiVersion }) => {
    const page = readPage(query, HISTORY_PER_PAGE_MAX)
    const { userId, items, total, next } = await service.history(projectId, params.session_id, page)
    return pageOf(
      items.map(({ version, config, at, isCurrent }) => ({
        version,
        is_current: isCurrent,
        created_at: at.toISOString(),
        config: presentConfig(userId, config, apiVersion),
      })),
      total,
      page,
      next,
    )
  })
}

/** Registers the older endpoint, which creates one session per user and configuration. */
function labsRoute(api: Api, { service, publicUrl }: SessionRoutesDeps): void {
  api.on(contract.createLabsSession, async ({ projectId, body: { user_id: userId, config } }) => {
    const toolkits = config?.toolkits ?? []
    const { id } = await service.createLabs(projectId, userId, {
      ...(toolkits.length ? { toolkits: { enable: toolkits.map(({ toolkit }) => toolkit) } } : {}),
      manage_connections: { enable: !config?.manually_manage_connections },
      auth_configs: Object.fromEntries(
        toolkits.flatMap(({ toolkit, auth_config_id: auth }) => (auth ? [[toolkit, auth]] : [])),
      ),
    })
    const url = sessionMcpUrl(publicUrl, id, 'v3')
    return { session_id: id, chat_session_mcp_url: url, tool_router_instance_mcp_url: url }
  })
}
