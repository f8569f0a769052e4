import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../platform/db/sql.ts'
import {
  API_KEY,
  BEARER,
  CLIENT,
  credentialsIn,
  oauth,
  requestsTo,
  SIGN_IN,
  startConnectedAccountsApp,
} from '#fixtures/connected-accounts.ts'

const KEY = { data: { generic_api_key: 'secret-key-1' } }
const PASSWORD = { data: { username: 'ada', password: 'secret-pass-1' } }

test('create: credentials are tried without validate_credentials, and only a rejection is an error', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY] })
  const config = await s.addAuthConfig('API_KEY')
  for (const [status, expected] of [
    [200, [201, 'ACTIVE', true]],
    [503, [201, 'ACTIVE', false]],
    [429, [201, 'ACTIVE', false]],
    [404, [201, 'ACTIVE', false]],
    [401, [400, undefined, undefined]],
    [403, [400, undefined, undefined]],
  ] as const) {
    s.stub.answer = () => ({ status, json: {} })
    const { status: created, body } = await s.connect(config, KEY)
    assert.deepEqual([created, body.status, body.verified], expected, `${status}`)
  }
  const { error } = (await s.connect(config, KEY)).body
  assert.deepEqual(
    [error.code, error.errors],
    [600, ['Error in payload.connection.state.val.generic_api_key: rejected by Shop']],
  )
  assert.match(error.message, /^Shop rejected the credentials: 403 .+ validate_credentials: false\.$/)
  assert.doesNotMatch(JSON.stringify(error), /secret-key-1/)
  assert.equal((await s.app.db.rows(sql`select id from connected_accounts`)).length, 4)
})

test('create: an application that cannot be reached leaves the credentials unverified', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY], answer: () => ({ cut: true }) })
  const { status, body } = await s.connect(await s.addAuthConfig('API_KEY'), KEY)
  assert.deepEqual([status, body.status, body.verified], [201, 'ACTIVE', false])
})

test('create: validate_credentials false and VALIDATE_CREDENTIALS=request store credentials untried', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY], answer: () => ({ status: 401 }) })
  const untried = await s.connect(await s.addAuthConfig('API_KEY'), KEY, { validate_credentials: false })
  assert.deepEqual([untried.status, untried.body.verified, s.stub.requests.length], [201, false, 0])
  const old = await startConnectedAccountsApp(t, {
    auth: [API_KEY],
    answer: () => ({ status: 401 }),
    app: { validateCredentials: 'request' },
  })
  const config = await old.addAuthConfig('API_KEY')
  const { status, body } = await old.connect(config, KEY)
  assert.deepEqual([status, body.verified, old.stub.requests.length], [201, false, 0])
  assert.equal((await old.connect(config, KEY, { validate_credentials: true })).status, 400)
})

test('create: a wrong password is rejected by the sign-in, and a session is kept for the first call', async (t) => {
  const s = await startConnectedAccountsApp(t, {
    auth: [SIGN_IN],
    answer: ({ path, body }) =>
      path !== '/session'
        ? { json: {} }
        : String(body).includes('secret-pass-1')
          ? { json: { token: 'session-1', ttl: 3600 } }
          : { status: 401 },
  })
  const config = await s.addAuthConfig('BASIC')
  const wrong = await s.connect(config, { data: { username: 'ada', password: 'guess' } })
  assert.deepEqual([wrong.status, wrong.body.error.code], [400, 600])
  assert.match(wrong.body.error.message, /^Shop rejected the credentials: .*user name or the password/)
  const { status, body } = await s.connect(config, { ...PASSWORD, user_id: 'u1' })
  assert.deepEqual([status, body.verified], [201, true])
  assert.ok((await s.accountRow(body.id))['token_expires_at'] instanceof Date)
  assert.equal((await s.callTool()).body.successful, true)
  assert.equal(requestsTo(s, '/session').length, 2)
})

test('create: an identity request that fails is sent once, and one that succeeds names the account', async (t) => {
  const s = await startConnectedAccountsApp(t, {
    auth: [BEARER],
    toolkit: { identity: { path: '/whoami', id: 'id', name: 'name' } },
    answer: () => ({ status: 503 }),
  })
  const config = await s.addAuthConfig('BEARER_TOKEN')
  const failed = await s.connect(config, { data: { token: 'token-1' } })
  assert.deepEqual([failed.status, failed.body.verified, requestsTo(s, '/whoami').length], [201, false, 1])
  s.stub.answer = () => ({ json: { id: '7', name: 'Ada' } })
  const { body } = await s.connect(config, { data: { token: 'token-1' } })
  assert.deepEqual([body.verified, requestsTo(s, '/whoami').length], [true, 2])
  assert.equal((await s.readAccount(body.id)).identity?.name, 'Ada')
})

test('create: an imported access token that is rejected is an error, unless it can be refreshed', async (t) => {
  const s = await startConnectedAccountsApp(t, {
    auth: (url) => [oauth(url)],
    toolkit: { identity: { path: '/whoami', id: 'id' } },
    answer: () => ({ status: 401 }),
  })
  const config = await s.addAuthConfig('OAUTH2', CLIENT)
  const token = (more: object) => ({
    state: { authScheme: 'OAUTH2', val: { status: 'ACTIVE', access_token: 'token-1', ...more } },
  })
  assert.equal((await s.connect(config, token({}))).status, 400)
  const { status, body } = await s.connect(config, token({ refresh_token: 'refresh-1' }))
  assert.deepEqual([status, body.status, body.verified], [201, 'ACTIVE', false])
  assert.equal(credentialsIn(body.connectionData)['status'], 'ACTIVE')
})
