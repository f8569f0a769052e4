import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { CookieJar } from '#fixtures/real-applications/cookie-jar.ts'
import type { Answer, Recorded } from '#fixtures/upstream.ts'
import {
  linkConnectedAccount,
  listProviderRequests,
  refreshConnectedAccount,
  updateConnectedAccount,
} from '../../../contract/connected-accounts/index.ts'
import { updateProjectConfig } from '../../../contract/projects/index.ts'
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

const SITES = [
  { id: 's-1', name: 'Acme <b>' },
  { id: 's-2', name: 'Bell' },
]
const step = (more: Manifest = {}): Manifest => ({
  request: { path: '/sites' },
  items: 'sites',
  value: 'id',
  label: 'name',
  what: 'site',
  select: 'ask',
  save: { site: 'id', site_name: 'name' },
  ...more,
})
const APPLY = { headers: { authorization: 'Bearer {access_token}', 'x-site': '{site}' } }
const HOME = 'https://app.example.com/done?tab=2'

async function shop(
  t: TestContext,
  steps: Manifest[] = [step()],
  answer: (request: Recorded) => Answer | undefined = () => undefined,
  more: Manifest = {},
) {
  const s = await startConnectedAccountsApp(t, {
    auth: (url) =>
      [
        oauth(url, { apply: APPLY, post_connect: steps }),
        {
          ...API_KEY,
          validate: undefined,
          apply: { headers: { 'x-key': '{generic_api_key}', 'x-site': '{site}' } },
          post_connect: steps,
        },
      ].map((one) => JSON.parse(JSON.stringify(one)) as Manifest),
    toolkit: more,
    answer: (request) =>
      answer(request) ??
      (request.path === '/token'
        ? { json: { access_token: 'token-123456', expires_in: 3600 } }
        : request.path === '/sites'
          ? { json: { sites: SITES } }
          : { json: { id: '7' } }),
  })
  const begin = async (connection: Manifest = {}) => {
    const { body } = await s.connect(await s.addAuthConfig('OAUTH2', CLIENT), {
      user_id: 'u1',
      ...connection,
    })
    return {
      id: body.id,
      state: (await followShortLink(s, body.redirect_url as string)).searchParams.get('state') as string,
    }
  }
  const browserFlow = async (connection: Manifest = {}) => {
    const { id, state } = await begin(connection)
    return { id, back: await returnFromProvider(s, { code: 'c', state }) }
  }
  const choose = async (url: string, choice: string, cookies = s.browser) => {
    const page = await s.visit(url, { cookies })
    return s.visit(url, {
      cookies,
      form: { form_token: tokenOf(page.text), ...(choice === '' ? {} : { choice }) },
    })
  }
  return { ...s, begin, browserFlow, choose }
}
const tokenOf = (text: string) => /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? ''
const stateOf = async (s: Awaited<ReturnType<typeof shop>>, id: string) => {
  const { status, state, status_reason: reason } = await s.readAccount(id)
  return [status, credentialsIn(state)['site'], reason]
}

test('post-connect: the user chooses one of several sites on a page, and requests use the choice', async (t) => {
  const s = await shop(t)
  await s.call(updateProjectConfig, { body: { display_name: 'Lantern' } })
  const { id, back } = await s.browserFlow()
  assert.match(back.location, /^http:\/\/localhost:3900\/choose\/cw_[A-Za-z0-9]{12}$/)
  assert.deepEqual(
    requestsTo(s, '/sites').map(({ headers }) => [headers['authorization'], headers['x-site']]),
    [['Bearer token-123456', undefined]],
  )
  const page = await s.visit(back.location)
  assert.equal(page.status, 200)
  for (const words of [
    /<h1>Choose the site<\/h1>/,
    /<strong>Lantern<\/strong>\s+will use the one/,
    /Acme &lt;b&gt;<span class="more">s-1<\/span>/,
    /type="radio" id="c-1" name="choice" value="1"/,
  ])
    assert.match(page.text, words)
  assert.doesNotMatch(page.text + back.location, /token-123456/)
  assert.match(String(page.headers['content-security-policy']), /form-action 'self'/)
  const waiting = await s.accountRow(id)
  assert.doesNotMatch(JSON.stringify((await s.readAccount(id)).state), /access_token/)
  assert.ok(waiting['setup_expires_at'] > new Date(Date.now() + 9 * 60_000))
  assert.deepEqual(await stateOf(s, id), ['INITIATED', undefined, null])
  const missing = await s.choose(back.location, '')
  assert.deepEqual([missing.status, /Choose an entry of the list/.test(missing.text)], [400, true])
  const done = await s.choose(back.location, '1')
  assert.match(done.text, /Shop is connected/)
  assert.deepEqual(await stateOf(s, id), ['ACTIVE', 's-2', null])
  await s.callTool()
  assert.equal(requestsTo(s, '/orders/7')[0]?.headers['x-site'], 's-2')
  assert.deepEqual(await s.app.db.rows(sql`select id from pending_connections`), [])
  assert.equal((await s.visit(back.location)).status, 410)
  assert.deepEqual(
    (await s.call(listProviderRequests, { params: { nanoid: id } })).body.items.map(
      ({ kind, outcome }) => `${kind} ${outcome}`,
    ),
    ['post_connect ok', 'code ok'],
  )
})

test('post-connect: the choice page works once, for ten minutes, in the browser that returned', async (t) => {
  const s = await shop(t)
  const { id, back } = await s.browserFlow({ callback_url: HOME })
  const other = new CookieJar()
  assert.equal((await s.visit(back.location, { cookies: other })).status, 403)
  const token = tokenOf((await s.visit(back.location)).text)
  for (const [cookies, form] of [
    [other, { form_token: token, choice: '1' }],
    [s.browser, { form_token: '', choice: '1' }],
    [s.browser, { choice: '1' }],
  ] as const)
    assert.equal(
      (await s.visit(back.location, { cookies, form: form as Record<string, string> })).status,
      403,
    )
  for (const choice of ['2', '-1', '999', '1e0', 's-2', '__proto__'])
    assert.equal((await s.choose(back.location, choice)).status, 400, choice)
  for (const bad of ['x', 'cw_short', 'cw_AAAAAAAAAAAA', '%00'])
    assert.equal((await s.visit(`http://localhost:3900/choose/${bad}`)).status, 410, bad)
  assert.equal((await stateOf(s, id))[0], 'INITIATED')
  const [first, second] = await Promise.all([
    s.visit(back.location, { form: { form_token: token, choice: '0' } }),
    s.visit(back.location, { form: { form_token: token, choice: '1' } }),
  ])
  assert.deepEqual([first.status, second.status].sort(), [200, 410])
  assert.match(
    first.text + second.text,
    /content="0;url=https:\/\/app\.example\.com\/done\?tab=2&amp;status=success&amp;connected_account_id=ca_/,
  )
  const late = await s.browserFlow()
  await s.app.db.run(sql`update pending_connections set expires_at = now() - interval '1 second'`)
  assert.equal((await s.visit(late.back.location)).status, 410)
  assert.equal((await stateOf(s, late.id))[0], 'INITIATED')
})

test('post-connect: a browser without a cookie that returns with the state can choose', async (t) => {
  const s = await shop(t)
  const { body } = await s.connect(await s.addAuthConfig('OAUTH2', CLIENT), {
    user_id: 'u1',
    state: { authScheme: 'OAUTH2', val: { long_redirect_url: true } },
  })
  const fresh = new CookieJar()
  const back = await returnFromProvider(
    s,
    { code: 'c', state: new URL(body.redirect_url as string).searchParams.get('state') as string },
    { cookies: fresh },
  )
  assert.match((await s.choose(back.location, '0', fresh)).text, /Shop is connected/)
  assert.deepEqual(await stateOf(s, body.id), ['ACTIVE', 's-1', null])
})

test('post-connect: `only` needs one resource, `first` takes the first, and a connection value decides', async (t) => {
  let sites: unknown = [SITES[0]]
  const list = ({ path }: Recorded) => (path === '/sites' ? { json: { sites } } : undefined)
  const only = await shop(t, [step({ select: 'only' })], list)
  assert.deepEqual(await stateOf(only, (await only.browserFlow()).id), ['ACTIVE', 's-1', null])
  for (const [offered, words] of [
    [[], /Shop lists no site for this connection/],
    [SITES, /more than one site: Acme <b> \(s-1\), Bell \(s-2\)\. Set site, site_name in the connection/],
    ['odd', /lists no site/],
    [[{ name: 'x' }, null, 7], /lists no site/],
  ] as const) {
    sites = offered
    const { id, back } = await only.browserFlow({ callback_url: HOME })
    assert.match(back.location, /status=failed/)
    const [status, , reason] = await stateOf(only, id)
    assert.equal(status, 'FAILED')
    assert.match(String(reason), words)
  }
  sites = SITES
  assert.deepEqual(await stateOf(only, (await only.browserFlow({ data: { site: 's-2' } })).id), [
    'ACTIVE',
    's-2',
    null,
  ])
  assert.match(
    String((await stateOf(only, (await only.browserFlow({ data: { site: 's-9' } })).id))[2]),
    /does not offer the site with site "s-9". It offers: Acme/,
  )
  const first = await shop(t, [step({ select: 'first' })])
  assert.deepEqual(await stateOf(first, (await first.browserFlow()).id), ['ACTIVE', 's-1', null])
})

test('post-connect: a step can use values of the step before it, and a single object is a list of one', async (t) => {
  const s = await shop(
    t,
    [
      step({
        request: { path: '/where' },
        items: '$',
        value: 'host',
        label: 'host',
        select: 'first',
        save: { host: 'host' },
      }),
      step({ request: { path: '/sites', query: { of: '{host}' } } }),
    ],
    ({ path }) => (path === '/where' ? { json: { host: 'eu' } } : undefined),
  )
  const { id, back } = await s.browserFlow()
  await s.choose(back.location, '0')
  assert.deepEqual(
    [
      (await stateOf(s, id))[0],
      credentialsIn((await s.readAccount(id)).state)['host'],
      String(requestsTo(s, '/sites')[0]?.query),
    ],
    ['ACTIVE', 'eu', 'of=eu'],
  )
})

test('post-connect: a failed request fails the connection, and an ACTIVE account keeps working', async (t) => {
  let answer: Answer | undefined
  const s = await shop(t, [step({ select: 'first' })], ({ path }) => (path === '/sites' ? answer : undefined))
  const { id } = await s.browserFlow()
  for (answer of [
    { status: 403, json: { message: 'no scope' } },
    { status: 500 },
    { text: '<html>' },
  ] as Answer[]) {
    const { body } = await s.call(refreshConnectedAccount, { params: { nanoid: id } })
    const back = await returnFromProvider(s, {
      code: 'c',
      state: (await followShortLink(s, `${body.redirect_url}?continue=1`)).searchParams.get(
        'state',
      ) as string,
    })
    assert.match(back.text, /keeps working/)
    assert.deepEqual(await stateOf(s, id), ['ACTIVE', 's-1', null])
  }
  const failing = await s.browserFlow()
  assert.equal((await stateOf(s, failing.id))[0], 'FAILED')
})

test('post-connect: a request names the site or is rejected with the list; on a page the user chooses', async (t) => {
  const s = await shop(t)
  const config = await s.addAuthConfig('API_KEY')
  const rejected = await s.connect(config, { user_id: 'u1', data: { generic_api_key: 'key-123456' } })
  assert.deepEqual(
    [rejected.status, rejected.body.error.code, rejected.body.error.errors],
    [
      400,
      600,
      ['Acme <b>: {"site":"s-1","site_name":"Acme <b>"}', 'Bell: {"site":"s-2","site_name":"Bell"}'],
    ],
  )
  assert.match(
    rejected.body.error.message,
    /^Shop has more than one site: Acme <b> \(s-1\), Bell \(s-2\)\. Set site, site_name in the connection/,
  )
  assert.deepEqual(await s.app.db.rows(sql`select id from connected_accounts`), [])
  const { body } = await s.connect(config, {
    user_id: 'u1',
    data: { generic_api_key: 'key-123456', site: 's-2' },
  })
  assert.deepEqual(await stateOf(s, body.id), ['ACTIVE', 's-2', null])
  const patch = (val: Manifest) =>
    s.call(updateConnectedAccount, {
      params: { nanoid: body.id },
      body: { connection: { state: { authScheme: 'API_KEY', val } } },
    })
  assert.equal((await patch({ generic_api_key: 'key-999999' })).status, 200)
  assert.equal((await patch({ generic_api_key: 'key-888888', site: null, site_name: null })).status, 400)
  assert.equal((await patch({ site: 's-1', site_name: null })).status, 200)
  assert.deepEqual(await stateOf(s, body.id), ['ACTIVE', 's-1', null])

  const link = await s.call(linkConnectedAccount, { body: { auth_config_id: config, user_id: 'u2' } })
  const page = await s.visit(link.body.redirect_url)
  const sent = await s.visit(link.body.redirect_url, {
    form: { form_token: tokenOf(page.text), generic_api_key: 'key-777777' },
  })
  assert.equal(sent.status, 302)
  assert.match((await s.choose(sent.location, '1')).text, /Shop is connected/)
  assert.deepEqual(await stateOf(s, link.body.connected_account_id), ['ACTIVE', 's-2', null])
})

test('post-connect: a site that the response lists several times is one choice', async (t) => {
  const s = await shop(t, [step()], ({ path }) =>
    path === '/sites' ? { json: { sites: [SITES[0], { ...SITES[0], product: 'other' }] } } : undefined,
  )
  const { id, back } = await s.browserFlow()
  assert.match(back.text, /Shop is connected/)
  assert.deepEqual(await stateOf(s, id), ['ACTIVE', 's-1', null])
})
