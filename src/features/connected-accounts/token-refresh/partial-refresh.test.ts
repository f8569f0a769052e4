import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listProviderRequests } from '../../../contract/connected-accounts/index.ts'
import { sql } from '../../../platform/db/sql.ts'
import { form, requestsTo } from '#fixtures/connected-accounts.ts'
import { HOUR, startRefreshableAccount } from '#fixtures/token-refresh.ts'

const stepping = (url: string) => ({
  refresh: {
    rotates: 'always',
    steps: [{ url: `${url}/more/session`, params: { token: '{access_token}' } }],
  },
})
const rotating = () => {
  let n = 1
  return {
    token: () => ({
      json: { access_token: `first-${++n}`, refresh_token: `refresh-${n}`, expires_in: 3600 },
    }),
  }
}

test('token refresh: a refresh token from before a failing step is stored and used by the next refresh', async (t) => {
  const s = await startRefreshableAccount(t, stepping)
  Object.assign(s.provider, rotating(), { more: () => ({ status: 503 }) })
  s.clock.advance(HOUR)
  assert.match(
    JSON.stringify((await s.callTool()).body),
    /could not be refreshed: The endpoint of step 1 returned status 503/,
  )
  const { access_token, refresh_token } = await s.storedCredentials()
  assert.deepEqual([access_token, refresh_token], ['access-1', 'refresh-2'])
  const row = await s.accountRow(s.id)
  assert.deepEqual(
    [row['status'], row['credentials_version'], row['refresh_lease'], row['refresh_lease_until']],
    ['ACTIVE', 2, null, null],
  )
  s.provider.good = 'session-1'
  s.provider.more = () => ({ json: { access_token: 'session-1', expires_in: 600 } })
  s.clock.advance(60_000)
  assert.equal((await s.callTool()).body.successful, true)
  assert.deepEqual(
    s.tokenRequests().map((request) => form(request)['refresh_token']),
    ['refresh-1', 'refresh-2'],
  )
  const after = await s.storedCredentials()
  assert.deepEqual(
    [after['access_token'], after['refresh_token'], after['lifetime_seconds']],
    ['session-1', 'refresh-3', 600],
  )
})

test('token refresh: a failing step fails no call while the token is valid, and is not repeated', async (t) => {
  const s = await startRefreshableAccount(t, stepping)
  Object.assign(s.provider, rotating(), { more: () => ({ status: 503 }) })
  s.clock.advance(HOUR - 30_000)
  for (let call = 1; call <= 3; call++) assert.equal((await s.callTool()).body.successful, true)
  assert.deepEqual(
    [s.tokenRequests().length, (await s.storedCredentials())['refresh_token']],
    [1, 'refresh-2'],
  )
})

test('token refresh: a new refresh token is stored before the next step is sent', async (t) => {
  const s = await startRefreshableAccount(t, stepping)
  Object.assign(s.provider, rotating())
  const seen: unknown[] = []
  s.provider.more = async () => {
    const { refresh_lease, credentials_version } = await s.accountRow(s.id)
    seen.push([(await s.storedCredentials())['refresh_token'], typeof refresh_lease, credentials_version])
    s.provider.good = 'session-1'
    return { json: { access_token: 'session-1' } }
  }
  s.clock.advance(HOUR)
  assert.equal((await s.callTool()).body.successful, true)
  assert.deepEqual(seen, [['refresh-2', 'string', 2]])
  const row = await s.accountRow(s.id)
  assert.deepEqual(
    [row['credentials_version'], row['refresh_lease'], (await s.storedCredentials())['access_token']],
    [3, null, 'session-1'],
  )
})

test('token refresh: callers wait for the last of several requests, not for the first part', async (t) => {
  const s = await startRefreshableAccount(t, stepping)
  Object.assign(s.provider, rotating())
  let late: Promise<{ body: { successful?: boolean } }[]> | undefined
  s.provider.more = async () => {
    late ??= Promise.all(Array.from({ length: 10 }, () => s.callTool())) as never
    await new Promise((resolve) => setImmediate(resolve))
    s.provider.good = 'session-1'
    return { json: { access_token: 'session-1', expires_in: 3600 } }
  }
  s.clock.advance(HOUR)
  const first = await Promise.all(Array.from({ length: 10 }, () => s.callTool()))
  for (const { body } of [...first, ...(await (late ?? []))]) assert.equal(body.successful, true)
  assert.deepEqual([s.tokenRequests().length, requestsTo(s, '/more/session').length], [1, 1])
})

test('token refresh: a rejected step expires the account; the newest refresh token can be revoked', async (t) => {
  const s = await startRefreshableAccount(t, stepping)
  Object.assign(s.provider, rotating(), { more: () => ({ status: 400, json: { error: 'invalid_grant' } }) })
  s.clock.advance(HOUR)
  await s.callTool()
  const { status, status_reason, refresh_lease } = await s.accountRow(s.id)
  assert.deepEqual(
    [status, refresh_lease, (await s.storedCredentials())['refresh_token']],
    ['EXPIRED', null, 'refresh-2'],
  )
  assert.match(String(status_reason), /invalid_grant/)
})

test('token refresh: a refresh stops when newer credentials are stored, and uses those', async (t) => {
  const s = await startRefreshableAccount(t, stepping)
  s.provider.token = async () => {
    await s.storeFromOtherProcess({ access_token: 'access-9', refresh_token: 'refresh-9', expires_in: 3600 })
    await s.app.db.run(sql`update connected_accounts set token_expires_at = now() + interval '3 hours'`)
    s.provider.good = 'access-9'
    return { json: { access_token: 'first-2', refresh_token: 'refresh-2' } }
  }
  s.clock.advance(HOUR)
  assert.equal((await s.callTool()).body.successful, true)
  assert.deepEqual(
    [
      (await s.storedCredentials())['refresh_token'],
      requestsTo(s, '/more/session').length,
      (await s.accountRow(s.id))['refresh_lease'],
    ],
    ['refresh-9', 0, null],
  )
})

const DERIVED = {
  refresh: { rotates: 'always' },
  derived_tokens: [
    { name: 'mail_token', params: { audience: 'mail' } },
    { name: 'chat_token', params: { audience: 'chat' } },
  ],
}

test('token refresh: derived tokens are refreshed with the account; a failed one affects no others', async (t) => {
  const s = await startRefreshableAccount(t, DERIVED)
  let n = 1
  let chat = 'ok'
  s.provider.token = (request) => {
    const { audience = 'main', refresh_token } = form(request)
    if (refresh_token !== `refresh-${n}`) return { status: 400, json: { error: 'invalid_grant' } }
    if (audience === 'chat' && chat !== 'ok')
      return {
        status: chat === 'rejected' ? 400 : 503,
        json: { error: chat === 'rejected' ? 'invalid_target' : 'busy' },
      }
    if (audience === 'main') s.provider.good = `main-${n + 1}`
    return { json: { access_token: `${audience}-${++n}`, refresh_token: `refresh-${n}`, expires_in: 3600 } }
  }
  const renewed = async () => {
    s.clock.advance(HOUR)
    assert.equal((await s.callTool()).body.successful, true)
    const { access_token, mail_token, chat_token, refresh_token } = await s.storedCredentials()
    return [access_token, mail_token, chat_token ?? null, refresh_token]
  }
  assert.deepEqual(await renewed(), ['main-2', 'mail-3', 'chat-4', 'refresh-4'])
  chat = 'rejected'
  assert.deepEqual(await renewed(), ['main-5', 'mail-6', null, 'refresh-6'])
  chat = 'busy'
  assert.deepEqual(await renewed(), ['main-7', 'mail-8', null, 'refresh-8'])
  const { status, token_expires_at: end } = await s.accountRow(s.id)
  assert.equal(status, 'ACTIVE')
  assert.ok((end as Date).getTime() - s.clock.now() <= 300_000, 'after trouble it is asked for again soon')
  chat = 'ok'
  s.clock.advance(300_000 - HOUR)
  assert.deepEqual(await renewed(), ['main-9', 'mail-10', 'chat-11', 'refresh-11'])
  const { body } = await s.call(listProviderRequests, { params: { nanoid: s.id } })
  assert.deepEqual(
    body.items.slice(0, 9).map(({ kind, outcome, code }) => [kind, outcome, code]),
    [
      ['follow_up', 'ok', null],
      ['follow_up', 'ok', null],
      ['refresh', 'ok', null],
      ['follow_up', 'trouble', 'busy'],
      ['follow_up', 'ok', null],
      ['refresh', 'ok', null],
      ['follow_up', 'trouble', 'invalid_target'],
      ['follow_up', 'ok', null],
      ['refresh', 'ok', null],
    ],
  )
})
