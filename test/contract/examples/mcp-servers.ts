import { createMcpInstance, createMcpServer } from '../../../src/contract/mcp-servers/index.ts'
import { insertGrant, issueTokens } from '../../../src/features/mcp-authorization/tokens/store.ts'
import { unique, type World } from '../world.ts'
import type { Example } from './samples.ts'

const mcpServer = async ({ own }: World, auth_config_ids: string[] = []): Promise<string> =>
  (await own.call(createMcpServer, { body: { name: 'Flow helper', auth_config_ids } })).body.id

async function clientGrant({ app: { db }, own }: World): Promise<string> {
  const id = `mcg_${unique()}`
  await insertGrant(db, {
    id,
    project_id: own.project,
    resource_kind: 'mcp_server',
    resource_id: unique(),
    user_id: 'user-1',
    client_id: 'mcc_1',
    client_name: null,
    client_auth: null,
  })
  return id
}

async function accessToken(w: World): Promise<string> {
  const { access } = await issueTokens(w.app.db, { id: await clientGrant(w), project_id: w.own.project })
  return access
}

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
  'mcp.deleteClientGrant': async (w) => ({ params: { grant_id: await clientGrant(w) } }),
  'mcp.deleteClientGrants': async (w) => {
    await clientGrant(w)
    return { query: { user_id: 'user-1', client_id: 'mcc_1' } }
  },
  'mcp.introspectToken': async (w) => ({ body: { token: await accessToken(w) } }),
  'mcp.revokeToken': async (w) => ({ body: { token: await accessToken(w) } }),
  'mcp.readOpenIdProvider': () => ({}),
  'mcp.setOpenIdProvider': ({ application }) => ({
    body: {
      issuer: application.url,
      client_id: 'patchbay',
      client_secret: 'secret',
      name: 'Example SSO',
      scopes: 'openid email',
      user_id_claim: 'email',
    },
  }),
  'mcp.testOpenIdProvider': ({ application }) => ({
    body: { issuer: application.url, client_id: 'patchbay', client_secret: 'secret' },
  }),
  'mcp.deleteOpenIdProvider': () => ({}),
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
