import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type ApiClient, apiClient } from './client.ts'
import { type Application, type ReceivedRequest, startApplication } from './application.ts'
import { startTarget, type Target } from './target.ts'

const WAIT_MS = 180_000
const USER = `acceptance-${randomUUID()}`

let target: Target
let application: Application
let api: ApiClient
const cleanUps: (() => Promise<unknown>)[] = []

before(async () => {
  target = await startTarget()
  application = await startApplication(target.applicationUrl, target.applicationPort)
  api = apiClient(target.url, target.key)
})

after(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp()
  await application.close()
  await target.close()
})

/** Creates an auth config of GitLab that is deleted at the end. */
async function createAuthConfig(): Promise<string> {
  const { auth_config } = await api.call('POST', '/auth_configs', {
    toolkit: { slug: 'gitlab' },
    auth_config: { type: 'use_custom_auth', authScheme: 'BEARER_TOKEN', name: 'Acceptance' },
  })
  cleanUps.push(() => api.send('DELETE', `/api/v3.1/auth_configs/${auth_config.id}`))
  return auth_config.id
}

const connect = (authConfig: string, userId: string) =>
  api.call('POST', '/connected_accounts', {
    auth_config: { id: authConfig },
    connection: {
      user_id: userId,
      state: { authScheme: 'BEARER_TOKEN', val: { token: 'token-of-ada', server_url: application.url } },
    },
  })

/** The first request that matches, within a bound. */
async function received(
  what: string,
  matches: (request: ReceivedRequest) => boolean,
): Promise<ReceivedRequest> {
  const deadline = Date.now() + WAIT_MS
  for (;;) {
    const found = application.requests.find(matches)
    if (found) return found
    assert.ok(Date.now() < deadline, `${what} within ${WAIT_MS / 1_000} s`)
    await wait(50)
  }
}

test('acceptance: an auth config and a connected account are created, read and deleted', async () => {
  const authConfig = await createAuthConfig()
  assert.equal((await api.call('GET', `/auth_configs/${authConfig}`)).toolkit.slug, 'gitlab')
  const { id } = await connect(authConfig, `${USER}-deleted`)
  const account = await api.call('GET', `/connected_accounts/${id}`)
  assert.deepEqual([account.status, account.user_id], ['ACTIVE', `${USER}-deleted`])
  assert.ok(!JSON.stringify(account).includes('token-of-ada'), 'the token is masked')
  await api.call('DELETE', `/connected_accounts/${id}`)
  const { status, body } = await api.send('GET', `/api/v3.1/connected_accounts/${id}`)
  assert.deepEqual([status, body.error.status], [404, 404])
})

test('acceptance: tools are listed, read and executed, and the execution is logged', async () => {
  const { items } = await api.call('GET', '/tools?toolkit_slug=gitlab&limit=5')
  assert.equal(items.length, 5)
  const tool = await api.call('GET', '/tools/GITLAB_LIST_PROJECTS')
  assert.equal(tool.input_parameters.type, 'object')
  await connect(await createAuthConfig(), USER)
  const body = { user_id: USER, arguments: {} }
  const result = await api.call('POST', '/tools/execute/GITLAB_LIST_PROJECTS', body)
  assert.deepEqual([result.successful, result.error], [true, null])
  assert.match(JSON.stringify(result.data), /shop\/orders/)
  const sent = application.requests.find(({ path }) => path.startsWith('/api/v4/projects'))
  assert.equal(sent?.headers.authorization, 'Bearer token-of-ada')
  const log = await api.call('GET', `/logs/tool_execution/${result.log_id}`)
  assert.match(JSON.stringify(log), /GITLAB_LIST_PROJECTS/)
})

test('acceptance: an MCP server lists and calls its tools', async () => {
  const server = await api.call('POST', '/mcp/servers/custom', {
    name: 'Acceptance',
    toolkits: ['utilities'],
  })
  cleanUps.push(() => api.send('DELETE', `/api/v3.1/mcp/${server.id}`))
  const endpoint = `${new URL(server.mcp_url).pathname}?user_id=${USER}`
  const { tools } = await api.mcp(endpoint, 'tools/list')
  const names = tools.map(({ name }: { name: string }) => name)
  assert.ok(names.includes('UTILITIES_CALCULATE'), names.join())
  const params = { name: 'UTILITIES_CALCULATE', arguments: { expression: '6 * 7' } }
  const result = await api.mcp(endpoint, 'tools/call', params)
  assert.notEqual(result.isError, true)
  assert.match(JSON.stringify(result.content), /42/)
})

test('acceptance: a session finds tools and runs them in a batch', async () => {
  const session = await api.call('POST', '/tool_router/session', {
    user_id: USER,
    toolkits: { enable: ['utilities'] },
  })
  cleanUps.push(() => api.send('DELETE', `/api/v3.1/tool_router/session/${session.session_id}`))
  const meta = (slug: string, args: object) =>
    api.call('POST', `/tool_router/session/${session.session_id}/execute_meta`, { slug, arguments: args })
  const found = await meta(
    session.tool_router_tools.find((one: string) => one.endsWith('_SEARCH_TOOLS')),
    {
      queries: [{ use_case: 'calculate an expression' }],
    },
  )
  assert.match(JSON.stringify(found.data), /UTILITIES_CALCULATE/)
  const expressions = ['1 + 1', '2 * 50']
  const batch = await meta(
    session.tool_router_tools.find((one: string) => one.endsWith('_MULTI_EXECUTE_TOOL')),
    {
      tools: expressions.map((expression) => ({
        tool_slug: 'UTILITIES_CALCULATE',
        arguments: { expression },
      })),
      sync_response_to_workbench: false,
    },
  )
  assert.equal(batch.error, null)
  const results = JSON.stringify(batch.data.results)
  assert.ok(/\b2\b/.test(results) && /\b100\b/.test(results), results)
})

test('acceptance: a trigger delivers a signed webhook', async () => {
  const subscription = await api.call('POST', '/webhook_subscriptions', {
    webhook_url: `${application.url}/receiver/${USER}`,
    enabled_events: [await triggerMessageType()],
    version: 'V3',
  })
  cleanUps.push(() => api.send('DELETE', `/api/v3.1/webhook_subscriptions/${subscription.id}`))
  const { id: account } = await connect(await createAuthConfig(), `${USER}-trigger`)
  const trigger = await api.call('POST', '/trigger_instances/GITLAB_ISSUE_EVENT_TRIGGER/upsert', {
    connected_account_id: account,
    trigger_config: { project_id: '5' },
  })
  const hook = await received(
    'the webhook is registered',
    ({ path, method }) => method === 'POST' && path.endsWith('/projects/5/hooks'),
  )
  const { url, token } = JSON.parse(hook.body) as { url: string; token: string }
  const event = await api.send(
    'POST',
    new URL(url).pathname,
    {
      object_kind: 'issue',
      object_attributes: { iid: 3, id: 33, title: 'Late order', action: 'open' },
      project: { id: 5 },
    },
    { 'x-gitlab-token': token, 'x-gitlab-event': 'Issue Hook', 'idempotency-key': randomUUID() },
  )
  assert.ok(event.status < 300, `${event.status} ${JSON.stringify(event.body)}`)
  const delivery = await received('the event is delivered', ({ path }) => path === `/receiver/${USER}`)
  assert.match(delivery.body, /Late order/)
  assert.ok(delivery.body.includes(trigger.trigger_id), delivery.body)
  verifySignature(delivery, subscription.secret)
})

/** The name of the event type depends on the brand of the server. */
async function triggerMessageType(): Promise<string> {
  const types = await api.call('GET', '/webhook_subscriptions/event_types')
  const found = /[\w.]*trigger\.message/.exec(JSON.stringify(types))
  assert.ok(found, JSON.stringify(types))
  return found[0]
}

/** Verifies one of the signatures with the decoded secret, as Standard Webhooks defines it. */
function verifySignature({ headers, body }: ReceivedRequest, secret: string): void {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const content = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`
  const signature = `v1,${createHmac('sha256', key).update(content).digest('base64')}`
  assert.ok(String(headers['webhook-signature']).split(' ').includes(signature), 'a signature matches')
}
