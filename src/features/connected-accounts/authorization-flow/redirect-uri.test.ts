import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { readAuthConfig } from '../../../contract/auth-configs/index.ts'
import {
  CLIENT,
  followShortLink,
  form,
  oauth,
  requestsTo,
  returnFromProvider,
  startConnectedAccountsApp,
} from '#fixtures/connected-accounts.ts'

const CALLBACK = 'http://localhost:3900/api/v3/toolkits/auth/callback'
const SERVER_URL = { name: 'server_url', display_name: 'URL', description: 'URL of the server.' }

/** A toolkit whose authorization server is chosen in the auth config, with an honest and an evil server. */
async function startWithChosenServers(t: TestContext) {
  const s = await startConnectedAccountsApp(t, {
    auth: () => [
      {
        ...oauth('https://unused.example'),
        authorize: { url: '{server_url}/authorize' },
        token: { url: '{server_url}/token' },
        fields: { auth_config_creation: [SERVER_URL] },
      },
    ],
    answer: ({ path }) => ({ json: path.endsWith('/token') ? { access_token: 'access-token-1' } : {} }),
  })
  const addServer = (name: string, more = {}) =>
    s.addAuthConfig('OAUTH2', { ...CLIENT, server_url: `${s.stub.url}/${name}`, ...more })
  const startFlow = async (config: string) => {
    const { body } = await s.connect(config, { user_id: 'u1' })
    const url = await followShortLink(s, body.redirect_url as string)
    return { id: body.id, state: url.searchParams.get('state') as string, url }
  }
  return { ...s, addServer, startFlow, honest: await addServer('honest'), evil: await addServer('evil') }
}

test('redirect URI: each auth config with a chosen authorization server has its own', async (t) => {
  const s = await startWithChosenServers(t)
  const { id, state, url } = await s.startFlow(s.honest)
  assert.equal(url.searchParams.get('redirect_uri'), `${CALLBACK}/${s.honest}`)
  const { body } = await s.call(readAuthConfig, { params: { nanoid: s.honest } })
  assert.equal(body.redirect_uri, `${CALLBACK}/${s.honest}`)
  const { status } = await s.visit(`${CALLBACK}/${s.honest}?${new URLSearchParams({ code: 'c', state })}`)
  assert.deepEqual([status, (await s.readAccount(id)).status], [200, 'ACTIVE'])
  assert.equal(form(requestsTo(s, '/honest/token')[0]!)['redirect_uri'], `${CALLBACK}/${s.honest}`)
})

test('redirect URI: a mixed-up response sends no code of one provider to another (RFC 9700, 4.4)', async (t) => {
  const s = await startWithChosenServers(t)
  const base = await s.addServer('evil', { oauth_redirect_uri: CALLBACK })
  // The evil server redirected the victim to the honest one, with the state of its own flow. The code comes back to a
  // redirect URI of the honest client.
  for (const [config, path] of [
    [s.evil, `/${s.honest}`],
    [s.evil, ''],
    [base, ''],
  ] as const) {
    const { id, state } = await s.startFlow(config)
    const page = await s.visit(`${CALLBACK}${path}?${new URLSearchParams({ code: 'honest-code', state })}`)
    assert.equal(page.status, 400)
    assert.match(page.text, /came to the wrong URL/)
    assert.equal((await s.readAccount(id)).status, 'INITIATED')
  }
  assert.deepEqual(requestsTo(s, '/evil/token'), [])
})

test('redirect URI: a form post keeps the ID of the auth config', async (t) => {
  const s = await startWithChosenServers(t)
  const { state } = await s.startFlow(s.honest)
  const { status, location } = await s.visit(`${CALLBACK}/${s.honest}`, { form: { code: 'c', state } })
  assert.deepEqual([status, location], [303, `${CALLBACK}/${s.honest}?code=c&state=${state}`])
})

test('redirect URI: built-in servers share one, and it does not accept the ID of an auth config', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: (url) => [oauth(url)] })
  const config = await s.addAuthConfig('OAUTH2', CLIENT)
  const { body } = await s.connect(config, { user_id: 'u1' })
  const url = await followShortLink(s, body.redirect_url as string)
  assert.equal(url.searchParams.get('redirect_uri'), CALLBACK)
  const state = url.searchParams.get('state') as string
  assert.equal(
    (await s.visit(`${CALLBACK}/${config}?${new URLSearchParams({ code: 'c', state })}`)).status,
    400,
  )
  assert.deepEqual(requestsTo(s, '/token'), [])
})

test('callback: a response of another issuer is rejected before the code is exchanged (RFC 9207)', async (t) => {
  const s = await startConnectedAccountsApp(t, {
    auth: (url) => [oauth(url, { id_token: { issuer: 'https://honest.example' } })],
    answer: () => ({ json: { access_token: 'access-token-1' } }),
  })
  const config = await s.addAuthConfig('OAUTH2', CLIENT)
  const finish = async (iss: string) => {
    const { body } = await s.connect(config, { user_id: 'u1' })
    const state = (await followShortLink(s, body.redirect_url as string)).searchParams.get('state') as string
    await returnFromProvider(s, { code: 'c', state, iss })
    return s.readAccount(body.id)
  }
  const rejected = await finish('https://evil.example')
  assert.equal(rejected.status, 'FAILED')
  assert.match(String(rejected.status_reason), /different authorization server/)
  assert.deepEqual(requestsTo(s, '/token'), [])
  assert.equal((await finish('https://honest.example')).status, 'ACTIVE')
})
