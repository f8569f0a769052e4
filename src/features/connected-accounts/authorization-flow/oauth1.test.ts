import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { requestsTo, startConnectedAccountsApp } from '#fixtures/connected-accounts.ts'

const header = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, decodeURIComponent(value!)]),
  ) as Record<string, string>
const MANIFEST = (url: string) => [
  {
    scheme: 'OAUTH1',
    request_token: { url: `${url}/request` },
    authorize: { url: `${url}/authorize`, params: { perms: 'write' } },
    access_token: { url: `${url}/access` },
    realm: 'shop',
  },
]
const text = (values: Record<string, string>) => ({
  text: new URLSearchParams(values).toString(),
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
})

async function oauth1Stage(t: Parameters<typeof startConnectedAccountsApp>[0], confirmed = 'true') {
  const s = await startConnectedAccountsApp(t, {
    auth: MANIFEST,
    answer: ({ path }) =>
      path === '/request'
        ? text({
            oauth_token: 'request-token',
            oauth_token_secret: 'request-secret',
            oauth_callback_confirmed: confirmed,
          })
        : path === '/access'
          ? text({ oauth_token: 'access-token-1', oauth_token_secret: 'access-secret-1' })
          : { json: {} },
  })
  return {
    s,
    config: await s.addAuthConfig('OAUTH1', {
      consumer_key: 'consumer-1',
      consumer_secret: 'consumer-secret',
    }),
  }
}

test('OAUTH1: a flow obtains tokens with which every request is signed', async (t) => {
  const { s, config } = await oauth1Stage(t)
  const made = await s.connect(config, {
    user_id: 'u1',
    state: { authScheme: 'OAUTH1', val: { long_redirect_url: true } },
  })
  assert.equal(made.status, 201)
  const asked = header(requestsTo(s, '/request')[0]!.headers['authorization']!)
  const callback = new URL(asked['oauth_callback']!)
  const browser = new URL(String(made.body.redirect_url ?? made.body.redirect_uri))
  assert.deepEqual(
    [browser.pathname, browser.searchParams.get('oauth_token'), browser.searchParams.get('perms')],
    ['/authorize', 'request-token', 'write'],
  )
  callback.searchParams.set('oauth_token', 'request-token')
  callback.searchParams.set('oauth_verifier', 'verifier-1')
  await s.visit(callback.href)
  assert.equal((await s.readAccount(made.body.id)).status, 'ACTIVE')
  const access = header(requestsTo(s, '/access')[0]!.headers['authorization']!)
  assert.deepEqual(
    [access['oauth_token'], access['oauth_verifier'], access['realm']],
    ['request-token', 'verifier-1', 'shop'],
  )
  assert.equal((await s.callTool()).body.successful, true)
  const sent = header(requestsTo(s, '/orders/7')[0]!.headers['authorization']!)
  const { oauth_signature: signature, realm: _realm, ...parameters } = sent
  const base = [
    'GET',
    `${s.stub.url}/orders/7`,
    Object.entries(parameters)
      .sort()
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join('&'),
  ]
    .map(encodeURIComponent)
    .join('&')
  assert.equal(signature, createHmac('sha1', 'consumer-secret&access-secret-1').update(base).digest('base64'))
})

test('OAUTH1: an unknown request token, a denial and an unconfirmed callback connect nothing', async (t) => {
  const { s, config } = await oauth1Stage(t)
  for (const params of [
    { oauth_token: 'another', oauth_verifier: 'v' },
    { denied: 'request-token' },
    { oauth_token: 'request-token' },
  ]) {
    const made = await s.connect(config, {
      user_id: 'u1',
      state: { authScheme: 'OAUTH1', val: { long_redirect_url: true } },
    })
    const callback = new URL(
      header(requestsTo(s, '/request').at(-1)!.headers['authorization']!)['oauth_callback']!,
    )
    for (const [name, value] of Object.entries(params)) callback.searchParams.set(name, value)
    await s.visit(callback.href)
    assert.equal((await s.readAccount(made.body.id)).status, 'FAILED')
  }
  assert.equal(requestsTo(s, '/access').length, 0)
  const other = await oauth1Stage(t, 'false')
  assert.equal((await other.s.connect(other.config, { user_id: 'u1' })).status, 502)
})
