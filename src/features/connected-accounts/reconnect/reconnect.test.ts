import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { CookieJar } from '#fixtures/real-applications/cookie-jar.ts'
import { linkConnectedAccount, refreshConnectedAccount } from '../../../contract/connected-accounts/index.ts'
import { sql } from '../../../platform/db/sql.ts'
import {
  API_KEY,
  CLIENT,
  returnFromProvider,
  type Manifest,
  oauth,
  requestsTo,
  startConnectedAccountsApp,
  credentialsIn,
} from '#fixtures/connected-accounts.ts'

const SHOP_KEY: Manifest = {
  ...API_KEY,
  base_url: undefined,
  fields: {
    connected_account_initiation: [
      { name: 'subdomain', display_name: 'Subdomain', description: 'Before .shop.example.' },
    ],
  },
}
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const tokenOf = (text: string) => /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? ''

async function withKey(t: TestContext) {
  const s = await startConnectedAccountsApp(t, {
    auth: [JSON.parse(JSON.stringify(SHOP_KEY))],
    answer: ({ headers }) =>
      headers['x-key'] === 'new-key' || headers['x-key'] === 'other-key'
        ? { json: { id: '7' } }
        : { status: 401, json: { message: 'gone' } },
  })
  const config = await s.addAuthConfig('API_KEY')
  const id = await s.addAccount(config, 'API_KEY', { generic_api_key: 'old-key', subdomain: 'acme' })
  const usedKey = async () => {
    await s.callTool()
    return requestsTo(s, '/orders/7').at(-1)?.headers['x-key']
  }
  const link = (more: Record<string, unknown> = {}) =>
    s.call(linkConnectedAccount, {
      body: { auth_config_id: config, user_id: 'u1', connected_account_id: id, ...more } as never,
    })
  const send = async (url: string, fields: Record<string, string>) =>
    s.visit(url, { form: { form_token: tokenOf((await s.visit(url)).text), ...fields } })
  return { ...s, configId: config, id, usedKey, link, send }
}

async function withOAuth(t: TestContext) {
  const s = await startConnectedAccountsApp(t, {
    auth: (url) => [oauth(url, { scopes: { default: ['orders:read', 'email'] } })],
    answer: ({ path }) =>
      path === '/token'
        ? { json: { access_token: 'new-access', refresh_token: 'new-refresh', expires_in: 3600 } }
        : { json: { id: '7' } },
  })
  const config = await s.addAuthConfig('OAUTH2', CLIENT)
  const id = await s.addAccount(config, 'OAUTH2', {
    status: 'ACTIVE',
    access_token: 'old-access',
    refresh_token: 'old-refresh',
  })
  const browse = async (url: string) =>
    s.app.http.inject({
      method: 'GET',
      url: new URL(url, 'http://localhost:3900').pathname + new URL(url, 'http://localhost:3900').search,
      headers: { ...BROWSER, cookie: s.browser.headerFor(new URL('http://localhost:3900/')) ?? '' },
    })
  const usedToken = async () => {
    await s.callTool()
    return requestsTo(s, '/orders/7').at(-1)?.headers['authorization']
  }
  return { ...s, configId: config, id, browse, usedToken }
}

test('reconnect: the user replaces a rejected key on a page; the account keeps its id and the old key', async (t) => {
  const s = await withKey(t)
  await s.app.db.run(sql`update connected_accounts set status = 'EXPIRED', status_reason = 'because'`)
  const { status, body } = await s.call(refreshConnectedAccount, {
    params: { nanoid: s.id },
    body: { redirect_url: 'https://app.example.com/again' },
  })
  assert.deepEqual([status, body.id, body.status], [200, s.id, 'INITIATED'])
  const url = String(body.redirect_url)
  assert.match(url, /^http:\/\/localhost:3900\/link\/lk_/)
  assert.equal((await s.readAccount(s.id)).status, 'INITIATED')
  const { text } = await s.visit(url)
  assert.match(text, /<h1>Reconnect Shop<\/h1>/)
  assert.match(text, /can no longer use your Shop account/)
  assert.match(text, /name="subdomain"[^>]*value="acme"/)
  assert.match(text, /type="password"[^>]*name="generic_api_key"/)
  assert.doesNotMatch(text, /old-key/)
  assert.match(
    (await s.send(url, { subdomain: 'acme', generic_api_key: '' })).text,
    /Enter a value for API key/,
  )
  assert.match(
    (await s.send(url, { subdomain: 'acme', generic_api_key: 'wrong' })).text,
    /Shop rejected the credentials/,
  )
  assert.equal(
    (
      await s.app.db.one<{ credentials_version: number }>(
        sql`select count(*)::int as credentials_version from connected_accounts`,
      )
    )?.credentials_version,
    1,
  )
  const done = await s.send(url, { subdomain: 'acme2', generic_api_key: 'new-key' })
  assert.match(done.text, /https:\/\/app\.example\.com\/again\?status=success&amp;connected_account_id=/)
  const account = await s.readAccount(s.id)
  assert.deepEqual(
    [account.status, account.status_reason, credentialsIn(account.state)['subdomain'], await s.usedKey()],
    ['ACTIVE', null, 'acme2', 'new-key'],
  )
  assert.equal((await s.visit(url)).status, 410, 'and the link is used up')
})

test('reconnect: an ACTIVE account keeps working while its page is open', async (t) => {
  const s = await withKey(t)
  const { status, body } = await s.link({ callback_url: 'https://app.example.com/done' })
  assert.deepEqual([status, body.connected_account_id], [201, s.id])
  assert.match((await s.visit(body.redirect_url)).text, /keeps working/)
  await s.send(body.redirect_url, { subdomain: 'acme', generic_api_key: 'wrong' })
  assert.deepEqual([(await s.readAccount(s.id)).status, await s.usedKey()], ['ACTIVE', 'old-key'])
  await s.app.db.run(sql`update connected_accounts set status = 'ACTIVE', auth_failures = 0`)
  const second = (await s.link()).body.redirect_url
  await s.send(body.redirect_url, { subdomain: 'acme', generic_api_key: 'new-key' })
  assert.equal(await s.usedKey(), 'new-key')
  assert.deepEqual(
    [(await s.visit(body.redirect_url)).status, (await s.visit(second)).status],
    [410, 410],
    'all links to it are used up',
  )
  const third = (await s.link()).body.redirect_url
  await s.send(third, { subdomain: 'acme', generic_api_key: 'other-key' })
  assert.equal(await s.usedKey(), 'other-key')
})

test('reconnect: a link reopens an unusable account for ten minutes, from every status', async (t) => {
  const s = await withKey(t)
  for (const status of ['EXPIRED', 'FAILED', 'INACTIVE', 'REVOKED']) {
    await s.app.db.run(
      sql`update connected_accounts set status = ${status}, status_reason = 'because', setup_expires_at = null`,
    )
    const { body } = await s.link()
    assert.deepEqual(
      [(await s.readAccount(s.id)).status, (await s.visit(body.redirect_url)).status],
      ['INITIATED', 200],
      status,
    )
  }
  const { body } = await s.link()
  await s.app.db.run(sql`update connected_accounts set setup_expires_at = now() - interval '1 second'`)
  await s.app.db.run(sql`update connect_links set expires_at = now() - interval '1 second'`)
  assert.deepEqual(
    [(await s.readAccount(s.id)).status, (await s.visit(body.redirect_url)).status],
    ['EXPIRED', 410],
  )
  assert.equal((await s.link()).status, 201)
  assert.equal((await s.readAccount(s.id)).status, 'INITIATED')
})

test('reconnect: a link needs user and auth config of the account, and no fields of new accounts', async (t) => {
  const s = await withKey(t)
  const other = await s.otherProject()
  const elsewhere = await s.addAuthConfig('API_KEY')
  for (const [more, status, words] of [
    [{ connected_account_id: 'ca_none' }, 404, /not found/],
    [{ user_id: 'u2' }, 400, /is not the user/],
    [{ auth_config_id: elsewhere }, 400, /must be ac_/],
    [{ alias: 'x' }, 400, /payload\.alias/],
    [{ connection_data: { subdomain: 'x' } }, 400, /payload\.connection_data/],
    [{ experimental: {} }, 400, /payload\.experimental/],
    [{ callback_url: 'https://good.example@evil.example/' }, 400, /callback_url/],
    [{ connected_account_id: "' or 1=1 --" }, 400, /connected_account_id/],
  ] as const) {
    const reply = await s.link(more)
    assert.equal(reply.status, status, JSON.stringify(more))
    assert.match(JSON.stringify(reply.body), words)
  }
  const theirs = await other(linkConnectedAccount, {
    body: { auth_config_id: s.configId, user_id: 'u1', connected_account_id: s.id },
  })
  assert.equal(theirs.status, 404)
  assert.equal((await s.app.db.rows(sql`select 1 from connect_links`)).length, 0)
  assert.equal((await s.readAccount(s.id)).status, 'ACTIVE')
})

test('reconnect: with OAuth, a browser first sees a page, and a program is redirected immediately', async (t) => {
  const s = await withOAuth(t)
  const { body } = await s.call(refreshConnectedAccount, { params: { nanoid: s.id } })
  const url = String(body.redirect_url)
  const page = await s.browse(url)
  assert.equal(page.statusCode, 200)
  assert.match(
    page.body,
    /<h1>Reconnect Shop<\/h1>.*keeps working.*See your orders.*See your e-mail address/s,
  )
  const continueTo = /<a class="action" href="([^"]+)">Continue to Shop<\/a>/.exec(page.body)?.[1] ?? ''
  assert.deepEqual([(await s.visit(url)).status, page.headers['vary']], [302, 'accept'])
  const gone = await s.visit(new URL(continueTo, url).href)
  assert.deepEqual([gone.status, new URL(gone.location).pathname], [302, '/authorize'])
  assert.equal(await s.usedToken(), 'Bearer old-access')
  await returnFromProvider(s, {
    code: 'c',
    state: new URL(gone.location).searchParams.get('state') as string,
  })
  assert.equal(await s.usedToken(), 'Bearer new-access')
  assert.equal((await s.browse(url)).statusCode, 410)
  const first = await s.connect(s.configId, { user_id: 'u2' })
  assert.equal(
    (await s.browse(String(first.body.redirect_url))).statusCode,
    302,
    'a first connection is not held up',
  )
})

test('reconnect: a link of an OAuth account stores credentials in the same row; a denial keeps the old', async (t) => {
  const s = await withOAuth(t)
  const link = async () =>
    (
      await s.call(linkConnectedAccount, {
        body: { auth_config_id: s.configId, user_id: 'u1', connected_account_id: s.id },
      })
    ).body.redirect_url
  const browserFlow = async (url: string) => {
    const page = await s.visit(url)
    assert.match(page.text, /<h1>Reconnect Shop<\/h1>.*See your orders/s)
    const continueTo = await s.visit(url, { form: { form_token: tokenOf(page.text) } })
    return new URL(
      (/content="0;url=([^"]+)"/.exec(continueTo.text)?.[1] ?? '').replaceAll('&amp;', '&'),
    ).searchParams.get('state') as string
  }
  const refused = await returnFromProvider(s, {
    error: 'access_denied',
    state: await browserFlow(await link()),
  })
  assert.match(refused.text, /You did not give access.*keeps working/s)
  assert.deepEqual([(await s.readAccount(s.id)).status, await s.usedToken()], ['ACTIVE', 'Bearer old-access'])
  const url = await link()
  const state = await browserFlow(url)
  assert.equal(
    (await returnFromProvider(s, { code: 'c', state }, { cookies: new CookieJar() })).status,
    403,
    'another browser ends nothing',
  )
  assert.match((await returnFromProvider(s, { code: 'c', state })).text, /Shop is connected/)
  assert.deepEqual(
    [(await s.readAccount(s.id)).status, await s.usedToken(), (await s.visit(url)).status],
    ['ACTIVE', 'Bearer new-access', 410],
  )
})
