import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { CookieJar } from '#fixtures/real-applications/cookie-jar.ts'
import { linkConnectedAccount } from '../../../contract/connected-accounts/index.ts'
import { sql } from '../../../platform/db/sql.ts'
import {
  CLIENT,
  type Manifest,
  oauth,
  requestsTo,
  type ConnectedAccountsApp,
  startConnectedAccountsApp,
} from '#fixtures/connected-accounts.ts'

const TOKENS = { access_token: 'access-token-1', token_type: 'Bearer', expires_in: 3600 }
const inbound = (url: string): Manifest =>
  oauth(url, {
    authorize: { url: `${url}/marketplace`, flow: 'inbound_install' },
    callback: { state_from: 'cookie' },
  })
const BACK = 'http://localhost:3900/api/v3/toolkits/auth/callback'

async function installing(t: TestContext) {
  const s = await startConnectedAccountsApp(t, {
    auth: (url) => [inbound(url)],
    answer: (request) => ({ json: request.path === '/token' ? TOKENS : { id: '7' } }),
  })
  const config = await s.addAuthConfig('OAUTH2', CLIENT)
  const begin = async (userId: string) =>
    (await s.connect(config, { user_id: userId })).body as { id: string; redirect_url: string }
  return { ...s, configId: config, begin }
}
const tokenOf = (text: string) => /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? ''
/** The user reads the page before the walk and presses its button. */
async function confirm(s: ConnectedAccountsApp, url: string, cookies?: CookieJar) {
  const page = await s.visit(url, cookies ? { cookies } : {})
  assert.equal(page.status, 200)
  return s.visit(url, { form: { form_token: tokenOf(page.text) }, ...(cookies ? { cookies } : {}) })
}
const back = (
  s: ConnectedAccountsApp,
  query = 'code=c-1',
  options?: Parameters<ConnectedAccountsApp['visit']>[1],
  toolkit = 'shop',
) => s.visit(`${BACK}/${toolkit}?${query}`, options)
const statusOf = async (s: ConnectedAccountsApp, id: string) => (await s.readAccount(id)).status

test('callback without state: a flow starts with a page with the application, and ends in this browser', async (t) => {
  const s = await installing(t)
  const { id, redirect_url: link } = await s.begin('u1')
  const page = await s.visit(link)
  assert.match(page.text, /asks for access to your Shop account.*Continue to Shop/s)
  assert.equal(await statusOf(s, id), 'INITIALIZING', 'looking is not beginning')
  const sent = await confirm(s, link)
  assert.match(sent.text, new RegExp(`url=${s.stub.url}/marketplace"`))
  assert.equal(await statusOf(s, id), 'INITIATED')
  const done = await back(s)
  assert.match(done.text, /Shop is connected/)
  assert.equal(await statusOf(s, id), 'ACTIVE')
  const sentForm = new URLSearchParams(requestsTo(s, '/token')[0]?.body)
  assert.deepEqual(
    [sentForm.get('code'), sentForm.get('redirect_uri'), sentForm.has('code_verifier')],
    ['c-1', `${BACK}/shop`, false],
  )
})

test('callback without state: a connect link starts a flow, and its button is the confirmation', async (t) => {
  const s = await installing(t)
  const { body } = await s.call(linkConnectedAccount, {
    body: { auth_config_id: s.configId, user_id: 'u1' } as never,
  })
  assert.match((await confirm(s, body.redirect_url)).text, /\/marketplace/)
  assert.match((await back(s)).text, /Shop is connected/)
  assert.equal(await statusOf(s, body.connected_account_id), 'ACTIVE')
})

test('callback without state: a callback works once, and twenty concurrent ones send one token request', async (t) => {
  const s = await installing(t)
  const { id, redirect_url: link } = await s.begin('u1')
  await confirm(s, link)
  const replies = await Promise.all(Array.from({ length: 20 }, () => back(s)))
  assert.deepEqual(replies.map(({ status }) => status).sort(), [
    200,
    ...Array.from({ length: 19 }, () => 404),
  ])
  assert.deepEqual(
    [(await back(s)).status, requestsTo(s, '/token').length, await statusOf(s, id)],
    [404, 1, 'ACTIVE'],
  )
})

test('callback without state: without a confirmed flow, or after ten minutes, nothing changes', async (t) => {
  const s = await installing(t)
  const { id, redirect_url: link } = await s.begin('u1')
  await s.visit(link)
  assert.equal((await back(s)).status, 404, 'visited, not confirmed')
  await confirm(s, link)
  const stranger = new CookieJar()
  await s.visit(link, { cookies: stranger })
  for (const cookies of [new CookieJar(), stranger]) {
    const reply = await back(s, 'code=c-1', { cookies })
    assert.deepEqual(
      [reply.status, /No connection was started in this browser/.test(reply.text)],
      [404, true],
    )
  }
  for (const toolkit of ['other', '__proto__', 'shop%2f..', 'SHOP'])
    assert.ok([404, 400].includes((await back(s, 'code=c', {}, toolkit)).status), toolkit)
  assert.equal(
    (await s.visit(`${BACK}?code=c-1`)).status,
    400,
    'the common address knows no walk without a state',
  )
  await s.app.db.run(sql`update authorization_flows set expires_at = now() - interval '1 second'`)
  assert.equal((await back(s)).status, 404)
  assert.deepEqual([requestsTo(s, '/token').length, await statusOf(s, id)], [0, 'INITIATED'])
})

test("callback without state: another user's link that a page opens does not affect a flow in progress", async (t) => {
  const s = await installing(t)
  const [mine, theirs] = [await s.begin('me'), await s.begin('attacker')]
  await confirm(s, mine.redirect_url)
  await s.visit(theirs.redirect_url)
  for (const form of [
    {},
    { form_token: 'x' },
    { form_token: tokenOf((await s.visit(theirs.redirect_url, { cookies: new CookieJar() })).text) },
    { form_token: tokenOf((await s.visit(mine.redirect_url)).text) },
  ] as Record<string, string>[]) {
    assert.equal((await s.visit(theirs.redirect_url, { form })).status, 403)
  }
  await back(s)
  assert.deepEqual([await statusOf(s, mine.id), await statusOf(s, theirs.id)], ['ACTIVE', 'INITIALIZING'])
})

test('callback without state: of two flows in one browser, the last started one is connected', async (t) => {
  const s = await installing(t)
  const [first, second] = [await s.begin('u1'), await s.begin('u2')]
  await confirm(s, first.redirect_url)
  await confirm(s, second.redirect_url)
  assert.equal((await s.visit(first.redirect_url)).status, 410)
  await back(s)
  assert.deepEqual([await statusOf(s, first.id), await statusOf(s, second.id)], ['INITIATED', 'ACTIVE'])
})

test('callback without state: two open flows in one browser are rejected', async (t) => {
  const s = await installing(t)
  const [first, second] = [await s.begin('u1'), await s.begin('u2')]
  await confirm(s, first.redirect_url)
  await s.app.db.run(
    sql`update authorization_flows set browser_hash = (select browser_hash from authorization_flows
        where browser_hash is not null)`,
  )
  const reply = await back(s)
  assert.deepEqual([reply.status, /Several connections were started/.test(reply.text)], [409, true])
  assert.deepEqual(
    [await statusOf(s, first.id), await statusOf(s, second.id), requestsTo(s, '/token').length],
    ['INITIATED', 'INITIALIZING', 0],
  )
})

test('callback without state: long_redirect_url is ignored: the server must see the browser first', async (t) => {
  const s = await installing(t)
  const { body } = await s.connect(s.configId, {
    user_id: 'u1',
    state: { authScheme: 'OAUTH2', val: { long_redirect_url: true } },
  })
  assert.match(body.redirect_url as string, /\/api\/v3\/s\//)
})

test('callback without state: an error of the provider, or no code, fails the account with a reason', async (t) => {
  const s = await installing(t)
  for (const [query, reason] of [
    ['error=access_denied', /access_denied/],
    ['x=1', /without code/],
    [`code=a&code=b`, /without code/],
  ] as const) {
    const { id, redirect_url: link } = await s.begin('u1')
    await confirm(s, link)
    assert.match((await back(s, query)).text, /Not connected/)
    const { status, status_reason: why } = await s.readAccount(id)
    assert.equal(status, 'FAILED')
    assert.match(String(why), reason)
  }
})
