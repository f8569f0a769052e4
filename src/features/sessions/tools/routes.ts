import * as contract from '../../../contract/sessions/index.ts'
import type { ToolExecution } from '../../../engine/index.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import type { Api, Call } from '../../../platform/http/call.ts'
import { pageOf, readPage, slicePage } from '../../../platform/http/paging.ts'
import { presentProxyResponse, toProxiedRequest } from '../../tools/index.ts'
import { readCustomTools } from './custom-tools.ts'
import {
  type ToolListDeps,
  listedTools,
  presentListedTool,
  presentSessionToolkit,
  selectSessionToolkits,
} from './tool-list.ts'
import { metaToolSlug, type MetaToolRun, runMetaTool } from '../meta-tools/run-meta-tool.ts'
import { readSessionCaller, openScope, type SessionScopeDeps, type SessionScope } from '../scope/scope.ts'
import { executeSessionProxy, type SessionProxyDeps } from '../scope/session-proxy.ts'
import type { SessionService } from '../service.ts'

export interface SessionToolRoutesDeps extends SessionScopeDeps, SessionProxyDeps, ToolListDeps {
  service: SessionService
  /** Returns a result, or its beginning and a file if it is too large for a model. */
  offload(scope: SessionScope, data: Record<string, unknown>): Promise<Record<string, unknown>>
}

const TOOLS_PER_PAGE_MAX = 500
const LOCAL_SLUG = /^LOCAL_/i

type SessionRequest = Pick<
  Call<typeof contract.sessionTools>,
  'projectId' | 'keyId' | 'settings' | 'requestId' | 'log' | 'header' | 'params'
>

/** Registers the endpoints that use tools within a session. */
export function sessionToolRoutes(api: Api, deps: SessionToolRoutesDeps): void {
  listRoutes(api, deps)
  executeRoute(api, deps)
  linkRoute(api, deps)
  proxyRoute(api, deps)
}

const open = async (deps: SessionToolRoutesDeps, call: SessionRequest): Promise<SessionScope> =>
  openScope(
    deps,
    readSessionCaller(call),
    await deps.service.readAndTouch(call.projectId, call.params.session_id),
  )

const presentResult = ({ data, error, logId, blocked }: MetaToolRun & Pick<ToolExecution, 'blocked'>) => ({
  data,
  error,
  log_id: logId,
  ...(blocked && {
    result_type: 'blocked' as const,
    block_reason: blocked.reason,
    hook_results: [...blocked.results],
  }),
})

function listRoutes(api: Api, deps: SessionToolRoutesDeps): void {
  api.on(contract.sessionTools, async (call) => {
    const scope = await open(deps, call)
    const page = readPage(call.query, TOOLS_PER_PAGE_MAX)
    const { items, total } = slicePage(listedTools(deps, scope), page)
    return pageOf(
      items.map((tool) => presentListedTool(deps, scope, tool)),
      total,
      page,
    )
  })

  api.on(contract.sessionToolkits, async (call) => {
    const {
      query: { toolkits, is_connected: connected, search },
      query,
      apiVersion,
    } = call
    const scope = await open(deps, call)
    const page = readPage(query)
    const { items, total } = slicePage(
      await selectSessionToolkits(scope, { toolkits, connected, search }),
      page,
    )
    const connections = await scope.connections(items.map(({ slug }) => slug))
    return pageOf(
      items.map((toolkit) =>
        presentSessionToolkit(deps, scope, toolkit, connections.get(toolkit.slug), apiVersion),
      ),
      total,
      page,
    )
  })
}

function executeRoute(api: Api, deps: SessionToolRoutesDeps): void {
  api.on(contract.executeInSession, async (call) => {
    const { body, signal } = call
    const scope = await open(deps, call)
    const custom = readCustomTools(scope.catalog, body.experimental)
    const meta = metaToolSlug(deps, body.tool_slug)
    if (meta)
      return presentResult(await runMetaTool(deps, scope, meta, body.arguments ?? {}, { signal, custom }))
    if (LOCAL_SLUG.test(body.tool_slug))
      throw new ApiError(
        'ToolRouterV2_LocalTool',
        `${body.tool_slug} runs in the process of the caller, not on this server.`,
      )
    const result = await scope.execute(body.tool_slug, body.arguments ?? {}, {
      account: body.account,
      signal,
    })
    return presentResult(
      body.enable_auto_workbench_offload && result.successful
        ? { ...result, data: await deps.offload(scope, result.data) }
        : result,
    )
  })
}

function linkRoute(api: Api, deps: SessionToolRoutesDeps): void {
  api.on(contract.linkInSession, async (call) => {
    const {
      body: { toolkit, callback_url: callbackUrl, alias, experimental },
    } = call
    const { linkToken, redirectUrl, connectedAccountId } = await (
      await open(deps, call)
    ).link(toolkit, { callbackUrl, alias, experimental })
    return {
      link_token: linkToken,
      redirect_url: redirectUrl,
      connected_account_id: connectedAccountId,
      ...(experimental ? { experimental } : {}),
    }
  })
}

function proxyRoute(api: Api, deps: SessionToolRoutesDeps): void {
  api.on(contract.proxyInSession, async (call) => {
    const { body } = call
    const response = await executeSessionProxy(
      deps,
      await open(deps, call),
      { toolkit: body.toolkit_slug, account: body.account, ...toProxiedRequest(body) },
      call.signal,
    )
    return presentProxyResponse(response)
  })
}
