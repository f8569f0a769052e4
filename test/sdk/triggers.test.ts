import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { BadRequestError } from '@composio/client'
import { until } from '../fixtures/until.ts'
import { upstream } from '../fixtures/upstream.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { stockSdk } from './stock-sdk.ts'

const BODY = { type: 'tab', label: 'Heating', info: '' }

async function startSdk(t: TestContext) {
  const sdk = await stockSdk(t)
  const {
    composio: { triggers, authConfigs, connectedAccounts },
  } = sdk
  const flows = [{ id: 'f1', ...BODY }]
  const editor = await upstream(t, ({ path }) => (path === '/hooks' ? {} : { json: flows }))
  return { triggers, authConfigs, connectedAccounts, editor, sdk, flows }
}

type Sdk = Awaited<ReturnType<typeof startSdk>>

test('trigger types and instances: listed, read, created, switched, deleted; the SDK verifies events', async (t) => {
  const started = await startSdk(t)
  const { triggers } = started
  await checkTypes(started)
  const triggerId = await createTrigger(started)
  await checkDelivery(started, triggerId)

  await triggers.update(triggerId, { status: 'disable' })
  assert.deepEqual((await triggers.listActive()).items, [])
  await triggers.update(triggerId, { status: 'enable' })
  assert.deepEqual(
    (await triggers.listActive()).items.map(({ id }) => id),
    [triggerId],
  )
  await triggers.disable(triggerId)
  assert.deepEqual((await triggers.listActive()).items, [])
  await triggers.enable(triggerId)
  assert.deepEqual(await triggers.delete(triggerId), { triggerId })
  await assert.rejects(triggers.delete(triggerId))
})

async function checkTypes({ triggers }: Sdk): Promise<void> {
  const types = await triggers.listTypes({ toolkits: ['nodered'] })
  assert.deepEqual(
    types.items.map(({ slug }) => slug),
    ['NODERED_FLOW_ADDED'],
  )
  const type = await triggers.getType('nodered_flow_added')
  assert.deepEqual(
    [type.slug, type.toolkit.slug, Object.keys(type.config['properties'] as object)],
    ['NODERED_FLOW_ADDED', 'nodered', ['interval', 'flow_name']],
  )
  assert.ok((await triggers.listEnum()).includes('GITHUB_ISSUE_ADDED_EVENT'))
}

async function createTrigger({ triggers, authConfigs, connectedAccounts, editor }: Sdk) {
  await assert.rejects(
    triggers.create('ada', 'NODERED_FLOW_ADDED', { triggerConfig: {} }),
    /connected account/i,
  )
  const config = await authConfigs.create('nodered', {
    type: 'use_custom_auth',
    authScheme: 'BEARER_TOKEN',
    credentials: {},
  })
  const account = await connectedAccounts.initiate('ada', config.id, {
    config: {
      authScheme: 'BEARER_TOKEN',
      val: { status: 'ACTIVE', token: 'token-1', ...{ server_url: editor.url } },
    } as never,
  })
  const { triggerId } = await triggers.create('ada', 'NODERED_FLOW_ADDED', { triggerConfig: { interval: 1 } })
  assert.equal(
    (await triggers.create('ada', 'NODERED_FLOW_ADDED', { triggerConfig: { interval: 1 } })).triggerId,
    triggerId,
  )
  await assert.rejects(
    triggers.create('ada', 'NODERED_FLOW_ADDED', {
      connectedAccountId: account.id,
      triggerConfig: { interval: 0 },
    }),
    (error: Error) =>
      error instanceof BadRequestError || (error as { cause?: unknown }).cause instanceof BadRequestError,
  )
  const [listed] = (
    await triggers.listActive({ connectedAccountIds: [account.id], triggerNames: ['NODERED_FLOW_ADDED'] })
  ).items
  assert.deepEqual(
    [listed?.id, listed?.connectedAccountId, listed?.triggerName, listed?.triggerConfig, listed?.disabledAt],
    [triggerId, account.id, 'NODERED_FLOW_ADDED', { interval: 1 }, null],
  )
  return triggerId
}

async function checkDelivery({ triggers, editor, sdk, flows }: Sdk, triggerId: string): Promise<void> {
  const { secret } = (await triggers.setWebhookSubscription({ webhookUrl: `${editor.url}/hooks` })) as {
    secret: string
  }
  sdk.app.startDeliveries()
  sdk.app.startPolling()
  flows.push({ id: 'f2', ...BODY })
  await sdk.app.db.run(sql`update trigger_polls set next_run = now()`)
  const sent = await until('it arrives', () => editor.requests.find(({ path }) => path === '/hooks'))
  const { payload, version } = await triggers.verifyWebhook({
    payload: sent.body,
    secret,
    id: String(sent.headers['webhook-id']),
    timestamp: String(sent.headers['webhook-timestamp']),
    signature: String(sent.headers['webhook-signature']),
  })
  assert.deepEqual(
    [version, payload.id, payload.triggerSlug, payload.userId, payload.payload],
    ['V3', triggerId, 'NODERED_FLOW_ADDED', 'ada', { id: 'f2', ...BODY }],
  )
  const request = { body: sent.body, headers: sent.headers as Record<string, string> }
  assert.deepEqual((await triggers.parse(request, { verifySecret: secret })).payload, payload)
  await assert.rejects(triggers.parse({ ...request, body: `${sent.body} ` }, { verifySecret: secret }))
}
