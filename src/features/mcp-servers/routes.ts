import { describeMissingToolkit } from '../../catalog/index.ts'
import * as contract from '../../contract/mcp-servers/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Api } from '../../platform/http/call.ts'
import { clientConfigs, clientName, KEY_PLACEHOLDER } from '../../platform/mcp/index.ts'
import { type McpServerPresenterDeps, mcpServerUrl, mcpServerUrls } from './presenter.ts'
import { presentServer, presentServerSummary } from './presenter.ts'
import * as service from './service.ts'
import { type InstanceRow, list, type ServerOrder } from './store.ts'

const PER_PAGE_MAX = 100

export interface McpServerRoutesDeps extends service.McpServerServiceDeps, McpServerPresenterDeps {
  /** The name of the query parameter that adds the tool for connections. */
  connectionToolParameter: string
}

export function mcpServerRoutes(api: Api, deps: McpServerRoutesDeps): void {
  listRoutes(api, deps)
  createRoutes(api, deps)
  const { publicUrl, connectionToolParameter } = deps
  api.on(contract.generateMcpUrls, async ({ projectId, body }) => {
    const { id } = await service.readServer(deps, projectId, body.mcp_server_id)
    return mcpServerUrls(
      mcpServerUrl(publicUrl, id),
      body.user_ids ?? [],
      body.connected_account_ids ?? [],
      body.managed_auth_by_service ? connectionToolParameter : undefined,
    )
  })
  api.on(contract.readMcpServer, async ({ projectId, params }) => ({
    ...presentServer(await service.readServer(deps, projectId, params.id), deps),
    deleted: false,
  }))
  api.on(contract.readMcpClientConfigs, async ({ projectId, params, query }) => {
    const { id, name } = await service.readServer(deps, projectId, params.server_id)
    const url = mcpServerUrl(publicUrl, id)
    const keyUrl = `${url}?${new URLSearchParams({ user_id: query.user_id ?? 'default' })}`
    return {
      mcp_url: url,
      key_placeholder: KEY_PLACEHOLDER,
      clients: clientConfigs(clientName(name), { signInUrl: url, keyUrl }, query.auth ?? 'sign_in'),
    }
  })
  api.on(contract.updateMcpServer, async ({ projectId, params, body }) => {
    const { managed_auth_via_service: managed_auth, ...change } = body
    const server = await service.updateServer(deps, projectId, params.id, { ...change, managed_auth })
    return { ...presentServer(server, deps), deleted: false }
  })
  api.on(contract.deleteMcpServer, async ({ projectId, params }) => {
    await service.removeServer(deps, projectId, params.id)
    return { id: params.id, deleted: true }
  })
  instanceRoutes(api, deps)
}

function listRoutes(api: Api, deps: McpServerRoutesDeps): void {
  /** `offered`: the toolkit that all servers of the list offer. */
  async function listServers(projectId: string, query: contract.ServerFilters, offered?: string) {
    const page = numberedPage(query, contract.SERVERS_PER_PAGE)
    const { rows, total } = await list(
      deps.db,
      projectId,
      {
        name: query.name || undefined,
        offered,
        toolkits: query.toolkits?.map((slug) => slug.toLowerCase()),
        authConfigs: query.auth_config_ids,
        order: readOrder(query),
      },
      page,
    )
    return { items: rows.map((row) => presentServer(row, deps)), ...page.meta(total) }
  }
  api.on(contract.listMcpServers, async ({ projectId, query }) => listServers(projectId, query))
  api.on(contract.listMcpServersForApp, async ({ projectId, params, query }) => {
    const catalog = await deps.catalogOf(projectId)
    const toolkit = catalog.toolkit(params.app_key)
    if (!toolkit)
      throw new ApiError('Toolkit_ToolkitNotFound', describeMissingToolkit(catalog, params.app_key))
    return listServers(projectId, query, toolkit.slug)
  })
}

function createRoutes(api: Api, deps: McpServerRoutesDeps): void {
  api.on(contract.createMcpServer, async ({ projectId, body }) => {
    const draft = {
      name: body.name,
      auth_config_ids: body.auth_config_ids,
      toolkits: body.no_auth_apps ?? [],
      allowed_tools: body.allowed_tools ?? [],
      managed_auth: body.managed_auth_via_service ?? true,
    }
    const names = { tools: 'allowed_tools', toolkits: 'no_auth_apps' }
    return presentServer(await service.createServer(deps, projectId, draft, names), deps)
  })
  api.on(contract.createCustomMcpServer, async ({ projectId, body }) => {
    const draft = {
      name: body.name,
      auth_config_ids: body.auth_config_ids ?? [],
      toolkits: body.toolkits ?? [],
      allowed_tools: body.allowed_tools ?? body.custom_tools ?? [],
      managed_auth: body.managed_auth_via_service ?? true,
    }
    const names = { tools: body.allowed_tools ? 'allowed_tools' : 'custom_tools', toolkits: 'toolkits' }
    return presentServerSummary(await service.createServer(deps, projectId, draft, names), deps)
  })
}

function instanceRoutes(api: Api, deps: McpServerRoutesDeps): void {
  api.on(contract.listMcpInstances, async ({ projectId, params, query }) => {
    const page = numberedPage(query, contract.INSTANCES_PER_PAGE)
    const { server, rows, total } = await service.listInstances(
      deps,
      projectId,
      params.server_id,
      { search: query.search || undefined, order: readOrder(query) },
      page,
    )
    return {
      instances: rows.map((row) => presentInstance(row, deps.publicUrl)),
      server_id: server.id,
      server_name: server.name,
      ...page.meta(total),
    }
  })
  api.on(contract.createMcpInstance, async ({ projectId, params, body }) =>
    presentInstance(
      await service.createInstance(deps, projectId, params.server_id, body.user_id),
      deps.publicUrl,
    ),
  )
  api.on(contract.deleteMcpInstance, async ({ projectId, params, authorize }) => {
    // The accounts of the user are deleted too.
    await authorize({ area: 'connected_accounts', level: 'write' })
    return {
      message: 'The instance was deleted.',
      deleted_connected_accounts: await service.removeInstance(
        deps,
        projectId,
        params.server_id,
        params.instance_id,
      ),
    }
  })
}

const presentInstance = (
  { id, server_id, user_id, created_at, updated_at }: InstanceRow,
  publicUrl: string,
) => ({
  id,
  instance_id: user_id,
  mcp_server_id: server_id,
  mcp_url: `${mcpServerUrl(publicUrl, server_id)}?user_id=${encodeURIComponent(user_id)}`,
  created_at: created_at.toISOString(),
  updated_at: updated_at.toISOString(),
})

const readOrder = ({
  order_by: by = 'updated_at',
  order_direction: direction = 'desc',
}: {
  order_by?: ServerOrder['by'] | undefined
  order_direction?: 'asc' | 'desc' | undefined
}): ServerOrder => ({ by, ascending: direction === 'asc' })

/** Reads a numbered page. Lists of other resources use a cursor. */
function numberedPage(
  { page_no, limit }: { page_no?: number | null | undefined; limit?: number | null | undefined },
  defaultSize: number,
) {
  const number = page_no ?? 1
  const pageSize = Math.min(limit ?? defaultSize, PER_PAGE_MAX)
  return {
    limit: pageSize,
    offset: (number - 1) * pageSize,
    meta: (total: number) => ({ total_pages: Math.ceil(total / pageSize), current_page: number }),
  }
}
