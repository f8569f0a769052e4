import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test, type TestContext } from 'node:test'
import { testApp } from '#fixtures/app.ts'
import { upstream } from '#fixtures/upstream.ts'
import { createAlertRule, listAlertRules } from '../../../contract/alerts.ts'
import { listAuditLog, listOrganizationAuditLog } from '../../../contract/audit-log.ts'
import {
  createOrganizationKey,
  createProjectKey,
  readSessionInfo,
  reportLeakedKeys,
} from '../../../contract/projects/index.ts'
import { newApiKey } from '../../../platform/crypto/index.ts'

async function start(t: TestContext) {
  const s = await testApp(t)
  const report = async (payload: unknown, remoteAddress = '203.0.113.5') => {
    const reply = await s.app.http.inject({
      method: 'POST',
      url: '/leaked-keys',
      payload: payload as object,
      remoteAddress,
    })
    return { status: reply.statusCode, body: reply.json<{ token_hash: string; label: string }[]>() }
  }
  const works = async (key: string) => (await s.as({ 'x-api-key': key })(readSessionInfo)).status
  return { ...s, report, works }
}

test('attack: a key that was published is revoked by a report, with an entry in the audit log', async (t) => {
  const s = await start(t)
  const params = { nano_id: s.keys.projectId }
  const made = await s.org(createProjectKey, { params, body: { name: 'agent' } })
  const { key } = made.body as { key: string }
  assert.equal(await s.works(key), 200)
  const unknown = newApiKey('ak')
  const { status, body } = await s.report([
    { token: key, type: 'patchbay_api_key', url: 'https://git.example/a/commit/1', source: 'commit' },
    { token: unknown, type: 'patchbay_api_key', url: '', source: 'content' },
    { token: 'ghp_something-else' },
  ])
  assert.deepEqual(
    [status, body.map(({ label }) => label)],
    [200, ['true_positive', 'false_positive', 'false_positive']],
  )
  assert.equal(body[0]!.token_hash, createHash('sha256').update(key).digest('base64'))
  assert.deepEqual([await s.works(key), await s.works(s.keys.projectApiKey)], [401, 200])
  const [entry] = (await s.call(listAuditLog, { query: { action: 'apiKeys.leakRevoked' } as never })).body
    .items
  assert.deepEqual(
    [entry?.action, entry?.actor.type, entry?.object.id, entry?.source_ip],
    ['apiKeys.leakRevoked', 'system', (made.body as { id: string }).id, '203.0.113.5'],
  )
  assert.match(JSON.stringify(entry), /https:\/\/git\.example\//)
  assert.ok(!JSON.stringify(entry).includes(key))
  // A revoked key is no key any more.
  assert.deepEqual((await s.report([{ token: key }])).body[0]?.label, 'false_positive')
})

test('leaked keys: the last key of the organization is reported and stays; another one is revoked', async (t) => {
  const s = await start(t)
  const { organizationApiKey: last } = s.keys
  const works = async () => (await s.org(listOrganizationAuditLog, { query: {} as never })).status
  assert.equal((await s.report([{ token: last }])).body[0]?.label, 'true_positive')
  assert.equal(await works(), 200)
  await s.org(createOrganizationKey, { body: { name: 'second' } as never })
  assert.equal((await s.report([{ token: last }])).body[0]?.label, 'true_positive')
  assert.equal(await works(), 401)
})

test('leaked keys: invalid reports change nothing, and an IP address cannot try many keys', async (t) => {
  const s = await start(t)
  const many = Array.from({ length: 101 }, () => ({ token: newApiKey('ak') }))
  for (const body of [{}, [], [{ token: 1 }], [{ token: s.keys.projectApiKey }, null], many])
    assert.equal((await s.report(body)).status, 400)
  assert.equal(await s.works(s.keys.projectApiKey), 200)
  assert.equal((await s.report(many.slice(1))).status, 200)
  assert.equal((await s.report([{ token: newApiKey('ak') }])).status, 429)
  assert.equal((await s.report([{ token: newApiKey('ak') }], '203.0.113.6')).status, 200)
})

test('leaked keys: the operation of the API revokes keys, without a credential, and tells nobody which text was one', async (t) => {
  const s = await start(t)
  const params = { nano_id: s.keys.projectId }
  const { key } = (await s.org(createProjectKey, { params, body: { name: 'agent' } })).body

  for (const version of ['v3', 'v3.1'] as const) {
    const api_keys = [newApiKey('ak'), key, 'no key', newApiKey('oak')]
    const { status, body } = await s.as({}, version)(reportLeakedKeys, { body: { api_keys } })
    assert.deepEqual([status, body], [200, { received: true }])
    assert.deepEqual([await s.works(key), await s.works(s.keys.projectApiKey)], [401, 200])
  }
  for (const api_keys of [[], Array(101).fill(newApiKey('ak')), [1], ['']])
    assert.equal((await s.as({})(reportLeakedKeys, { body: { api_keys } as never })).status, 400)
})

test('leaked keys: an alert rule notifies people once, for keys of its project only', async (t) => {
  const s = await start(t)
  const receiver = await upstream(t)
  const rule = {
    name: 'Leaks',
    condition: 'key_leaked',
    channel: 'webhook',
    webhook_url: receiver.url,
  } as const
  const other = await s.otherProject()
  for (const call of [s.call, other]) assert.equal((await call(createAlertRule, { body: rule })).status, 201)
  const check = async () => s.app.schedules.find(({ task }) => task === 'alerts.check')?.run()
  await check()
  assert.equal(receiver.requests.length, 0)
  const params = { nano_id: s.keys.projectId }
  const { key } = (await s.org(createProjectKey, { params, body: { name: 'agent' } })).body
  await s.report([{ token: key }])
  for (let n = 0; n < 2; n++) await check()
  const messages = receiver.requests.map(({ body }) => JSON.parse(body) as { type: string; data: object })
  assert.deepEqual(
    messages.map(({ type }) => type),
    ['alert.firing'],
  )
  assert.match(
    JSON.stringify(messages[0]?.data),
    /1 API keys were found in public and revoked within 15 minutes/,
  )
  assert.ok(!JSON.stringify(messages).includes(key))
  const states = [s.call, other].map(async (call) => (await call(listAlertRules, {})).body.items[0]?.status)
  assert.deepEqual(await Promise.all(states), ['firing', 'ok'])
})
