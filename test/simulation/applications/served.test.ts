import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test, type TestContext } from 'node:test'
import { applications } from '../../../simulation/providers/applications.ts'
import { startSimulator } from '../../../simulation/providers/start.ts'
import { createAuthConfig } from '../../../src/contract/auth-configs/index.ts'
import { createConnectedAccount } from '../../../src/contract/connected-accounts/index.ts'
import { executeTool } from '../../../src/contract/tools/index.ts'
import { createWebhook, testWebhook } from '../../../src/contract/webhooks/index.ts'
import { createEgress, parseAllowRules } from '../../../src/platform/egress/index.ts'
import { simulatorRules, toSimulator } from '../../../src/server/simulator-client.ts'
import { testApp } from '../../fixtures/app.ts'
import { until } from '../../fixtures/until.ts'
import { upstream } from '../../fixtures/upstream.ts'

async function startServedSimulation(t: TestContext) {
  const simulator = await startSimulator({ quirks: [], world: await applications() })
  t.after(() => simulator.close())
  const egress = toSimulator(createEgress({ allow: simulatorRules(simulator.url) }), simulator.url)
  const { call } = await testApp(t, { egress })
  const config = await call(createAuthConfig, {
    body: {
      toolkit: { slug: 'github' },
      auth_config: { type: 'use_custom_auth', authScheme: 'BEARER_TOKEN', credentials: {} },
    },
  })
  assert.equal(config.status, 201, JSON.stringify(config.body))
  const account = await call(createConnectedAccount, {
    body: {
      auth_config: { id: config.body.auth_config.id },
      connection: {
        user_id: 'ada',
        state: { authScheme: 'BEARER_TOKEN', val: { status: 'ACTIVE', token: 'any' } },
      },
    },
  })
  assert.equal(account.status, 201, JSON.stringify(account.body))
  const run = async (tool: string, args: Record<string, unknown>) =>
    (
      await call(executeTool, {
        params: { tool_slug: tool },
        body: { user_id: 'ada', version: 'latest', arguments: { owner: 'o', repo: 'r', ...args } },
      })
    ).body as { successful: boolean; error: string; data: Record<string, any> }
  return { run, simulator, egress }
}

type ServedSimulation = Awaited<ReturnType<typeof startServedSimulation>>

test('a server with SIMULATOR_URL connects and executes against simulated applications, and no others', async (t) => {
  const served = await startServedSimulation(t)
  await checkControl(served)
  await checkOtherHosts(served)
})

async function checkControl({ run, simulator }: ServedSimulation): Promise<void> {
  const made = await run('GITHUB_CREATE_AN_ISSUE', { title: 'It rains in: ü & %2F' })
  assert.equal(made.successful, true, made.error)
  const listed = await run('GITHUB_LIST_REPOSITORY_ISSUES', {})
  assert.ok(listed.data['items'].some((one: { title: string }) => one.title === 'It rains in: ü & %2F'))

  const control = async (path: string, params?: Record<string, string>) =>
    await fetch(
      `${simulator.url}/_applications${path}`,
      params ? { method: 'POST', body: new URLSearchParams(params) } : {},
    )
  assert.deepEqual(
    ((await (await control('')).json()) as { applications: string[] }).applications.includes('slack'),
    true,
  )
  assert.equal((await control('/github', { fail: 'permission' })).status, 200)
  assert.match(
    (await run('GITHUB_GET_AN_ISSUE', { issue_number: made.data['number'] })).error,
    /set to answer permission/,
  )
  assert.equal((await run('GITHUB_GET_AN_ISSUE', { issue_number: made.data['number'] })).successful, true)
  assert.equal((await control('', { reset: 'true' })).status, 200)
  assert.match(
    (await run('GITHUB_GET_AN_ISSUE', { issue_number: made.data['number'] })).error,
    /There is no issue/,
  )
  assert.deepEqual(
    [(await control('/nobody')).status, (await control('/github', { fail: 'nonsense' })).status],
    [404, 400],
  )
}

async function checkOtherHosts({ egress }: ServedSimulation): Promise<void> {
  const elsewhere = await egress.send({
    method: 'GET',
    url: 'https://nobody.example.net/x?y=1',
    timeoutMs: 5_000,
  })
  assert.deepEqual([elsewhere.status, elsewhere.url], [502, 'https://nobody.example.net/x?y=1'])
  // What a simulator that is not there could have let out: nothing.
  const gone = toSimulator(createEgress({ allow: [] }), 'http://127.0.0.1:1')
  await assert.rejects(gone.send({ method: 'GET', url: 'https://example.com', timeoutMs: 5_000 }), {
    name: 'EgressError',
    kind: 'refused_address',
  })
  await gone.close()
}

test('a server with SIMULATOR_URL delivers webhooks to a receiver on this machine that EGRESS_ALLOW names', async (t) => {
  const receiver = await upstream(t, () => ({ json: {} }))
  const simulator = await startSimulator({ quirks: [], world: await applications() })
  t.after(() => simulator.close())
  const testDelivery = async (allow: string) => {
    const rules = parseAllowRules(allow)
    const client = createEgress({ allow: [...rules, ...simulatorRules(simulator.url)] })
    const { call } = await testApp(t, { egress: toSimulator(client, simulator.url, rules) })
    const body = { webhook_url: `${receiver.url}/hook`, enabled_events: ['service.trigger.message'] as never }
    const { id } = (await call(createWebhook, { body })).body
    return (await call(testWebhook, { params: { id } })).body.delivered
  }
  assert.equal(await testDelivery('127.0.0.0/8'), false, 'a range is no receiver')
  assert.equal(receiver.requests.length, 0)
  assert.equal(await testDelivery(new URL(receiver.url).host), true)
  assert.deepEqual(
    receiver.requests.map(({ path, headers }) => [path, typeof headers['webhook-signature']]),
    [['/hook', 'string']],
  )
})

test('simulated applications verify and call registered URLs; nothing leaves the machine', async (t) => {
  const receiver = await upstream(t, ({ query }) => ({ text: query.get('validationToken') ?? '' }))
  const simulator = await startSimulator({ quirks: [], world: await applications() })
  t.after(() => simulator.close())
  const send = async (address: string, body: unknown) =>
    await fetch(`${simulator.url}/_at/https/${address}`, {
      method: 'POST',
      headers: { authorization: 'Bearer any', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const control = async (slug: string, params: Record<string, string>) =>
    await fetch(`${simulator.url}/_applications/${slug}`, {
      method: 'POST',
      body: new URLSearchParams(params),
    })
  const subscription = (notificationUrl: string) =>
    send('graph.microsoft.com/v1.0/subscriptions', {
      changeType: 'created',
      notificationUrl,
      resource: 'me/contacts',
      expirationDateTime: '2026-12-01T00:00:00Z',
      clientState: 'state-1',
    })
  assert.equal((await subscription(receiver.url)).status, 200)
  assert.match(receiver.requests[0]!.url, /validationToken=\w+/)
  assert.equal((await subscription('http://example.com/hook')).status, 400, 'nobody there can be reached')
  assert.equal((await send('graph.microsoft.com/v1.0/me/contacts', { givenName: 'Grace' })).status, 200)
  await until('the receiver has both events', async () => receiver.requests.length === 2)
  assert.deepEqual(
    (
      JSON.parse(receiver.requests[1]!.body) as { value: { changeType: string; clientState: string }[] }
    ).value.map(({ changeType, clientState }) => [changeType, clientState]),
    [['created', 'state-1']],
  )

  const reply = await control('slack', {
    happen: 'SLACK_RECEIVE_MESSAGE',
    to: receiver.url,
    values: '{"signing_secret":"s","team_id":"T1"}',
    fields: '{"text":"Hello"}',
  })
  assert.deepEqual(await reply.json(), { ok: true, sent: [{ url: receiver.url, status: 200 }] })
  const { headers, body } = receiver.requests[2]!
  assert.match(body, /"text":"Hello"/)
  assert.equal(
    headers['x-slack-signature'],
    `v0=${createHmac('sha256', 's')
      .update(`v0:${String(headers['x-slack-request-timestamp'])}:${body}`)
      .digest('hex')}`,
  )
  assert.equal((await control('gmail', { happen: 'GMAIL_NEW_GMAIL_MESSAGE' })).status, 200)
  assert.deepEqual(
    [
      (await control('slack', { happen: 'NOTHING' })).status,
      (await control('slack', { happen: 'SLACK_RECEIVE_MESSAGE', fields: '[' })).status,
    ],
    [400, 400],
  )
})
