import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#fixtures/app.ts'
import { startConnectedAccountsApp } from '#fixtures/connected-accounts.ts'
import { listConnectedAccounts } from '../../../contract/connected-accounts/index.ts'
import * as mcp from '../../../contract/mcp-servers/index.ts'
import { createProjectKey } from '../../../contract/projects/index.ts'
import { createSession, readSession, updateSession } from '../../../contract/sessions/index.ts'

const SESSIONS = { sessions: ['read', 'write'] }
const MCP_HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}

type Permissions = Record<string, string[]>
/** Creates a restricted key of the first project and returns its text. */
async function restrictedKey(
  s: Awaited<ReturnType<typeof testApp>>,
  permissions: Permissions,
): Promise<string> {
  const { body } = await s.org(createProjectKey, {
    params: { nano_id: s.keys.projectId },
    body: { permissions: permissions as never },
  })
  return body.key
}

test('MCP: a key without tool_execution lists tools, and calls none of them', async (t) => {
  const s = await testApp(t)
  const { body: session } = await s.call(createSession, {
    body: { user_id: 'ada', preload: { tools: ['UTILITIES_GET_CURRENT_TIME'] } },
  })
  const { body: server } = await s.call(mcp.createMcpServer, {
    body: { name: 'Clock', auth_config_ids: [], no_auth_apps: ['utilities'] },
  })
  const send = async (key: string, url: string, payload: unknown) => {
    const reply = await s.app.http.inject({
      method: 'POST',
      url,
      headers: { ...MCP_HEADERS, 'x-api-key': key },
      payload: payload as object,
    })
    return [reply.statusCode, reply.json().error?.slug, reply.json().result?.isError]
  }
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'UTILITIES_GET_CURRENT_TIME', arguments: { timezone: 'UTC' } },
  }
  const agent = await restrictedKey(s, SESSIONS)
  const executor = await restrictedKey(s, { ...SESSIONS, tool_execution: ['write'] })
  for (const url of [`/v3/mcp/${server.id}?user_id=ada`, `/tool_router/v3/${session.session_id}/mcp`]) {
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    assert.deepEqual(await send(agent, url, list), [200, undefined, undefined], url)
    assert.deepEqual(await send(agent, url, call), [403, 'APIKey_InsufficientPermissions', undefined], url)
    assert.deepEqual(
      await send(agent, url, [list, call]),
      [403, 'APIKey_InsufficientPermissions', undefined],
      'in a batch',
    )
    assert.deepEqual(await send(executor, url, call), [200, undefined, false], url)
  }
})

test('MCP instances: a key without connected_accounts does not delete the accounts of a user', async (t) => {
  const s = await startConnectedAccountsApp(t, {
    auth: [{ scheme: 'API_KEY', apply: { headers: { 'x-key': '{generic_api_key}' } } }],
  })
  const configId = await s.addAuthConfig('API_KEY')
  await s.addAccount(configId, 'API_KEY', { generic_api_key: 'key-12345' }, { user_id: 'ada' })
  const { body: server } = await s.call(mcp.createMcpServer, {
    body: { name: 'Shop helper', auth_config_ids: [configId] },
  })
  const params = { server_id: server.id, instance_id: 'ada' }
  await s.call(mcp.createMcpInstance, { params, body: { user_id: 'ada' } })
  const agent = s.as({ 'x-api-key': await restrictedKey(s, SESSIONS) })
  const accountCount = async () => (await s.call(listConnectedAccounts)).body.items.length
  assert.equal((await agent(mcp.deleteMcpInstance, { params })).status, 403)
  assert.equal(await accountCount(), 1)
  const manager = s.as({
    'x-api-key': await restrictedKey(s, { ...SESSIONS, connected_accounts: ['write'] }),
  })
  assert.equal((await manager(mcp.deleteMcpInstance, { params })).status, 200)
  assert.equal(await accountCount(), 0)
})

test('sessions: a restricted key tightens the permissions of a session, and does not loosen them', async (t) => {
  const s = await testApp(t)
  const agent = s.as({ 'x-api-key': await restrictedKey(s, SESSIONS) }, 'v3.1')
  const owner = s.as({ 'x-api-key': s.keys.projectApiKey }, 'v3.1')
  const permissions = {
    default: 'ask_every_call',
    overrides: { 'UTILITIES_CALCULATE:__none__': 'always_deny' },
  } as const
  const { body } = await owner(createSession, {
    body: {
      user_id: 'ada',
      tags: { disable: ['openWorldHint'], require_approval: ['destructiveHint'] },
      experimental: { permissions },
    },
  })
  const params = { session_id: body.session_id }
  const patch = async (by: typeof agent, change: object) =>
    (await by(updateSession, { params, body: change as never })).status
  for (const change of [
    { experimental: { permissions: null } },
    { experimental: { permissions: { default: 'allow_all', overrides: permissions.overrides } } },
    { experimental: { permissions: { default: 'ask_every_call' } } },
    {
      experimental: {
        permissions: { ...permissions, overrides: { 'UTILITIES_CALCULATE:__none__': 'ask_once' } },
      },
    },
    {
      experimental: {
        permissions: {
          ...permissions,
          overrides: { ...permissions.overrides, '*:__none__': 'always_allow' },
        },
      },
    },
    { tags: null },
    { tags: { require_approval: [] } },
  ])
    assert.equal(await patch(agent, change), 403, JSON.stringify(change))
  const unchanged = await owner(readSession, { params })
  assert.deepEqual(
    [unchanged.body.config_version, unchanged.body.experimental?.permissions],
    [1, permissions],
  )
  for (const change of [
    { search: { enable: false } },
    { tags: { require_approval: ['destructiveHint', 'updateHint'] } },
    {
      experimental: {
        permissions: { ...permissions, overrides: { '*:__none__': 'always_deny', ...permissions.overrides } },
      },
    },
  ])
    assert.equal(await patch(agent, change), 200, JSON.stringify(change))
  assert.equal(await patch(owner, { experimental: { permissions: null }, tags: null }), 200)
})
