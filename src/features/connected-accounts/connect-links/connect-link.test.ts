import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { CookieJar } from '#fixtures/real-applications/cookie-jar.ts'
import { setAuthConfigStatus } from '../../../contract/auth-configs/index.ts'
import { linkConnectedAccount } from '../../../contract/connected-accounts/index.ts'
import { updateProjectConfig } from '../../../contract/projects/index.ts'
import { sql } from '../../../platform/db/sql.ts'
import {
  API_KEY,
  CLIENT,
  returnFromProvider,
  type Manifest,
  oauth,
  requestsTo,
  type ConnectedAccountsApp,
  startConnectedAccountsApp,
  type ConnectedAccountsAppOptions,
  credentialsIn,
} from '#fixtures/connected-accounts.ts'

const SHOP_KEY: Manifest = {
  ...API_KEY,
  hint_url: 'https://docs.shop.example/keys',
  fields: {
    connected_account_initiation: [
      {
        name: 'subdomain',
        display_name: 'Subdomain',
        description: 'The name before .shop.example.',
        prefix: 'https://',
        suffix: '.shop.example',
        pattern: '^[a-z-]+$',
        example: 'acme',
      },
      { name: 'region', display_name: 'Region', description: 'Where your shop is.', enum: ['eu', 'us'] },
      { name: 'note', display_name: 'Note', description: 'Anything.', required: false },
    ],
  },
}
const GOOD = { subdomain: 'https://acme.shop.example', region: 'eu', generic_api_key: 'key-secret-1' }

async function linked(
  t: TestContext,
  auth: ConnectedAccountsAppOptions['auth'] = [SHOP_KEY],
  body: Record<string, unknown> = {},
  answer?: ConnectedAccountsAppOptions['answer'],
) {
  const s = await startConnectedAccountsApp(t, { auth, ...(answer ? { answer } : {}) })
  const scheme = typeof auth === 'function' ? 'OAUTH2' : 'API_KEY'
  const config = await s.addAuthConfig(scheme, scheme === 'OAUTH2' ? CLIENT : {})
  const reply = await s.call(linkConnectedAccount, {
    body: { auth_config_id: config, user_id: 'u1', ...body } as never,
  })
  assert.equal(reply.status, 201, JSON.stringify(reply.body))
  return { ...s, configId: config, link: reply.body }
}

/** Fills in the form of the page as a browser shows it. */
async function send(s: ConnectedAccountsApp, url: string, fields: Record<string, string>) {
  const page = await s.visit(url)
  assert.equal(page.status, 200)
  return s.visit(url, { form: { form_token: tokenOf(page.text), ...fields } })
}
const tokenOf = (text: string) => /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? ''
const statusOf = async (s: ConnectedAccountsApp, id: string) => (await s.readAccount(id)).status

test('connect links: a link opens a page for ten minutes, and its account is INITIALIZING', async (t) => {
  const s = await linked(t)
  assert.match(s.link.link_token, /^lk_[A-Za-z0-9]{32}$/)
  assert.equal(s.link.redirect_url, `http://localhost:3900/link/${s.link.link_token}`)
  assert.ok(Math.abs(Date.parse(s.link.expires_at) - Date.now() - 600_000) < 30_000)
  assert.equal(await statusOf(s, s.link.connected_account_id), 'INITIALIZING')
  const rows = await s.app.db.rows(sql`select token_hash from connect_links`)
  assert.doesNotMatch(JSON.stringify(rows), new RegExp(s.link.link_token))
})

test('connect links: the page names the application, asks for missing fields, and connects the account', async (t) => {
  const s = await linked(t, [SHOP_KEY], { connection_data: { region: 'us' } }, () => ({ json: { id: '7' } }))
  await s.call(updateProjectConfig, {
    body: { display_name: 'Acme <b>', logo_url: 'https://acme.example/logo.png' },
  })
  const { text, headers } = await s.visit(s.link.redirect_url)
  assert.match(text, /<strong><bdi>Acme &lt;b&gt;<\/bdi><\/strong> asks for access to your Shop account/)
  assert.match(text, /https:\/\/acme\.example\/logo\.png/)
  assert.match(text, /Get order/i)
  assert.match(text, /<option selected>us<\/option>/)
  assert.match(text, /type="password"[^>]*name="generic_api_key"[^>]*autocomplete="off"/)
  assert.match(
    String(headers['content-security-policy']),
    /^default-src 'none'; style-src 'sha256-[^']+'; img-src 'self' http:\/\/localhost:3900 https:\/\/acme\.example data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
  )
  assert.deepEqual([headers['cache-control'], headers['referrer-policy']], ['no-store', 'no-referrer'])
  const done = await send(s, s.link.redirect_url, { ...GOOD, region: 'eu' })
  assert.match(done.text, /Shop is connected/)
  const account = await s.readAccount(s.link.connected_account_id)
  assert.deepEqual(
    [account.status, credentialsIn(account.state)['subdomain'], credentialsIn(account.state)['region']],
    ['ACTIVE', 'acme', 'eu'],
  )
  assert.deepEqual(
    requestsTo(s, '/me').map(({ headers: sent }) => sent['x-key']),
    ['key-secret-1'],
  )
  assert.equal((await s.callTool()).body.successful, true)
  assert.deepEqual(
    [
      (await s.visit(s.link.redirect_url)).status,
      (await s.visit(s.link.redirect_url, { form: { form_token: tokenOf(text), ...GOOD } })).status,
    ],
    [410, 410],
  )
})

test('connect links: an error is shown at its field, and only values that are not secret return', async (t) => {
  const s = await linked(t)
  const { status, text } = await send(s, s.link.redirect_url, {
    subdomain: '"><script>',
    region: 'mars',
    generic_api_key: 'key-secret-1',
    note: 'mine',
  })
  assert.equal(status, 400)
  for (const words of [
    /Subdomain does not have the right format\. Example: acme/,
    /Choose one of the values in the list for Region/,
    /value="&quot;&gt;&lt;script&gt;"/,
    /value="mine"/,
    /role="alert"/,
    /aria-invalid="true"/,
  ])
    assert.match(text, words)
  assert.doesNotMatch(text, /key-secret-1|<script>/)
  assert.match((await send(s, s.link.redirect_url, {})).text, /Enter a value for API key/)
  assert.deepEqual(
    [await statusOf(s, s.link.connected_account_id), requestsTo(s, '/me').length],
    ['INITIALIZING', 0],
  )
})

test('connect links: a multiline field has a text area and keeps its lines', async (t) => {
  const s = await linked(
    t,
    [
      {
        ...API_KEY,
        fields: {
          connected_account_initiation: [
            { name: 'note', display_name: 'Note', description: 'x', multiline: true, required: false },
            { name: 'generic_api_key', display_name: 'Key', description: 'x', secret: true, multiline: true },
            {
              name: 'private_key_name',
              display_name: 'Name',
              description: 'One line, whatever it is called.',
            },
          ],
        },
      },
    ],
    { connection_data: { note: 'one\ntwo' } },
    () => ({ json: {} }),
  )
  const { text } = await s.visit(s.link.redirect_url)
  assert.match(text, /<textarea [^>]*name="note"[^>]*>one\ntwo<\/textarea>/)
  assert.match(text, /<textarea [^>]*name="generic_api_key"[^>]*class="secret"[^>]*><\/textarea>/)
  assert.match(text, /<input type="text" [^>]*name="private_key_name"/)
  await send(s, s.link.redirect_url, { note: 'a\r\nb', generic_api_key: 'k', private_key_name: 'n' })
  assert.equal(credentialsIn((await s.readAccount(s.link.connected_account_id)).state)['note'], 'a\r\nb')
})

test('connect links: rejected credentials connect nothing and can be entered again', async (t) => {
  const s = await linked(
    t,
    [SHOP_KEY],
    { callback_url: 'https://app.example.com/done?tab=2' },
    ({ headers }) =>
      headers['x-key'] === 'right-key' ? { json: {} } : { status: 401, json: { message: 'nope' } },
  )
  const rejected = await send(s, s.link.redirect_url, GOOD)
  assert.match(rejected.text, /Shop rejected the credentials/)
  assert.equal(await statusOf(s, s.link.connected_account_id), 'INITIALIZING')
  const done = await send(s, s.link.redirect_url, { ...GOOD, generic_api_key: 'right-key' })
  assert.ok(
    done.text.includes(
      '<meta http-equiv="refresh" ' +
        `content="0;url=https://app.example.com/done?tab=2&amp;status=success&amp;connected_account_id=${s.link.connected_account_id}">`,
    ),
  )
  assert.equal(await statusOf(s, s.link.connected_account_id), 'ACTIVE')
})

test('connect links: with OAuth, the page continues at the provider; the flow ends in the same browser', async (t) => {
  const s = await linked(
    t,
    (url) => [oauth(url, { scopes: { default: ['orders:read', 'email'] } })],
    {},
    ({ path }) => (path === '/token' ? { json: { access_token: 'at-1' } } : { json: {} }),
  )
  const page = await s.visit(s.link.redirect_url)
  assert.match(page.text, /See your orders/)
  assert.match(page.text, /See your e-mail address/)
  const providerPage = await send(s, s.link.redirect_url, {})
  const address = new URL(
    (/content="0;url=([^"]+)"/.exec(providerPage.text)?.[1] ?? '').replaceAll('&amp;', '&'),
  )
  assert.equal(address.origin + address.pathname, `${s.stub.url}/authorize`)
  assert.equal(await statusOf(s, s.link.connected_account_id), 'INITIATED')
  const params = { code: 'c', state: address.searchParams.get('state') as string }
  assert.equal((await returnFromProvider(s, params, { cookies: new CookieJar() })).status, 403)
  const posted = await s.visit('http://localhost:3900/api/v3/toolkits/auth/callback', {
    cookies: new CookieJar(),
    form: { ...params, id_token: 'never in an address' },
  })
  assert.deepEqual(
    [posted.status, posted.location],
    [303, `http://localhost:3900/api/v3/toolkits/auth/callback?${new URLSearchParams(params)}`],
  )
  assert.match((await s.visit(posted.location)).text, /Shop is connected/)
  assert.equal(await statusOf(s, s.link.connected_account_id), 'ACTIVE')
})

test('connect links: a form without the form token of the browser changes nothing', async (t) => {
  const s = await linked(t)
  const mine = tokenOf((await s.visit(s.link.redirect_url)).text)
  const other = new CookieJar()
  await s.visit(s.link.redirect_url, { cookies: other })
  for (const [cookies, form_token] of [
    [other, mine],
    [new CookieJar(), mine],
    [s.browser, ''],
    [s.browser, 'x'],
  ] as const) {
    assert.equal((await s.visit(s.link.redirect_url, { cookies, form: { ...GOOD, form_token } })).status, 403)
  }
  assert.equal(await statusOf(s, s.link.connected_account_id), 'INITIALIZING')
})

test('connect links: unknown and expired links, disabled configs and invalid bodies are rejected', async (t) => {
  const s = await linked(t)
  for (const token of ['x', 'lk_short', `lk_${'A'.repeat(32)}`, '%00'])
    assert.equal((await s.visit(`http://localhost:3900/link/${token}`)).status, 404, token)
  const page = await s.visit(s.link.redirect_url)
  assert.equal(
    (
      await s.visit(s.link.redirect_url, {
        form: { form_token: tokenOf(page.text), note: 'x'.repeat(70_000) },
      })
    ).status,
    413,
  )
  const json = await s.app.http.inject({
    method: 'POST',
    url: new URL(s.link.redirect_url).pathname,
    headers: { 'content-type': 'application/json' },
    payload: '{}',
  })
  assert.equal(json.statusCode, 415)
  await s.app.db.run(sql`update connect_links set expires_at = now() - interval '1 second'`)
  assert.equal((await s.visit(s.link.redirect_url)).status, 410)
  const link = (body: Record<string, unknown>) =>
    s.call(linkConnectedAccount, { body: { auth_config_id: s.configId, user_id: 'u1', ...body } as never })
  for (const [body, status, code] of [
    [{ callback_url: 'https://good.example@evil.example/' }, 400, 10400],
    [{ callback_url: 'javascript:alert(1)' }, 400, 10400],
    [{ connection_data: { region: 'mars' } }, 400, 10400],
    [{ user_id: '' }, 400, 10400],
    [{ auth_config_id: 'ac_none' }, 404, 302],
    [{ experimental: { acl_config_for_shared: {} } }, 400, 602],
  ] as const) {
    const reply = await link(body)
    assert.deepEqual([reply.status, reply.body.error.code], [status, code], JSON.stringify(body))
  }
  await s.call(setAuthConfigStatus, { params: { nanoid: s.configId, status: 'DISABLED' } })
  assert.equal((await link({})).body.error.code, 307)
})
