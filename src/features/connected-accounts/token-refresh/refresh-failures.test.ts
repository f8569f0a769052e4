import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { test } from 'node:test'
import type { Answer } from '#fixtures/upstream.ts'
import { setAuthConfigStatus } from '../../../contract/auth-configs/index.ts'
import {
  deleteConnectedAccount,
  setConnectedAccountStatus,
} from '../../../contract/connected-accounts/index.ts'
import { createEgress, parseAllowRules } from '../../../platform/egress/index.ts'
import { sql } from '../../../platform/db/sql.ts'
import { CLIENT, oauth, requestsTo, startConnectedAccountsApp } from '#fixtures/connected-accounts.ts'
import { HOUR, startRefreshableAccount } from '#fixtures/token-refresh.ts'

test('token refresh: a final rejection expires the account with 410 / 1820; no more requests are sent', async (t) => {
  const s = await startRefreshableAccount(t)
  s.provider.token = () => ({
    status: 400,
    json: { error: 'invalid_grant', error_description: 'Token refresh-1 was revoked' },
  })
  s.clock.advance(HOUR)
  const { status, body } = await s.callTool()
  assert.deepEqual([status, body.error.code], [410, 1820])
  assert.match(
    body.error.message,
    /EXPIRED state: The provider rejected the token refresh permanently: invalid_grant: Token \[secret\] was revoked$/,
  )
  const { status_reason, status: state } = await s.readAccount(s.id)
  assert.deepEqual(
    [state, status_reason],
    [
      'EXPIRED',
      'The provider rejected the token refresh permanently: invalid_grant: Token [secret] was revoked',
    ],
  )
  assert.equal((await s.callTool({ connected_account_id: s.id })).body.error.code, 1820)
  assert.equal((await s.callTool()).body.error.code, 1820, 'by user_id the reason is the same')
  assert.deepEqual([s.tokenRequests().length, s.toolRequests().length], [1, 0])
})

test('token refresh: a rejection does not expire credentials that another process stored meanwhile', async (t) => {
  const s = await startRefreshableAccount(t)
  s.provider.token = async () => {
    await s.storeFromOtherProcess({ access_token: 'access-9', refresh_token: 'refresh-9' })
    s.provider.good = 'access-9'
    return { status: 400, json: { error: 'invalid_grant' } }
  }
  s.clock.advance(HOUR - 1_000)
  assert.equal((await s.callTool()).body.successful, true)
  assert.deepEqual(
    [(await s.accountRow(s.id))['status'], (await s.storedCredentials())['refresh_token']],
    ['ACTIVE', 'refresh-9'],
  )
  assert.equal((await s.accountRow(s.id))['refresh_lease'], null)
})

test('token refresh: a late response does not overwrite the credentials of a later refresh', async (t) => {
  const s = await startRefreshableAccount(t)
  s.provider.token = async () => {
    await s.storeFromOtherProcess({ access_token: 'access-9', refresh_token: 'refresh-9' })
    s.provider.good = 'access-9'
    return { json: { access_token: 'stale', refresh_token: 'stale' } }
  }
  s.clock.advance(HOUR - 1_000)
  assert.equal((await s.callTool()).body.successful, true)
  assert.equal((await s.storedCredentials())['access_token'], 'access-9')
})

test('token refresh: after a failure, a valid token is still used; the token endpoint has a pause', async (t) => {
  const s = await startRefreshableAccount(t)
  s.provider.token = () => ({ status: 503, text: 'down' })
  s.clock.advance(HOUR - 30_000)
  for (let i = 0; i < 3; i++) assert.equal((await s.callTool()).body.successful, true)
  assert.deepEqual(
    [
      s.tokenRequests().length,
      (await s.accountRow(s.id))['status'],
      (await s.accountRow(s.id))['refresh_lease'],
    ],
    [1, 'ACTIVE', null],
  )
  s.clock.advance(11_000)
  await s.callTool()
  assert.equal(s.tokenRequests().length, 2)
})

test('token refresh: a 401 while the token endpoint fails is returned and does not count as a rejection', async (t) => {
  const s = await startRefreshableAccount(t)
  s.provider.good = 'nothing'
  s.provider.token = () => ({ status: 500 })
  for (let i = 0; i < 4; i++) {
    const { status, body } = await s.callTool()
    assert.deepEqual([status, body.successful, body.data['status_code' as never]], [200, false, 401])
  }
  const row = await s.accountRow(s.id)
  assert.deepEqual([row['status'], row['auth_failures'], s.toolRequests().length], ['ACTIVE', 0, 4])
})

test('token refresh: with an expired token, a failing endpoint is 502, a silent one 504; still ACTIVE', async (t) => {
  const egress = createEgress({ allow: parseAllowRules('127.0.0.0/8') })
  const s = await startConnectedAccountsApp(t, {
    auth: (url) => [oauth(url)],
    answer: ({ path }) => (path === '/token' ? new Promise<Answer>(() => {}) : {}),
    app: {
      egress: {
        ...egress,
        send: (request) => {
          assert.equal(request.timeoutMs, 15_000)
          return egress.send({ ...request, timeoutMs: 50 })
        },
      },
    },
  })
  const id = await s.addAccount(await s.addAuthConfig('OAUTH2', CLIENT), 'OAUTH2', {
    status: 'ACTIVE',
    access_token: 'access-1',
    refresh_token: 'refresh-1',
    expires_in: 60,
  })
  s.clock.advance(61_000)
  const silent = await s.callTool()
  assert.deepEqual([silent.status, silent.body.error.code], [504, 1842])
  const asked = requestsTo(s, '/token').length
  for (let i = 0; i < 3; i++) assert.equal((await s.callTool()).body.error.code, 1842)
  assert.equal(requestsTo(s, '/token').length, asked, 'an endpoint that is down is not asked for every call')
  s.stub.answer = () => ({ status: 500 })
  s.clock.advance(1_000)
  const broken = await s.callTool()
  assert.deepEqual([broken.status, broken.body.error.code], [502, 1840])
  assert.match(broken.body.error.message, /could not be refreshed: The token endpoint returned status 500/)
  assert.deepEqual(
    [(await s.accountRow(id))['status'], (await s.accountRow(id))['refresh_lease']],
    ['ACTIVE', null],
  )
  assert.equal(requestsTo(s, '/orders/7').length, 0)
})

test('token refresh: three rejections of valid credentials expire the account; a success resets them', async (t) => {
  const s = await startRefreshableAccount(t)
  let n = 0
  s.provider.token = () => ({ json: { access_token: `fresh-${++n}`, refresh_token: `r-${n}` } })
  s.provider.good = 'nothing'
  await s.callTool()
  await s.callTool()
  assert.deepEqual(
    [(await s.accountRow(s.id))['auth_failures'], (await s.accountRow(s.id))['status']],
    [2, 'ACTIVE'],
  )
  s.provider.good = `fresh-${n}`
  assert.equal((await s.callTool()).body.successful, true)
  assert.equal((await s.accountRow(s.id))['auth_failures'], 0)
  s.provider.good = 'nothing'
  for (let i = 0; i < 3; i++)
    assert.deepEqual(
      [(await s.accountRow(s.id))['status'], (await s.callTool()).body.successful],
      ['ACTIVE', false],
    )
  assert.deepEqual(
    [(await s.readAccount(s.id)).status, (await s.readAccount(s.id)).status_reason],
    ['EXPIRED', 'The provider rejected the credentials several times in a row.'],
  )
})

test('token refresh: an unavailable or busy provider counts neither as a rejection nor as a success', async (t) => {
  const s = await startRefreshableAccount(t)
  await s.app.db.run(sql`update connected_accounts set auth_failures = 2`)
  for (const status of [500, 503, 429]) {
    s.stub.answer = () => ({ status })
    await s.callTool()
    assert.equal((await s.accountRow(s.id))['auth_failures'], 2)
  }
  s.stub.answer = () => ({ status: 404 })
  await s.callTool()
  assert.equal((await s.accountRow(s.id))['auth_failures'], 0)
})

test('token refresh: an expired token without refresh expires the account at the first rejection', async (t) => {
  const s = await startRefreshableAccount(t, { refresh: { with: 'never' } })
  s.provider.good = 'nothing'
  await s.callTool()
  assert.equal((await s.readAccount(s.id)).status, 'ACTIVE')
  s.clock.advance(HOUR)
  await s.callTool()
  assert.deepEqual(
    [(await s.readAccount(s.id)).status, (await s.readAccount(s.id)).status_reason],
    ['EXPIRED', 'The access has expired, and the provider gave no refresh token.'],
  )
  assert.equal(s.tokenRequests().length, 0)
})

test('token refresh: a late response reactivates no deleted or disabled account; no token is lost', async (t) => {
  const s = await startRefreshableAccount(t)
  const events = new EventEmitter()
  s.provider.token = async () => {
    events.emit('asked')
    await once(events, 'answer')
    return { json: { access_token: 'access-2', refresh_token: 'refresh-2', expires_in: 3600 } }
  }
  s.clock.advance(HOUR)
  const asked = once(events, 'asked')
  const running = s.callTool()
  await asked
  await s.call(setConnectedAccountStatus, { params: { nanoid: s.id }, body: { enabled: false } })
  events.emit('answer')
  assert.equal((await running).body.error.code, 1821)
  assert.deepEqual(
    [
      (await s.accountRow(s.id))['status'],
      (await s.storedCredentials())['refresh_token'],
      s.toolRequests().length,
    ],
    ['INACTIVE', 'refresh-2', 0],
  )

  await s.call(setConnectedAccountStatus, { params: { nanoid: s.id }, body: { enabled: true } })
  s.clock.advance(HOUR)
  const askedAgain = once(events, 'asked')
  const late = s.callTool()
  await askedAgain
  await s.call(deleteConnectedAccount, { params: { nanoid: s.id } })
  events.emit('answer')
  assert.equal((await late).body.error.code, 606)
  assert.ok((await s.accountRow(s.id))['deleted_at'])
  assert.deepEqual([await s.storedCredentials(), s.toolRequests().length], [{}, 0])
})

test('token refresh: a token that expires during the request does not count as a rejection', async (t) => {
  const s = await startRefreshableAccount(t)
  s.provider.good = 'nothing'
  s.provider.token = () => ({ json: { access_token: 'brief', refresh_token: 'refresh-2', expires_in: 1 } })
  const answer = s.stub.answer
  s.stub.answer = (request) => {
    if (request.path !== '/token') s.clock.advance(2_000)
    return answer(request)
  }
  for (let i = 0; i < 4; i++) assert.equal((await s.callTool()).body.successful, false)
  assert.deepEqual(
    [(await s.accountRow(s.id))['status'], (await s.accountRow(s.id))['auth_failures']],
    ['ACTIVE', 0],
  )
})

test('token refresh: an account with a disabled auth config is not refreshed', async (t) => {
  const s = await startRefreshableAccount(t)
  await s.call(setAuthConfigStatus, {
    params: { nanoid: (await s.readAccount(s.id)).auth_config.id, status: 'DISABLED' },
  })
  s.clock.advance(HOUR)
  assert.equal((await s.callTool({ connected_account_id: s.id })).body.error.code, 1821)
  assert.equal(s.tokenRequests().length, 0)
})
