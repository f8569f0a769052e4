import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFlowAtProvider, statusOf, TOKENS } from '#fixtures/authorization-flow.ts'
import { linkConnectedAccount } from '../../../contract/connected-accounts/index.ts'
import { formToken } from '../pages/browser-cookie.ts'
import { CookieJar } from '#fixtures/real-applications/cookie-jar.ts'
import { sql } from '../../../platform/db/sql.ts'
import {
  CLIENT,
  type ConnectedAccountsApp,
  oauth,
  requestsTo,
  returnFromProvider,
  startConnectedAccountsApp,
} from '#fixtures/connected-accounts.ts'

test('callback: another browser is rejected, and the browser that started can still finish', async (t) => {
  const s = await startFlowAtProvider(t)
  for (const cookies of [new CookieJar(), await browserWithOtherFlow(s)]) {
    const foreign = await returnFromProvider(s, { code: 'code-1', state: s.state }, { cookies })
    assert.equal(foreign.status, 403)
    assert.match(foreign.text, /started in a different browser/)
  }
  assert.deepEqual([requestsTo(s, '/token').length, ...(await statusOf(s, s.id))], [0, 'INITIATED', null])
  assert.equal((await returnFromProvider(s, { code: 'code-1', state: s.state })).status, 302)
  assert.equal((await statusOf(s, s.id))[0], 'ACTIVE')
})

/** A browser with an authorization flow for another account. */
async function browserWithOtherFlow(s: ConnectedAccountsApp & { id: string }): Promise<CookieJar> {
  const cookies = new CookieJar()
  const { body } = await s.connect((await s.readAccount(s.id)).auth_config.id, { user_id: 'u2' })
  await s.visit(body.redirect_url as string, { cookies })
  return cookies
}

test('browser cookie: it is HttpOnly and SameSite, and only its hash is stored', async (t) => {
  const s = await startFlowAtProvider(t)
  const again = await s.visit(s.link)
  const cookie = String(again.headers['set-cookie'])
  assert.match(cookie, /^patchbay_browser=[A-Za-z0-9]{43}; Max-Age=3600; Path=\/; HttpOnly; SameSite=Lax$/)
  const secret = cookie.slice(17, 60)
  assert.ok(
    s.browser.headerFor(new URL(s.link)).includes(secret),
    'a browser that comes again keeps its value',
  )
  const rows = await s.app.db.rows<{ browser_hash: Buffer }>(
    sql`select browser_hash from authorization_flows`,
  )
  assert.deepEqual(
    rows.map(({ browser_hash: hash }) => [hash.length, hash.includes(secret)]),
    [[32, false]],
  )
})

const HTTPS = { app: { publicUrl: 'https://int.example.com' } }

test('browser cookie: with https it is Secure, and its name has the prefix __Host-', async (t) => {
  const s = await startFlowAtProvider(t, undefined, undefined, HTTPS)
  const cookie = String((await s.visit(s.link)).headers['set-cookie'])
  assert.match(cookie, /^__Host-patchbay_browser=[A-Za-z0-9]{43};.*; Secure/)
  assert.doesNotMatch(cookie, /Domain/i)
})

test('browser cookie: with https, a cookie that another host of the site can set does not open a form', async (t) => {
  const s = await startFlowAtProvider(t, undefined, undefined, HTTPS)
  const { body } = await s.call(linkConnectedAccount, {
    body: { auth_config_id: (await s.readAccount(s.id)).auth_config.id, user_id: 'u1' },
  })
  const planted = 'a'.repeat(43)
  const token = formToken(
    { secret: planted, hash: Buffer.alloc(32) },
    body.redirect_url.split('/').at(-1) as string,
  )
  const send = async (name: string) => {
    const cookies = new CookieJar()
    cookies.store(new URL(body.redirect_url), [`${name}=${planted}; Path=/`])
    return (await s.visit(body.redirect_url, { cookies, form: { form_token: token } })).status
  }
  assert.equal(await send('patchbay_browser'), 403)
  assert.equal(await send('__Host-patchbay_browser'), 200)
})

test('callback: a flow with long_redirect_url is not bound to a browser', async (t) => {
  const s = await startConnectedAccountsApp(t, {
    auth: (url) => [oauth(url)],
    answer: () => ({ json: TOKENS }),
  })
  const { body } = await s.connect(await s.addAuthConfig('OAUTH2', CLIENT), {
    user_id: 'u1',
    state: { authScheme: 'OAUTH2', val: { long_redirect_url: true } },
  })
  const state = new URL(body.redirect_url as string).searchParams.get('state') as string
  assert.equal((await returnFromProvider(s, { code: 'c', state }, { cookies: new CookieJar() })).status, 200)
  assert.equal((await statusOf(s, body.id))[0], 'ACTIVE')
})
