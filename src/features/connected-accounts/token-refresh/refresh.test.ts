import assert from 'node:assert/strict'
import { test } from 'node:test'
import { temporaryCache, temporaryFiles } from '#fixtures/files.ts'
import { client } from '#fixtures/client.ts'
import { createApp } from '../../../app/create-app.ts'
import { createEgress, parseAllowRules } from '../../../platform/egress/index.ts'
import { createLog } from '../../../platform/log.ts'
import { sql } from '../../../platform/db/sql.ts'
import { CLIENT, form, connectedAccountHelpers } from '#fixtures/connected-accounts.ts'
import { HOUR, startRefreshableAccount } from '#fixtures/token-refresh.ts'

test('token refresh: a token is refreshed shortly before it expires, and the new one is stored and used', async (t) => {
  const s = await startRefreshableAccount(t)
  s.clock.advance(HOUR - 61_000)
  await s.callTool()
  assert.equal(s.tokenRequests().length, 0)
  s.clock.advance(2_000)
  assert.equal((await s.callTool()).body.successful, true)
  assert.deepEqual(s.tokenRequests().map(form), [
    {
      grant_type: 'refresh_token',
      refresh_token: 'refresh-1',
      client_id: CLIENT.client_id,
      client_secret: CLIENT.client_secret,
    },
  ])
  assert.deepEqual(
    s.toolRequests().map(({ headers }) => headers['authorization']),
    ['Bearer access-1', 'Bearer access-2'],
  )
  const { access_token, refresh_token } = await s.storedCredentials()
  assert.deepEqual([access_token, refresh_token], ['access-2', 'refresh-2'])
  const row = await s.accountRow(s.id)
  assert.ok(Math.abs((row['token_expires_at'] as Date).getTime() - s.clock.now() - HOUR) < 60_000)
  assert.deepEqual([row['refresh_lease'], row['refresh_lease_until'], row['status']], [null, null, 'ACTIVE'])
  await s.callTool()
  assert.equal(s.tokenRequests().length, 1)
})

test('token refresh: a token with a lifetime shorter than the margin is not refreshed at every call', async (t) => {
  const s = await startRefreshableAccount(t, {}, { expires_in: 40 })
  s.clock.advance(19_000)
  await s.callTool()
  assert.equal(s.tokenRequests().length, 0)
  s.clock.advance(2_000)
  await s.callTool()
  assert.equal(s.tokenRequests().length, 1)
})

test('token refresh: the lifetime of a token starts at the request, not at the response', async (t) => {
  const { provider, clock, callTool: run, accountRow: row, id } = await startRefreshableAccount(t)
  clock.advance(HOUR)
  const asked = clock.now()
  provider.token = () => {
    clock.advance(50_000)
    provider.good = 'access-2'
    return { json: { access_token: 'access-2', refresh_token: 'refresh-2', expires_in: 3600 } }
  }
  assert.equal((await run()).body.successful, true)
  const end = ((await row(id))['token_expires_at'] as Date).getTime()
  assert.ok(end >= asked + HOUR && end < asked + HOUR + 25_000, `${end - asked} ms after it was asked for`)
})

test('token refresh: a 401 refreshes the token once and repeats the call once', async (t) => {
  const s = await startRefreshableAccount(t)
  s.provider.good = 'access-2'
  assert.equal((await s.callTool()).body.successful, true)
  assert.deepEqual([s.tokenRequests().length, s.toolRequests().length], [1, 2])
  s.provider.good = 'nothing'
  const { status, body } = await s.callTool()
  assert.deepEqual([status, body.successful, body.data], [200, true, { id: '7' }])
})

test('token refresh: fields that the response leaves out, or has null or empty, are kept', async (t) => {
  const s = await startRefreshableAccount(
    t,
    { token: { capture: { team: 'team' } } },
    { id_token: 'id-1', team: 'T1' },
  )
  for (const reply of [
    { access_token: 'access-2' },
    { access_token: 'access-3', refresh_token: null, id_token: null, team: null, scope: null },
    { access_token: 'access-4', refresh_token: '' },
  ]) {
    s.provider.good = reply.access_token
    s.provider.token = () => ({ json: reply })
    assert.equal((await s.callTool()).body.successful, true)
    const { access_token, refresh_token, id_token, team } = await s.storedCredentials()
    assert.deepEqual(
      [access_token, refresh_token, id_token, team],
      [reply.access_token, 'refresh-1', 'id-1', 'T1'],
    )
  }
})

test('token refresh: twenty concurrent calls send one token request and all succeed', async (t) => {
  const s = await startRefreshableAccount(t)
  s.clock.advance(HOUR)
  const replies = await Promise.all(Array.from({ length: 20 }, () => s.callTool()))
  assert.deepEqual(
    replies.map(({ body }) => body.successful),
    Array.from({ length: 20 }, () => true),
  )
  assert.deepEqual([s.tokenRequests().length, (await s.accountRow(s.id))['credentials_version']], [1, 2])
})

test('token refresh: two processes send one request per expiry and never use a refresh token twice', async (t) => {
  const s = await startRefreshableAccount(t)
  const second = await createApp({
    databaseUrl: s.databaseUrl,
    databasePoolMax: 4,
    publicUrl: 'http://localhost:3901',
    wireBrand: 'service',
    rateLimitPerMinute: 1_000_000,
    catalog: s.catalog,
    encryptor: s.encryptor,
    egress: createEgress({ allow: parseAllowRules('127.0.0.0/8') }),
    files: temporaryFiles(t),
    cacheDir: temporaryCache(t),
    clock: s.clock,
    log: createLog('silent'),
    version: '0.0.0-test',
  })
  t.after(() => second.close())
  const other = connectedAccountHelpers(s, client(second.http, { 'x-api-key': s.keys.projectApiKey }))
  let n = 1
  s.provider.token = () => {
    s.provider.good = `access-${++n}`
    return { json: { access_token: s.provider.good, refresh_token: `refresh-${n}`, expires_in: 3600 } }
  }
  for (let expiry = 1; expiry <= 5; expiry++) {
    s.clock.advance(HOUR)
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, i) => (i % 2 ? s.callTool() : other.callTool())),
    )
    assert.deepEqual(
      replies.map(({ body }) => body.successful),
      Array.from({ length: 50 }, () => true),
    )
    assert.deepEqual(
      s.tokenRequests().map((request) => form(request)['refresh_token']),
      Array.from({ length: expiry }, (_, i) => `refresh-${i + 1}`),
    )
  }
})

test('token refresh: a call waits at most 25 s for a lease of another process; a dead one expires', async (t) => {
  const s = await startRefreshableAccount(t)
  await s.app.db.run(
    sql`update connected_accounts set refresh_lease = 'dead', refresh_lease_until = now() + interval '1 minute'`,
  )
  s.clock.advance(HOUR)
  let waited: Awaited<ReturnType<typeof s.callTool>> | undefined
  const waiting = s.callTool().then((reply) => {
    waited = reply
  })
  while (!waited) {
    s.clock.advance(26_000)
    await new Promise(setImmediate)
  }
  await waiting
  assert.deepEqual(
    [waited.status, waited.body.error.code, s.tokenRequests().length, s.toolRequests().length],
    [504, 1842, 0, 0],
  )
  await s.app.db.run(sql`update connected_accounts set refresh_lease_until = now() - interval '1 second'`)
  assert.equal((await s.callTool()).body.successful, true)
  assert.equal(s.tokenRequests().length, 1)
})
