import { createHash } from 'node:crypto'
import type { TestContext } from 'node:test'
import {
  type ConnectedAccountsApp,
  followShortLink,
  requestsTo,
  returnFromProvider,
} from '#fixtures/connected-accounts.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { type Call, requestsOf, startSampleApp } from './sample-app.ts'

/** Responses by the name of the sample that a field table requires. */
export type Samples = Readonly<Record<string, readonly unknown[]>>

/** Samples of the resources that describe toolkits and how users connect to them. */
async function catalogueSamples(s: ConnectedAccountsApp, call: Call): Promise<Record<string, unknown[]>> {
  const authConfigId = await s.addAuthConfig(
    'API_KEY',
    {},
    {
      proxy_config: { proxy_url: 'https://proxy.example', proxy_auth_key: 'proxy-key-1' },
      shared_credentials: { region: 'eu' },
      restrict_to_following_tools: ['SHOP_GET_ORDER'],
      tool_access_config: {
        tools_for_connected_account_creation: ['SHOP_GET_ORDER'],
        tools_available_for_execution: ['SHOP_GET_ORDER'],
      },
    },
  )
  const oauthConfigId = await s.addAuthConfig('OAUTH2', { client_id: 'client-1', client_secret: 'secret-1' })
  const missing = await s.app.http.inject({
    method: 'POST',
    url: '/api/v3/auth_configs',
    headers: { 'x-api-key': s.keys.projectApiKey },
    payload: { toolkit: {} },
  })
  return {
    error: [missing.json()],
    'cursor page': [await call('GET', '/tools?limit=1')],
    'auth config': await Promise.all(
      [authConfigId, oauthConfigId].map((id) => call('GET', `/auth_configs/${id}`)),
    ),
    tool: [await call('GET', '/tools/SHOP_GET_ORDER')],
    toolkit: [await call('GET', '/toolkits/shop')],
    'trigger type': [await call('GET', '/triggers_types/SHOP_NEW_ORDER')],
  }
}

/** Samples of a connection that waits for its user, and of connections that failed and expired. */
async function accountSamples(
  s: ConnectedAccountsApp,
  call: Call,
  siteKeys: readonly string[],
): Promise<Record<string, unknown[]>> {
  await call('PATCH', '/org/project/config', { mask_secret_keys_in_connected_account: false })
  const config = await s.addAuthConfig('OAUTH1', { consumer_key: 'key-1', consumer_secret: 'secret-1' })
  const waiting = await call('POST', '/connected_accounts', {
    auth_config: { id: config },
    connection: {
      user_id: 'user-1',
      callback_url: 'https://app.example/done',
      state: { authScheme: 'OAUTH1', val: Object.fromEntries(siteKeys.map((name) => [name, 'x'])) },
    },
  })
  const finished = await finishOAuth1(s, call, config)
  const oauthConfig = await s.addAuthConfig('OAUTH2', { client_id: 'client-1', client_secret: 'secret-1' })
  const denied = (await s.connect(oauthConfig, { user_id: 'user-1' })).body
  const authorization = await followShortLink(s, String(denied.redirect_url))
  await returnFromProvider(s, {
    state: authorization.searchParams.get('state') ?? '',
    error: 'access_denied',
    error_description: 'The user denied access.',
  })
  await s.app.db.run(
    sql`update connected_accounts set setup_expires_at = now() - interval '1 second' where id = ${waiting.id}`,
  )
  return {
    'connected account': [waiting],
    'finished connected account': await Promise.all(
      [denied.id, waiting.id, finished.id].map((id) => call('GET', `/connected_accounts/${id}`)),
    ),
  }
}

/** Connects an account with OAuth 1.0a: the provider redirects the browser with a verifier. */
async function finishOAuth1(s: ConnectedAccountsApp, call: Call, config: string): Promise<{ id: string }> {
  const account = await call('POST', '/connected_accounts', {
    auth_config: { id: config },
    connection: {
      user_id: 'user-3',
      state: { authScheme: 'OAUTH1', val: { long_redirect_url: true, subdomain: 'x' } },
    },
  })
  const authorization = requestsTo(s, '/request').at(-1)?.headers['authorization'] ?? ''
  const callback = new URL(decodeURIComponent(/oauth_callback="([^"]*)"/.exec(authorization)?.[1] ?? ''))
  callback.searchParams.set('oauth_token', 'request-token')
  callback.searchParams.set('oauth_verifier', 'verifier-1')
  await s.visit(callback.href)
  return account
}

/** Samples of MCP servers, triggers and sessions over an active connection of user-1. */
async function useSamples(s: ConnectedAccountsApp, call: Call): Promise<Record<string, unknown[]>> {
  const authConfig = await s.addAuthConfig('API_KEY')
  const account = await s.addAccount(authConfig, 'API_KEY', { generic_api_key: 'k' }, { user_id: 'user-1' })
  const oauthConfig = await s.addAuthConfig('OAUTH2', { client_id: 'client-1', client_secret: 'secret-1' })
  const token = { access_token: 'token-1', expires_in: 3_600, status: 'ACTIVE' }
  await s.addAccount(oauthConfig, 'OAUTH2', token, { user_id: 'user-2' })
  const server = await call('POST', '/mcp/servers/custom', {
    name: 'Orders',
    auth_config_ids: [authConfig],
    allowed_tools: ['SHOP_GET_ORDER'],
  })
  const instance = await call('POST', `/mcp/servers/${server.id}/instances`, { user_id: 'user-1' })
  const session = await call('POST', '/tool_router/session', {
    user_id: 'user-1',
    toolkits: { enable: ['shop'] },
    auth_configs: { shop: authConfig },
    connected_accounts: { shop: account },
    manage_connections: { callback_url: 'https://app.example/done' },
    tools: { shop: { enable: ['SHOP_GET_ORDER'] } },
    tags: { enable: ['readOnlyHint'], disable: ['destructiveHint'] },
  })
  const execute = (id: string) =>
    call('POST', '/tools/execute/SHOP_GET_ORDER', { user_id: 'user-1', arguments: { id } })
  const meta = (toolSlug: string) =>
    call('POST', `/tool_router/session/${session.session_id}/execute_meta`, {
      slug: 'SERVICE_MULTI_EXECUTE_TOOL',
      arguments: { tools: [{ tool_slug: toolSlug, arguments: { id: '7' } }] },
    })
  return {
    'trigger instance': [
      await call('POST', '/trigger_instances/SHOP_NEW_ORDER/upsert', { connected_account_id: account }),
    ],
    'MCP server': [await call('GET', `/mcp/${server.id}`)],
    'numbered page': [await call('GET', '/mcp/servers')],
    'MCP server instance': [instance],
    session: [session],
    execution: [
      await execute('7'),
      await call('POST', '/tools/execute/SHOP_GET_ORDER', { user_id: 'user-1' }),
      await call('POST', '/tools/execute/SHOP_GET_ORDER', { user_id: 'user-2', arguments: { id: '7' } }),
    ],
    'meta tool execution': [await meta('SHOP_GET_ORDER'), await meta('SHOP_NO_SUCH_TOOL')],
  }
}

/** Samples of the resources of a project. */
async function projectSamples(s: ConnectedAccountsApp, call: Call): Promise<Record<string, unknown[]>> {
  const subscribe = (host: string, event: string) =>
    call('POST', '/webhook_subscriptions', {
      webhook_url: `https://${host}.example/events`,
      enabled_events: [event],
    })
  const subscription = await subscribe('triggers', 'service.trigger.message')
  await subscribe('accounts', 'service.connected_account.expired')
  const upload = await call('POST', '/files/upload/request', {
    toolkit_slug: 'shop',
    tool_slug: 'SHOP_GET_ORDER',
    filename: 'a.txt',
    mimetype: 'text/plain',
    md5: createHash('md5').update('a').digest('hex'),
  })
  const { pathname, search } = new URL(upload.new_presigned_url)
  await s.app.http.inject({
    method: 'PUT',
    url: pathname + search,
    headers: { 'content-type': 'text/plain' },
    payload: 'a',
  })
  const project = await call('GET', `/org/owner/project/${s.keys.projectId}`, undefined, {
    headers: { 'x-org-api-key': s.keys.organizationApiKey },
  })
  return {
    'project configuration': [
      await call('PATCH', '/org/project/config', {
        logo_url: 'https://app.example/logo.svg',
        display_name: 'Example',
      }),
    ],
    project: [project],
    file: (await call('GET', '/files/list')).items,
    'webhook subscription': [await call('GET', `/webhook_subscriptions/${subscription.id}`)],
  }
}

/** Creates one of everything and returns the responses of v3. */
export async function collectSamples(t: TestContext, siteKeys: readonly string[]): Promise<Samples> {
  const s = await startSampleApp(t, siteKeys)
  const { call } = requestsOf(s)
  return {
    ...(await catalogueSamples(s, call)),
    ...(await useSamples(s, call)),
    ...(await accountSamples(s, call, siteKeys)),
    ...(await projectSamples(s, call)),
  }
}
