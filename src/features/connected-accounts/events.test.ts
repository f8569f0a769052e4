import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { until } from '#fixtures/until.ts'
import { type Recorded, upstream } from '#fixtures/upstream.ts'
import {
  deleteConnectedAccount,
  readConnectedAccount,
  setConnectedAccountStatus,
} from '../../contract/connected-accounts/index.ts'
import { createWebhook } from '../../contract/webhooks/index.ts'
import { sql } from '../../platform/db/sql.ts'
import { countAuthFailure } from './token-refresh/lease-store.ts'
import { expireSetups } from './status-store.ts'
import { HOUR, startRefreshableAccount } from '#fixtures/token-refresh.ts'
import {
  API_KEY,
  CLIENT,
  followShortLink,
  oauth,
  returnFromProvider,
  startConnectedAccountsApp,
  statusChangeDeps,
} from '#fixtures/connected-accounts.ts'
import { storedEvents } from '#fixtures/events.ts'

interface WithDatabase {
  app: { db: import('../../platform/db/sql.ts').Pool }
}

const eventsOf = async (s: WithDatabase, type = 'connected_account.expired') =>
  (await storedEvents(s.app.db)).filter((event) => event.type === type)

/** The types of the events of one account, in order, without `connected_account.`. */
const eventTypesOf = async (s: WithDatabase, id: string): Promise<string[]> =>
  (await storedEvents(s.app.db))
    .filter(({ data, ordering_key: key }) => data['id'] === id && key === id)
    .map(({ type }) => type.replace('connected_account.', ''))

test('account events: an expired grant publishes one event without a secret', async (t) => {
  const s = await startRefreshableAccount(t)
  const receiver = await upstream(t)
  const { body: subscription } = await s.call(createWebhook, {
    body: { webhook_url: `${receiver.url}/hooks`, enabled_events: ['service.connected_account.expired'] },
  })
  s.provider.token = () => ({ status: 400, json: { error: 'invalid_grant' } })
  s.clock.advance(2 * HOUR)
  await Promise.all([s.callTool(), s.callTool(), s.callTool()])
  const [event, ...others] = await eventsOf(s)
  const { id, status_reason } = (await s.call(readConnectedAccount, { params: { nanoid: s.id } })).body
  assert.equal(others.length, 0)
  assert.match(event?.id ?? '', /^evt_\w{12}$/)
  assert.deepEqual(
    [
      event?.['type'],
      event?.['data'].id,
      event?.['data'].status,
      event?.['data'].user_id,
      event?.['data'].toolkit,
      event?.['data'].status_reason,
    ],
    ['connected_account.expired', id, 'EXPIRED', 'u1', { slug: 'shop' }, status_reason],
  )
  assert.doesNotMatch(JSON.stringify(event), /refresh-1|access-1|client-secret/)
  // And that very event is delivered.
  s.clock.advance(-2 * HOUR)
  s.app.startDeliveries()
  await until('it is delivered', () => receiver.requests.length === 1)
  const [{ body, headers }] = receiver.requests as [Recorded]
  const delivered = new Webhook(subscription.secret).verify(body, headers as Record<string, string>) as {
    id: string
    type: string
    metadata: object
    data: object
  }
  assert.deepEqual(
    [delivered.id, delivered.type, delivered.data],
    [headers['webhook-id'], 'service.connected_account.expired', event?.['data']],
  )
})

test('account events: the third rejection in a row publishes an event, the first two do not', async (t) => {
  const s = await startRefreshableAccount(t)
  const project = (await s.accountRow(s.id))['project_id'] as string
  const limit = { failuresMax: 3, reason: 'Rejected.' }
  for (const [isCounted, events] of [
    [true, 0],
    [true, 0],
    [true, 1],
    [false, 1],
  ]) {
    assert.equal(await countAuthFailure(statusChangeDeps(s), project, s.id, 1, limit), isCounted)
    assert.equal((await eventsOf(s)).length, events)
  }
})

test('account events: an account is active, enabled again and deleted, in this order', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: (url) => [oauth(url), API_KEY] })
  const id = await s.addAccount(await s.addAuthConfig('API_KEY'), 'API_KEY', {
    generic_api_key: 'secret-key',
  })
  const { body: account } = await s.call(readConnectedAccount, { params: { nanoid: id } })
  const set = (enabled: boolean) =>
    s.call(setConnectedAccountStatus, { params: { nanoid: id }, body: { enabled } })
  await set(false)
  assert.deepEqual(await eventTypesOf(s, id), ['active'])
  await set(true)
  await set(true)
  await s.call(deleteConnectedAccount, { params: { nanoid: id } })
  assert.deepEqual(await eventTypesOf(s, id), ['active', 'active', 'deleted'])
  const [first, second] = await eventsOf(s, 'connected_account.active')
  const [deleted] = await eventsOf(s, 'connected_account.deleted')
  const { state, updated_at, data: _data, identity: _identity, params: _params, ...fields } = account
  const { test_request_endpoint: _url, ...presented } = fields
  assert.deepEqual(first?.['data'], {
    ...presented,
    updated_at,
    previous_status: 'INITIALIZING',
    state: { authScheme: state.authScheme, val: { status: 'ACTIVE' } },
  })
  assert.deepEqual(
    [second?.['data'].previous_status, deleted?.['data'].status, typeof deleted?.['data'].deleted_at],
    ['INACTIVE', 'ACTIVE', 'string'],
  )
  assert.doesNotMatch(JSON.stringify([first, second, deleted]), /secret-key/)
})

test('account events: a denied sign-in and a timeout publish that the connection failed', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: (url) => [oauth(url)] })
  const config = await s.addAuthConfig('OAUTH2', CLIENT)
  const denied = await s.connect(config, { user_id: 'u1' })
  const state = (await followShortLink(s, denied.body.redirect_url as string)).searchParams.get(
    'state',
  ) as string
  await returnFromProvider(s, { error: 'access_denied', state })
  const late = await s.connect(config, { user_id: 'u2' })
  await s.app.db.run(
    sql`update connected_accounts set setup_expires_at = now() - interval '1 minute' where id = ${late.body.id}`,
  )
  assert.equal(await expireSetups(statusChangeDeps(s), 10), 1)
  const failed = await eventsOf(s, 'connected_account.failed')
  assert.deepEqual(
    failed.map(({ data: { id, status, user_id } }) => [id, status, user_id]),
    [
      [denied.body.id, 'FAILED', 'u1'],
      [late.body.id, 'EXPIRED', 'u2'],
    ],
  )
  for (const { data } of failed) assert.match(data.status_reason, /\w/)
})

test('account events: a disabled account and a rejected API key do not count as expired', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: (url) => [oauth(url), API_KEY] })
  const config = await s.addAuthConfig('OAUTH2', CLIENT)
  const switched = await s.addAccount(config, 'OAUTH2', { status: 'ACTIVE', access_token: 'a' })
  await s.call(setConnectedAccountStatus, { params: { nanoid: switched }, body: { enabled: false } })
  const key = await s.addAccount(await s.addAuthConfig('API_KEY'), 'API_KEY', { generic_api_key: 'k' })
  const { project_id: project } = await s.accountRow(key)
  const limit = { failuresMax: 1, reason: 'Rejected.' }
  assert.equal(await countAuthFailure(statusChangeDeps(s), project, key, 1, limit), true)
  assert.equal((await s.accountRow(key))['status'], 'EXPIRED')
  assert.deepEqual([await eventTypesOf(s, switched), await eventTypesOf(s, key)], [['active'], ['active']])
})
