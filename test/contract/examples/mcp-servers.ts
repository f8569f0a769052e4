import { createMcpInstance, createMcpServer } from '../../../src/contract/mcp-servers/index.ts'
import { sql, values } from '../../../src/platform/db/sql.ts'
import { unique, type World } from '../world.ts'
import type { Example } from './samples.ts'

const mcpServer = async ({ own }: World, auth_config_ids: string[] = []): Promise<string> =>
  (await own.call(createMcpServer, { body: { name: 'Flow helper', auth_config_ids } })).body.id

/** Calls of the operations of MCP servers. */
export const MCP_SERVERS_EXAMPLES: Readonly<Record<string, Example>> = {
  'mcp.list': () => ({
    query: {
      name: 'flow',
      toolkits: ['nodered'],
      order_by: 'created_at',
      order_direction: 'asc',
      page_no: 1,
      limit: 5,
    },
  }),
  'mcp.listForApp': () => ({ params: { app_key: 'nodered' }, query: { limit: 5 } }),
  'mcp.create': ({ own }) => ({
    body: {
      name: 'Flow helper',
      auth_config_ids: [own.authConfig],
      no_auth_apps: ['utilities'],
      allowed_tools: ['NODERED_GET_FLOW'],
      managed_auth_via_service: true,
    },
  }),
  'mcp.createCustom': ({ own }) => ({
    body: {
      name: 'Flow helper',
      auth_config_ids: [own.authConfig],
      toolkits: ['utilities'],
      allowed_tools: ['NODERED_GET_FLOW'],
      managed_auth_via_service: false,
    },
  }),
  'mcp.generate': async (w) => ({
    body: {
      mcp_server_id: await mcpServer(w),
      managed_auth_by_service: true,
      user_ids: ['user-1'],
      connected_account_ids: [w.own.account],
    },
  }),
  'mcp.read': async (w) => ({ params: { id: await mcpServer(w) } }),
  'mcp.clientConfigs': async (w) => ({
    params: { server_id: await mcpServer(w) },
    query: { auth: 'key', user_id: 'user-1' },
  }),
  'mcp.update': async (w) => ({
    params: { id: await mcpServer(w) },
    body: {
      name: 'Other name',
      toolkits: ['utilities'],
      allowed_tools: [],
      managed_auth_via_service: false,
      auth_config_ids: [w.own.authConfig],
    },
  }),
  'mcp.delete': async (w) => ({ params: { id: await mcpServer(w) } }),
  'mcp.createSignInLink': async (w) => ({ body: { mcp_server_id: await mcpServer(w), user_id: 'user-1' } }),
  'mcp.listClientGrants': () => ({ query: { user_id: 'user-1', limit: 5 } }),
  'mcp.deleteClientGrant': async ({ app: { db }, own }) => {
    const id = `mcg_${unique()}`
    await db.run(
      sql`insert into mcp_grants ${values({
        id,
        project_id: own.project,
        resource_kind: 'mcp_server',
        resource_id: unique(),
        user_id: 'user-1',
        client_id: 'mcc_1',
      })}`,
    )
    return { params: { grant_id: id } }
  },
  'mcp.listInstances': async (w) => ({
    params: { server_id: await mcpServer(w) },
    query: { search: 'user', limit: 5 },
  }),
  'mcp.createInstance': async (w) => ({
    params: { server_id: await mcpServer(w) },
    body: { user_id: 'user-1' },
  }),
  'mcp.deleteInstance': async (w) => {
    const id = await mcpServer(w)
    await w.own.call(createMcpInstance, { params: { server_id: id }, body: { user_id: 'user-1' } })
    return { params: { server_id: id, instance_id: 'user-1' } }
  },
}
