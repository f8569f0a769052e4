import * as contract from '../../contract/sessions.ts'
import type { Executed, Proxy } from '../../engine/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Api, Call } from '../../platform/http/call.ts'
import { pageOf, readPage, slicePage } from '../../platform/http/paging.ts'
import { refuse } from './check.ts'
import { customTools } from './custom.ts'
import { type ListDeps, listed, presentListed, presentToolkit, toolkitsOf } from './lists.ts'
import { refuseUnknown } from './routes.ts'
import { metaSlug, type Ran, runMeta } from './run-meta.ts'
import { callerOf, openScope, type ScopeDeps, type SessionScope } from './scope.ts'
import type { SessionService } from './service.ts'

export interface WorkDeps extends ScopeDeps, ListDeps {
  service: SessionService
  proxy: Proxy
  /** An answer as it is, or its beginning where it is too large for a context. */
  offload(scope: SessionScope, data: Record<string, unknown>): Promise<Record<string, unknown>>
}

const TOOLS_A_PAGE_MAX = 500
const LOCAL = /^LOCAL_/i

type SessionCall = Pick<
  Call<typeof contract.sessionTools>,
  'projectId' | 'keyId' | 'settings' | 'requestId' | 'log' | 'header' | 'params'
>

/** What is done within sessions. */
export function sessionWorkRoutes(api: Api, deps: WorkDeps): void {
  const rowOf = ({ projectId, params }: SessionCall) => deps.service.use(projectId, params.session_id)
  const open = async (call: SessionCall): Promise<SessionScope> =>
    openScope(deps, callerOf(call), await rowOf(call))
  const outcome = ({ data, error, logId, blocked }: Ran & Pick<Executed, 'blocked'>) => ({
    data,
    error,
    log_id: logId,
    ...(blocked && {
      result_type: 'blocked' as const,
      block_reason: blocked.reason,
      hook_results: [...blocked.results],
    }),
  })

  api.on(contract.sessionTools, async (call) => {
    const scope = await open(call)
    const page = readPage(call.query, TOOLS_A_PAGE_MAX)
    const { items, total } = slicePage(listed(deps, scope), page)
    return pageOf(
      items.map((one) => presentListed(deps, scope, one)),
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
    const scope = await open(call)
    const page = readPage(query)
    const { items, total } = slicePage(await toolkitsOf(scope, { toolkits, connected, search }), page)
    const connections = await scope.connections(items.map(({ slug }) => slug))
    return pageOf(
      items.map((toolkit) => presentToolkit(deps, scope, toolkit, connections.get(toolkit.slug), apiVersion)),
      total,
      page,
    )
  })

  api.on(contract.executeInSession, async (call) => {
    const { body, apiVersion, signal } = call
    refuseUnknown(apiVersion, contract.executeInSession, body)
    const scope = await open(call)
    const custom = customTools(scope.catalog, body.experimental)
    const meta = metaSlug(deps, body.tool_slug)
    if (meta) return outcome(await runMeta(deps, scope, meta, body.arguments ?? {}, { signal, custom }))
    if (LOCAL.test(body.tool_slug))
      throw new ApiError(
        'ToolRouterV2_LocalTool',
        `${body.tool_slug} runs in the process of its caller, not on this server.`,
      )
    const ran = await scope.execute(body.tool_slug, body.arguments ?? {}, { account: body.account, signal })
    return outcome(
      body.enable_auto_workbench_offload && ran.successful
        ? { ...ran, data: await deps.offload(scope, ran.data) }
        : ran,
    )
  })

  api.on(contract.linkInSession, async (call) => {
    const {
      body: { toolkit, callback_url: callbackUrl, alias, experimental },
      apiVersion,
    } = call
    refuseUnknown(apiVersion, contract.linkInSession, call.body)
    const { linkToken, redirectUrl, connectedAccountId } = await (
      await open(call)
    ).link(toolkit, { callbackUrl, alias, experimental })
    return {
      link_token: linkToken,
      redirect_url: redirectUrl,
      connected_account_id: connectedAccountId,
      ...(experimental ? { experimental } : {}),
    }
  })

  api.on(contract.proxyInSession, async (call) => {
    const { body, apiVersion, projectId, settings, requestId, signal, log } = call
    refuseUnknown(apiVersion, contract.proxyInSession, body)
    const scope = await open(call)
    const toolkit = scope.toolkit(body.toolkit_slug)
    if (!toolkit)
      throw new ApiError('Toolkit_ToolkitNotFound', `Toolkit ${body.toolkit_slug} not found in this session`)
    const custom = body.custom_connection_data
    if (custom && custom.toolkitSlug.toLowerCase() !== toolkit.slug)
      refuse([`custom_connection_data.toolkitSlug: must be ${toolkit.slug}`])
    if (!custom && toolkit.noAuth)
      throw new ApiError(
        'Auth_Config_NoAuthApp',
        `${toolkit.name} has no connected accounts whose credentials a request could carry.`,
      )
    const account = custom ? undefined : await scope.account(toolkit, body.account)
    const { status, headers, data, file } = await deps.proxy({
      projectId,
      settings,
      requestId,
      signal,
      log,
      source: scope.caller.source,
      connectedAccountId: account?.id,
      userId: scope.userId,
      customConnection: custom,
      endpoint: body.endpoint,
      method: body.method,
      body: body.body,
      binaryBody: body.binary_body,
      parameters: body.parameters,
      within: { sessionId: scope.sessionId },
    })
    return {
      status,
      headers,
      ...(file
        ? {
            binary_data: {
              url: file.url,
              content_type: file.mimetype,
              size: file.size,
              expires_at: file.expiresAt,
            },
          }
        : { data }),
    }
  })
}
