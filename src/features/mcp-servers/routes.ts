import * as contract from '../../contract/mcp-servers.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Api } from '../../platform/http/call.ts'
import { addressesFor, addressOf, type McpPresenterDeps, presentServer, presentShort } from './present.ts'
import { type McpServerDeps, mcpServerService } from './service.ts'
import type { InstanceRow, Order } from './store.ts'

const SERVERS_A_PAGE = 10
const INSTANCES_A_PAGE = 20
const A_PAGE_MAX = 100

export interface McpRoutesDeps extends McpServerDeps, McpPresenterDeps {
  /** As the wire spells it. */
  helperKey: string
}

export function mcpServerRoutes(api: Api, deps: McpRoutesDeps): void {
  const service = mcpServerService(deps)
  const { catalogOf, publicUrl, helperKey } = deps

  const listed = async (
    projectId: string,
    query: contract.ServerFilters,
    toolkits = query.toolkits?.map((slug) => slug.toLowerCase()),
  ) => {
    const page = pageOf(query, SERVERS_A_PAGE)
    const { rows, total } = await service.list(
      projectId,
      { name: query.name || undefined, toolkits, authConfigs: query.auth_config_ids, order: orderOf(query) },
      page,
    )
    return { items: rows.map((row) => presentServer(row, deps)), ...page.meta(total) }
  }
  api.on(contract.listMcpServers, async ({ projectId, query }) => listed(projectId, query))
  api.on(contract.listMcpServersForApp, async ({ projectId, params, query }) => {
    const toolkit = (await catalogOf(projectId)).toolkit(params.app_key)
    if (!toolkit) throw new ApiError('Toolkit_ToolkitNotFound', `Toolkit ${params.app_key} not found`)
    return listed(projectId, query, [toolkit.slug])
  })
  api.on(contract.createMcpServer, async ({ projectId, body }) =>
    presentServer(
      await service.create(
        projectId,
        {
          name: body.name,
          auth_config_ids: body.auth_config_ids,
          toolkits: body.no_auth_apps ?? [],
          allowed_tools: body.allowed_tools ?? [],
          managed_auth: body.managed_auth_via_service ?? true,
        },
        { tools: 'allowed_tools', toolkits: 'no_auth_apps' },
      ),
      deps,
    ),
  )
  api.on(contract.createCustomMcpServer, async ({ projectId, body }) =>
    presentShort(
      await service.create(
        projectId,
        {
          name: body.name,
          auth_config_ids: body.auth_config_ids ?? [],
          toolkits: body.toolkits ?? [],
          allowed_tools: body.allowed_tools ?? body.custom_tools ?? [],
          managed_auth: body.managed_auth_via_service ?? true,
        },
        { tools: body.allowed_tools ? 'allowed_tools' : 'custom_tools', toolkits: 'toolkits' },
      ),
      deps,
    ),
  )
  api.on(contract.generateMcpUrls, async ({ projectId, body }) => {
    const { id } = await service.read(projectId, body.mcp_server_id)
    return addressesFor(
      addressOf(publicUrl, id),
      body.user_ids ?? [],
      body.connected_account_ids ?? [],
      body.managed_auth_by_service ? helperKey : undefined,
    )
  })
  api.on(contract.readMcpServer, async ({ projectId, params }) => ({
    ...presentServer(await service.read(projectId, params.id), deps),
    deleted: false,
  }))
  api.on(
    contract.updateMcpServer,
    async ({ projectId, params, body: { managed_auth_via_service: managed, ...change } }) => ({
      ...presentServer(
        await service.update(projectId, params.id, {
          ...change,
          ...(managed === undefined ? {} : { managed_auth: managed }),
        }),
        deps,
      ),
      deleted: false,
    }),
  )
  api.on(contract.deleteMcpServer, async ({ projectId, params }) => {
    await service.remove(projectId, params.id)
    return { id: params.id, deleted: true }
  })

  api.on(contract.listMcpInstances, async ({ projectId, params, query }) => {
    const page = pageOf(query, INSTANCES_A_PAGE)
    const { server, rows, total } = await service.listInstances(
      projectId,
      params.server_id,
      { search: query.search || undefined, order: orderOf(query) },
      page,
    )
    return {
      instances: rows.map(presentInstance),
      server_id: server.id,
      server_name: server.name,
      ...page.meta(total),
    }
  })
  api.on(contract.createMcpInstance, async ({ projectId, params, body }) =>
    presentInstance(await service.createInstance(projectId, params.server_id, body.user_id)),
  )
  api.on(contract.deleteMcpInstance, async ({ projectId, params }) => ({
    message: 'The instance was deleted.',
    deleted_connected_accounts: await service.removeInstance(projectId, params.server_id, params.instance_id),
  }))
}

const presentInstance = ({ id, server_id, user_id, created_at, updated_at }: InstanceRow) => ({
  id,
  instance_id: user_id,
  mcp_server_id: server_id,
  created_at: created_at.toISOString(),
  updated_at: updated_at.toISOString(),
})

const orderOf = ({
  order_by: by = 'updated_at',
  order_direction: direction = 'desc',
}: {
  order_by?: Order['by'] | undefined
  order_direction?: 'asc' | 'desc' | undefined
}): Order => ({ by, ascending: direction === 'asc' })

/** Lists of this resource have numbered pages, others a cursor. */
function pageOf(
  { page_no: page, limit }: { page_no?: number | null | undefined; limit?: number | null | undefined },
  size: number,
) {
  const number = page ?? 1
  const most = Math.min(limit ?? size, A_PAGE_MAX)
  return {
    limit: most,
    offset: (number - 1) * most,
    meta: (total: number) => ({ total_pages: Math.ceil(total / most), current_page: number }),
  }
}
