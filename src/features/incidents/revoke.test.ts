import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { testApp } from '#fixtures/app.ts'
import { createIncident, readIncident } from '../../contract/incidents.ts'
import { createMcpServer } from '../../contract/mcp-servers/index.ts'
import { readSessionInfo } from '../../contract/projects/index.ts'
import { createSession, readSession } from '../../contract/sessions/index.ts'
import { createWebhook, readWebhook, updateWebhook } from '../../contract/webhooks/index.ts'
import { newId } from '../../platform/ids.ts'
import { insertGrant, issueTokens } from '../mcp-authorization/tokens/store.ts'

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}

/** A project with a session, an MCP client and a webhook subscription of users; another project with the same. */
async function startProjects(t: TestContext) {
  const s = await testApp(t)
  const create = (body: object) => s.org(createIncident, { body: body as never })
  const fill = async (call: typeof s.call) => {
    const projectId = (await call(readSessionInfo)).body.project.nano_id
    const { id: serverId } = (
      await call(createMcpServer, {
        body: { name: 'Clock', auth_config_ids: [], no_auth_apps: ['utilities'] },
      })
    ).body
    const sessionOf = async (user_id: string) =>
      (await call(createSession, { body: { user_id } })).body.session_id
    const tokenOf = async (user_id: string) => {
      const grant = {
        id: newId('mcg'),
        project_id: projectId,
        resource_kind: 'mcp_server' as const,
        resource_id: serverId,
        user_id,
        client_id: 'client',
        client_name: null,
        client_auth: null,
      }
      await insertGrant(s.app.db, grant)
      return (await issueTokens(s.app.db, grant)).access
    }
    const { id: subscription } = (
      await call(createWebhook, {
        body: { webhook_url: 'https://receiver.example/', enabled_events: ['service.trigger.message'] },
      })
    ).body
    const opens = async (token: string) => {
      const { statusCode } = await s.app.http.inject({
        method: 'POST',
        url: `/v3/mcp/${serverId}`,
        headers: { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream' },
        payload: INITIALIZE,
      })
      return statusCode
    }
    return { projectId, subscription, sessionOf, tokenOf, opens }
  }
  return { ...s, create, fill }
}

test('attack: after an incident, leaked keys, MCP tokens and sessions are useless', async (t) => {
  const s = await startProjects(t)
  const other = await s.otherProject()
  const [mine, theirs] = [await s.fill(s.call), await s.fill(other)]
  const [token, foreignToken] = [await mine.tokenOf('u1'), await theirs.tokenOf('u1')]
  const session = await theirs.sessionOf('u1')
  await mine.sessionOf('u1')
  assert.deepEqual([await mine.opens(token), await theirs.opens(foreignToken)], [200, 200])
  const { status, body } = await s.create({
    project_id: mine.projectId,
    reason: 'a laptop was stolen',
    revoke: ['keys', 'mcp_grants', 'sessions', 'webhook_subscriptions'],
  })
  assert.deepEqual(
    [status, body.revoked],
    [201, { keys: 1, mcp_grants: 1, sessions: 1, webhook_subscriptions: 1 }],
  )
  assert.deepEqual([(await s.call(readSessionInfo)).status, await mine.opens(token)], [401, 401])
  assert.deepEqual(
    (await s.org(readIncident, { params: { incident_id: body.id } })).body.revoked,
    body.revoked,
  )
  // The other project is not affected.
  assert.deepEqual([(await other(readSessionInfo)).status, await theirs.opens(foreignToken)], [200, 200])
  assert.equal((await other(readSession, { params: { session_id: session } })).status, 200)
  const subscription = await other(readWebhook, { params: { id: theirs.subscription } })
  assert.equal(subscription.body.disabled_at, null)
})

test('incidents: sessions and MCP sign-ins of one user end in every project', async (t) => {
  const s = await startProjects(t)
  const [mine, theirs] = [await s.fill(s.call), await s.fill(await s.otherProject())]
  const tokens = [await mine.tokenOf('u1'), await theirs.tokenOf('u1'), await mine.tokenOf('u2')] as const
  const sessions = [await mine.sessionOf('u1'), await mine.sessionOf('u2')]
  const { body } = await s.create({ user_id: 'u1', revoke: ['sessions', 'mcp_grants'] })
  assert.deepEqual(body.revoked, { keys: 0, mcp_grants: 2, sessions: 1, webhook_subscriptions: 0 })
  assert.deepEqual(
    [await mine.opens(tokens[0]), await theirs.opens(tokens[1]), await mine.opens(tokens[2])],
    [401, 401, 200],
  )
  const statuses = sessions.map(
    async (id) => (await s.call(readSession, { params: { session_id: id } })).status,
  )
  assert.deepEqual(await Promise.all(statuses), [404, 200])
})

test('incidents: a webhook subscription that an incident disabled is enabled by a change', async (t) => {
  const s = await startProjects(t)
  const { projectId, subscription: id } = await s.fill(s.call)
  await s.create({ project_id: projectId, revoke: ['webhook_subscriptions'] })
  const read = async () => (await s.call(readWebhook, { params: { id } })).body
  assert.equal((await read()).disabled_reason, 'incident')
  await s.call(updateWebhook, { params: { id }, body: { version: 'V2' } as never })
  assert.deepEqual([(await read()).disabled_reason, (await read()).disabled_at], [null, null])
})

test('incidents: a kind that cannot be selected is rejected, and nothing changes', async (t) => {
  const s = await startProjects(t)
  const { projectId } = await s.fill(s.call)
  const rejected = [
    { user_id: 'u1', revoke: ['keys'] },
    { project_id: projectId, user_id: 'u1', revoke: ['webhook_subscriptions'] },
    { project_id: projectId, toolkit_slug: 'github', revoke: ['sessions'] },
    { project_id: projectId, revoke: ['accounts'] },
    { project_id: projectId, revoke: ['keys', 'keys'] },
  ]
  for (const body of rejected) assert.equal((await s.create(body)).status, 400, JSON.stringify(body))
  assert.equal((await s.call(readSessionInfo)).status, 200)
})
