import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { Answer, Recorded } from '#fixtures/upstream.ts'
import { setAuthConfigStatus } from '../../../contract/auth-configs/index.ts'
import {
  refreshConnectedAccount,
  setConnectedAccountStatus,
} from '../../../contract/connected-accounts/index.ts'
import { sql } from '../../../platform/db/sql.ts'
import {
  API_KEY,
  followShortLink,
  CLIENT,
  returnFromProvider,
  type Manifest,
  oauth,
  requestsTo,
  startConnectedAccountsApp,
  credentialsIn,
} from '#fixtures/connected-accounts.ts'

const NEW: Answer = { json: { access_token: 'new-access', refresh_token: 'new-refresh', expires_in: 3600 } }
const HOME = 'https://app.example.com/again'

/** An ACTIVE account that was brought along, and what is done to it. */
async function connected(
  t: TestContext,
  token: (request: Recorded) => Answer = () => NEW,
  manifest: Manifest = {},
) {
  const s = await startConnectedAccountsApp(t, {
    auth: (url) => [oauth(url, manifest), API_KEY],
    answer: (request) => (request.path === '/token' ? token(request) : { json: { id: '7' } }),
  })
  const configId = await s.addAuthConfig('OAUTH2', CLIENT)
  const id = await s.addAccount(configId, 'OAUTH2', {
    status: 'ACTIVE',
    access_token: 'old-access',
    refresh_token: 'old-refresh',
  })
  const refresh = (
    more: {
      query?: { redirect_url?: string }
      body?: { redirect_url?: string; validate_credentials?: boolean }
    } = {},
  ) => s.call(refreshConnectedAccount, { params: { nanoid: id }, ...more })
  const browserFlow = async (redirectUrl: string | null) =>
    (await followShortLink(s, redirectUrl as string)).searchParams.get('state') as string
  const usedToken = async () => {
    await s.callTool()
    return requestsTo(s, '/orders/7').at(-1)?.headers['authorization']
  }
  return { ...s, configId, id, refresh, browserFlow, usedToken }
}

test('reauthentication: an ACTIVE account keeps working until the new credentials are stored', async (t) => {
  const s = await connected(t)
  const { status, body } = await s.refresh({ body: { redirect_url: HOME } })
  assert.deepEqual([status, body.id, body.status], [200, s.id, 'INITIATED'])
  assert.deepEqual([(await s.readAccount(s.id)).status, await s.usedToken()], ['ACTIVE', 'Bearer old-access'])
  const state = await s.browserFlow(body.redirect_url)
  assert.deepEqual([(await s.readAccount(s.id)).status, await s.usedToken()], ['ACTIVE', 'Bearer old-access'])
  const back = await returnFromProvider(s, { code: 'c', state })
  assert.equal(back.location, `${HOME}?status=success&connected_account_id=${s.id}`)
  assert.deepEqual([(await s.readAccount(s.id)).status, await s.usedToken()], ['ACTIVE', 'Bearer new-access'])
})

test('reauthentication: with a valid refresh token, the user consents again and no token is requested', async (t) => {
  const s = await connected(t)
  const { body } = await s.refresh({ body: { validate_credentials: true } })
  assert.deepEqual([body.status, requestsTo(s, '/token').length], ['INITIATED', 0])
  const consent = await followShortLink(s, body.redirect_url as string)
  assert.deepEqual([consent.pathname, requestsTo(s, '/token').length], ['/authorize', 0])
  assert.equal(await s.usedToken(), 'Bearer old-access')
  await s.app.db.run(sql`update connected_accounts set token_expires_at = now() - interval '1 minute'`)
  assert.equal(
    await s.usedToken(),
    'Bearer new-access',
    'an expired token is refreshed by the call that needs it',
  )
  assert.match(requestsTo(s, '/token').at(-1)?.body ?? '', /grant_type=refresh_token/)
})

test('reauthentication: a denied, abandoned or late flow does not change an ACTIVE account', async (t) => {
  const s = await connected(t, () => ({ status: 400, json: { error: 'invalid_grant' } }))
  const before = await s.accountRow(s.id)
  const rejected = await s.browserFlow((await s.refresh()).body.redirect_url)
  await returnFromProvider(s, { error: 'access_denied', state: rejected })
  const failing = await s.browserFlow((await s.refresh()).body.redirect_url)
  await returnFromProvider(s, { code: 'c', state: failing })
  const late = await s.browserFlow((await s.refresh()).body.redirect_url)
  await s.app.db.run(
    sql`update authorization_flows set expires_at = now() - interval '1 minute' where used_at is null`,
  )
  assert.equal((await returnFromProvider(s, { code: 'c', state: late })).status, 410)
  assert.deepEqual(await s.accountRow(s.id), before)
  assert.equal(await s.usedToken(), 'Bearer old-access')
})

test('reauthentication: fields that the new grant leaves out are kept with their current values', async (t) => {
  const s = await connected(t, ({ body }) =>
    body.includes('refresh_token')
      ? { json: { access_token: 'renewed', refresh_token: 'rotated' } }
      : { json: { access_token: 'new-access' } },
  )
  const state = await s.browserFlow((await s.refresh()).body.redirect_url)
  await s.app.db.run(sql`update connected_accounts set token_expires_at = now() - interval '1 minute'`)
  assert.equal(await s.usedToken(), 'Bearer renewed')
  await returnFromProvider(s, { code: 'c', state })
  assert.equal(await s.usedToken(), 'Bearer new-access')
  await s.app.db.run(sql`update connected_accounts set token_expires_at = now() - interval '1 minute'`)
  await s.callTool()
  assert.match(requestsTo(s, '/token').at(-1)?.body ?? '', /refresh_token=rotated/)
})

test('reauthentication: an unusable account is INITIATED, then ACTIVE, or EXPIRED after ten minutes', async (t) => {
  const s = await connected(t)
  for (const status of ['EXPIRED', 'FAILED', 'INACTIVE', 'REVOKED']) {
    await s.app.db.run(sql`update connected_accounts set status = ${status}, status_reason = 'because'`)
    const { body } = await s.refresh({ query: { redirect_url: HOME } })
    const waiting = await s.readAccount(s.id)
    assert.deepEqual(
      [waiting.status, waiting.status_reason, credentialsIn(waiting.state)['redirectUrl']],
      ['INITIATED', null, body.redirect_url],
    )
    await returnFromProvider(s, { code: 'c', state: await s.browserFlow(body.redirect_url) })
    const { status: now, status_reason: reason, state } = await s.readAccount(s.id)
    assert.deepEqual([now, reason, 'redirectUrl' in credentialsIn(state)], ['ACTIVE', null, false])
  }
  await s.app.db.run(sql`update connected_accounts set status = 'EXPIRED'`)
  await s.refresh()
  await s.app.db.run(sql`update connected_accounts set setup_expires_at = now() - interval '1 minute'`)
  assert.equal((await s.readAccount(s.id)).status, 'EXPIRED')
  // And before the sweep has written that down, it can be opened once more.
  assert.equal((await s.refresh()).status, 200)
  assert.equal((await s.readAccount(s.id)).status, 'INITIATED')
})

test('reauthentication: an account that is disabled during the flow stays disabled', async (t) => {
  const s = await connected(t)
  const state = await s.browserFlow((await s.refresh()).body.redirect_url)
  await s.call(setConnectedAccountStatus, { params: { nanoid: s.id }, body: { enabled: false } })
  assert.equal((await returnFromProvider(s, { code: 'c', state })).status, 410)
  assert.equal((await s.readAccount(s.id)).status, 'INACTIVE')
  assert.equal(requestsTo(s, '/token').length, 0)
})

test('reauthentication: redirect_url of the body takes precedence over that of the query', async (t) => {
  const s = await connected(t)
  await s.refresh({ query: { redirect_url: 'https://other.example/' }, body: { redirect_url: HOME } })
  assert.equal((await s.accountRow(s.id))['callback_url'], HOME)
  assert.equal((await s.refresh({ query: { redirect_url: 'javascript:alert(1)' } })).status, 400)
  assert.equal((await s.accountRow(s.id))['callback_url'], HOME)
})

test('reauthentication: an API key is validated without a redirect', async (t) => {
  const s = await connected(t)
  const id = await s.addAccount(await s.addAuthConfig('API_KEY'), 'API_KEY', { generic_api_key: 'k' })
  const refresh = (body = {}) => s.call(refreshConnectedAccount, { params: { nanoid: id }, body })
  assert.deepEqual((await refresh()).body, { id, status: 'ACTIVE', redirect_url: null })
  await s.app.db.run(
    sql`update connected_accounts set status = 'EXPIRED', auth_failures = 3 where id = ${id}`,
  )
  s.stub.answer = () => ({ status: 401, json: { message: 'no' } })
  const rejected = await refresh({ validate_credentials: true })
  assert.deepEqual(
    [rejected.status, rejected.body.error.slug, (await s.accountRow(id))['status']],
    [400, 'ConnectedAccount_BadRequest', 'EXPIRED'],
  )
  s.stub.answer = () => ({ status: 500, json: {} })
  assert.equal(
    (await refresh()).status,
    400,
    'nobody is asked for another key because the application is down',
  )
  s.stub.answer = () => ({ json: {} })
  assert.equal((await refresh()).body.status, 'ACTIVE')
  await s.call(setConnectedAccountStatus, { params: { nanoid: id }, body: { enabled: false } })
  assert.equal((await refresh()).status, 400)
})

test('reauthentication: unknown and foreign accounts, and disabled auth configs, are rejected', async (t) => {
  const s = await connected(t)
  const other = await s.otherProject()
  assert.equal(
    (await other(refreshConnectedAccount, { params: { nanoid: s.id } })).body.error.slug,
    'ConnectedAccount_ResourceNotFound',
  )
  await s.call(setAuthConfigStatus, { params: { nanoid: s.configId, status: 'DISABLED' } })
  assert.equal((await s.refresh()).body.error.slug, 'Auth_Config_Disabled')
  assert.equal((await s.accountRow(s.id))['status'], 'ACTIVE')
})
