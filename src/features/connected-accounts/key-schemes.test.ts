import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test, type TestContext } from 'node:test'
import { decodeJwt, jwtVerify, SignJWT } from 'jose'
import { executeTool } from '../../contract/tools/index.ts'
import { form, requestsTo, startConnectedAccountsApp } from '#fixtures/connected-accounts.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const PEM = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string

test('BASIC_WITH_JWT: a token is refreshed before expiry and after a 401; a wrong password is reported', async (t) => {
  let made = 0
  let good = ''
  const jwt = (now: number) =>
    new SignJWT({ n: ++made, exp: Math.floor(now / 1_000) + 3_600 })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(Buffer.from('x'))
  const s = await startConnectedAccountsApp(t, {
    auth: [
      {
        scheme: 'BASIC_WITH_JWT',
        sign_in: {
          path: '/login',
          body: 'json',
          params: { u: '{username}', p: '{password}' },
          headers: { 'X-App': 'one' },
          token_from_cookie: 'sid',
        },
      },
    ],
    answer: async ({ path, headers }) => {
      if (path === '/login')
        return {
          headers: { 'set-cookie': `sid=${(good = await jwt(s.clock.now()))}; Path=/; HttpOnly` },
          json: {},
        }
      return headers['authorization'] === `Bearer ${good}` ? { json: {} } : { status: 401 }
    },
  })
  const id = await s.addAccount(await s.addAuthConfig('BASIC_WITH_JWT'), 'BASIC_WITH_JWT', {
    username: 'ann',
    password: 'pass-word-1',
  })
  for (let i = 0; i < 2; i++) assert.equal((await s.callTool()).body.successful, true)
  assert.deepEqual(
    [made, requestsTo(s, '/login')[0]?.headers['x-app'], JSON.parse(requestsTo(s, '/login')[0]!.body)],
    [1, 'one', { u: 'ann', p: 'pass-word-1' }],
  )
  s.clock.advance(46 * 60_000)
  await s.callTool()
  assert.equal(made, 2, 'fifteen minutes before its end')
  good = 'another'
  assert.deepEqual([(await s.callTool()).body.successful, made], [true, 3])
  s.stub.answer = () => ({ status: 401 })
  assert.equal((await s.callTool()).body.error.code, 1820)
  assert.match(String((await s.readAccount(id)).status_reason), /password/)
})

test('BASIC_WITH_JWT: a rejected first sign-in is not reported as a token refresh', async (t) => {
  const s = await startConnectedAccountsApp(t, {
    auth: [
      { scheme: 'BASIC_WITH_JWT', sign_in: { path: '/login', params: { p: '{password}' }, token: 'token' } },
    ],
    answer: () => ({ status: 401 }),
  })
  const id = await s.addAccount(await s.addAuthConfig('BASIC_WITH_JWT'), 'BASIC_WITH_JWT', {
    username: 'ann',
    password: 'wrong',
  })
  assert.doesNotMatch((await s.callTool()).body.error.message, /renew/)
  assert.doesNotMatch(String((await s.readAccount(id)).status_reason), /renew/)
})

async function startWithGoogle(t: TestContext) {
  const s = await startConnectedAccountsApp(t, {
    auth: (url) => [
      {
        scheme: 'GOOGLE_SERVICE_ACCOUNT',
        token: { url: `${url}/token` },
        scopes: { default: ['read', 'write'] },
      },
    ],
    answer: ({ path }) => ({
      json: path === '/token' ? { access_token: 'google-token-1', expires_in: 3_600 } : {},
    }),
  })
  const config = await s.addAuthConfig('GOOGLE_SERVICE_ACCOUNT')
  const file = {
    type: 'service_account',
    client_email: 'sa@x.example',
    private_key: PEM,
    private_key_id: 'k1',
    token_uri: `${s.stub.url}/token`,
  }
  const connectWith = (credentials: unknown) => {
    const credentials_json = typeof credentials === 'string' ? credentials : JSON.stringify(credentials)
    const val = { credentials_json, subject: 'ann@x.example' }
    return s.connect(config, { user_id: 'u1', state: { authScheme: 'GOOGLE_SERVICE_ACCOUNT', val } })
  }
  return { ...s, file, connectWith }
}

test('GOOGLE_SERVICE_ACCOUNT: a file of another kind, or of another token endpoint, is rejected', async (t) => {
  const { file, connectWith } = await startWithGoogle(t)
  for (const wrong of [
    'no json',
    '[]',
    { ...file, type: 'authorized_user' },
    { ...file, private_key: 'x' },
    { ...file, client_email: undefined },
    { ...file, token_uri: 'https://evil.example/token' },
  ]) {
    const reply = await connectWith(wrong)
    assert.equal(reply.status, 400)
    assert.match(JSON.stringify(reply.body), /credentials_json/)
  }
})

test('GOOGLE_SERVICE_ACCOUNT: a signed grant for a user is refreshed before it expires', async (t) => {
  const s = await startWithGoogle(t)
  assert.equal((await s.connectWith(s.file)).status, 201)
  for (let i = 0; i < 2; i++) assert.equal((await s.callTool()).body.successful, true)
  const [sent, ...more] = requestsTo(s, '/token').map(form)
  assert.equal(more.length, 0)
  const { payload, protectedHeader } = await jwtVerify(sent!['assertion']!, publicKey, {
    currentDate: new Date(s.clock.now()),
  })
  assert.deepEqual(
    [payload['iss'], payload['sub'], payload['aud'], payload['scope'], protectedHeader['kid']],
    ['sa@x.example', 'ann@x.example', `${s.stub.url}/token`, 'read write', 'k1'],
  )
  assert.equal(requestsTo(s, '/orders/7')[0]?.headers['authorization'], 'Bearer google-token-1')
  s.clock.advance(46 * 60_000)
  await s.callTool()
  assert.equal(requestsTo(s, '/token').length, 2)
  s.stub.answer = () => ({
    status: 400,
    json: { error: 'invalid_grant', error_description: 'Not a valid email' },
  })
  s.clock.advance(3_600_000)
  assert.equal((await s.callTool()).body.error.code, 1820)
})

const SERVICE_ACCOUNT = {
  scheme: 'SERVICE_ACCOUNT',
  mint: {
    algorithm: 'RS256',
    key: '{private_key}',
    issuer: '{application_id}',
    lifetime_seconds: 540,
    backdate_seconds: 60,
  },
  token: {
    path: '/app/installations/{installation_id}/access_tokens',
    headers: { authorization: 'Bearer {app_jwt}' },
    token: 'token',
    expires_in: 'expires_at',
    expiry_unit: 'date',
  },
}

test('SERVICE_ACCOUNT: the key of the app gets tokens of an installation, for accounts and single calls', async (t) => {
  let made = 0
  const s = await startConnectedAccountsApp(t, {
    auth: [SERVICE_ACCOUNT],
    answer: ({ path }) => ({
      json: path.startsWith('/app/')
        ? { token: `installation-${++made}`, expires_at: new Date(s.clock.now() + 3_600_000).toISOString() }
        : {},
    }),
  })
  const val = { application_id: '42', installation_id: '7', private_key: PEM }
  const config = await s.addAuthConfig('SERVICE_ACCOUNT')
  assert.equal(
    (
      await s.connect(config, {
        user_id: 'u1',
        state: { authScheme: 'SERVICE_ACCOUNT', val: { ...val, private_key: 'x' } },
      })
    ).status,
    400,
  )
  await s.addAccount(config, 'SERVICE_ACCOUNT', val)
  for (let i = 0; i < 2; i++) assert.equal((await s.callTool()).body.successful, true)
  assert.equal(made, 1)
  const [asked] = requestsTo(s, '/app/installations/7/access_tokens')
  assert.equal(decodeJwt(asked!.headers['authorization']!.slice(7)).iss, '42')
  assert.equal(requestsTo(s, '/orders/7')[0]?.headers['authorization'], 'Bearer installation-1')
  s.clock.advance(46 * 60_000)
  await s.callTool()
  assert.equal(made, 2)
  const custom = await s.call(executeTool, {
    params: { tool_slug: 'SHOP_GET_ORDER' },
    body: {
      arguments: { id: '8' },
      custom_connection_data: { authScheme: 'SERVICE_ACCOUNT', toolkitSlug: 'shop', val },
    } as never,
  })
  assert.equal(custom.body.successful, true)
  assert.equal(requestsTo(s, '/orders/8')[0]?.headers['authorization'], 'Bearer installation-3')
})

test('schemes: BILLCOM_AUTH follows the manifest, CALCOM_AUTH needs its status, no SAML', async (t) => {
  const s = await startConnectedAccountsApp(t, {
    auth: [
      { scheme: 'BILLCOM_AUTH', apply: { headers: { sessionId: '{sessionId}', devKey: '{devKey}' } } },
      { scheme: 'CALCOM_AUTH' },
      { scheme: 'SAML' },
    ],
  })
  await s.addAccount(await s.addAuthConfig('BILLCOM_AUTH'), 'BILLCOM_AUTH', {
    sessionId: 'session-1',
    devKey: 'dev-1',
  })
  assert.equal((await s.callTool()).body.successful, true)
  assert.deepEqual(
    [s.stub.requests[0]?.headers['sessionid'], s.stub.requests[0]?.headers['devkey']],
    ['session-1', 'dev-1'],
  )
  assert.equal((await s.connect(await s.addAuthConfig('CALCOM_AUTH'), { user_id: 'u2' })).status, 201)
  assert.equal((await s.connect(await s.addAuthConfig('SAML'), { user_id: 'u3' })).status, 501)
})
