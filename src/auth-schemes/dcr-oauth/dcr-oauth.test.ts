import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { type Answer, upstream } from '#fixtures/upstream.ts'
import { catalogFrom, compiledSchemeOf } from '../../catalog/index.ts'
import { sampleSource, sampleTool } from '#fixtures/sample-toolkits.ts'
import { createEgress, parseAllowRules } from '../../platform/egress/index.ts'
import { formOf, NOW } from '#fixtures/oauth2-provider.ts'
import type { ConnectionContext, Values } from '../scheme.ts'
import { dcrOAuth } from './index.ts'

type Answers = Record<string, Answer | undefined>

/** A resource and its authorization server on one origin, with one answer changed. */
async function server(t: TestContext) {
  const stub = await upstream(t)
  const egress = createEgress({ allow: parseAllowRules('127.0.0.0/8') })
  t.after(() => egress.close())
  const tools = { egress, now: () => NOW }
  const metadata = (more: object = {}) => ({
    issuer: `${stub.url}/as`,
    authorization_endpoint: `${stub.url}/authorize`,
    token_endpoint: `${stub.url}/token`,
    registration_endpoint: `${stub.url}/register`,
    revocation_endpoint: `${stub.url}/revoke`,
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'none'],
    ...more,
  })
  const answers = (changes: Answers = {}): Answers => ({
    '/.well-known/oauth-protected-resource/mcp': {
      json: {
        resource: `${stub.url}/mcp`,
        authorization_servers: [`${stub.url}/as`],
        scopes_supported: ['read'],
      },
    },
    '/.well-known/oauth-authorization-server/as': { json: metadata() },
    '/register': {
      status: 201,
      json: { client_id: 'c-1', client_secret: 's-1', client_id_issued_at: 5, client_secret_expires_at: 0 },
    },
    '/token': { json: { access_token: 'a-1', refresh_token: 'r-1', expires_in: 60 } },
    '/revoke': {},
    ...changes,
  })
  const answer = (changes?: Answers) => {
    const all = answers(changes)
    stub.answer = ({ path }) => all[path] ?? { status: 404 }
  }
  answer()
  const setup = (val: Values = {}, more: object = {}, credentials: Values = {}): ConnectionContext => {
    const catalog = catalogFrom([
      sampleSource({ base_url: `${stub.url}/mcp`, auth: [{ scheme: 'DCR_OAUTH', ...more }] }, [sampleTool()]),
    ])
    return {
      scheme: compiledSchemeOf(catalog.toolkit('shop')!, 'DCR_OAUTH')!,
      credentials,
      shared: {},
      val,
      redirectUri: 'https://int.example/cb',
    }
  }
  const paths = () => stub.requests.splice(0).map(({ path }) => path)
  return {
    stub,
    tools,
    answer,
    metadata,
    setup,
    paths,
    start: (one: ConnectionContext) => dcrOAuth.start!(one, 'st', tools),
  }
}

test('a connection finds the server, registers a client, and sends PKCE and the resource everywhere', async (t) => {
  const s = await server(t)
  const { url, secrets, val } = await s.start(s.setup())
  const q = new URL(url).searchParams
  assert.deepEqual(
    [
      new URL(url).pathname,
      q.get('client_id'),
      q.get('resource'),
      q.get('code_challenge_method'),
      q.get('scope'),
    ],
    ['/authorize', 'c-1', `${s.stub.url}/mcp`, 'S256', 'read'],
  )
  const registered = JSON.parse(s.stub.requests.find(({ path }) => path === '/register')!.body)
  assert.deepEqual(
    [registered.redirect_uris, registered.token_endpoint_auth_method, registered.response_types],
    [['https://int.example/cb'], 'client_secret_post', ['code']],
  )
  assert.deepEqual(
    [val!['client_id'], val!['client_secret'], val!['client_id_issued_at'], val!['client_secret_expires_at']],
    ['c-1', 's-1', 5, 0],
  )
  const begun = s.setup(val)
  const grant = await dcrOAuth.finish!(begun, secrets, { code: 'c', iss: `${s.stub.url}/as` }, s.tools)
  const traded = formOf(s.stub.requests.at(-1)!)
  assert.deepEqual(
    [
      traded.get('resource'),
      traded.get('client_secret'),
      traded.get('code_verifier'),
      grant.val['access_token'],
    ],
    [`${s.stub.url}/mcp`, 's-1', secrets['code_verifier'], 'a-1'],
  )
  const active = s.setup({ ...val, ...grant.val })
  assert.deepEqual([dcrOAuth.renewable!(active), dcrOAuth.revocable!(active)], [true, true])
  await dcrOAuth.renew!(active, s.tools)
  const renewed = formOf(s.stub.requests.at(-1)!)
  assert.deepEqual(
    [
      renewed.get('grant_type'),
      renewed.get('refresh_token'),
      renewed.get('resource'),
      renewed.get('client_id'),
    ],
    ['refresh_token', 'r-1', `${s.stub.url}/mcp`, 'c-1'],
  )
  assert.deepEqual((await dcrOAuth.revoke!(active, s.tools)).tokens, ['refresh_token', 'access_token'])
})

test('a client is registered once, as long as it is valid here and now', async (t) => {
  const s = await server(t)
  const { val } = await s.start(s.setup())
  s.paths()
  const registers = async (setup: ConnectionContext) => {
    await s.start(setup)
    return s.paths().includes('/register')
  }
  assert.equal(await registers(s.setup(val)), false)
  assert.equal(await registers(s.setup({ ...val, client_secret_expires_at: NOW / 1_000 - 1 })), true)
  assert.equal(await registers(s.setup({ ...val, client_secret_expires_at: NOW / 1_000 + 1 })), false)
  assert.equal(await registers({ ...s.setup(val), redirectUri: 'https://other.example/cb' }), true)
  assert.equal(await registers(s.setup({}, {}, { client_id: 'by-hand' })), false)
  s.answer({
    '/.well-known/oauth-authorization-server/as': { json: s.metadata({ issuer: `${s.stub.url}/other` }) },
  })
  assert.equal(
    await registers(s.setup(val, { issuer: `${s.stub.url}/as` })).catch(({ code }: { code: string }) => code),
    'issuer_mismatch',
  )
})

test('each field of the manifest changes what is sent', async (t) => {
  const s = await server(t)
  const registered = async (more: object) => {
    await s.start(s.setup({}, more))
    return JSON.parse(s.stub.requests.findLast(({ path }) => path === '/register')!.body)
  }
  assert.equal((await registered({})).client_name, 'Patchbay')
  assert.equal((await registered({ registration: { client_name: 'Desk' } })).client_name, 'Desk')
  assert.equal(
    (await registered({ registration: { params: { client_uri: 'https://x.example' } } })).client_uri,
    'https://x.example',
  )
  assert.equal((await registered({ scopes: { default: ['w'] } })).scope, 'w')
  const url = async (more: object) => new URL((await s.start(s.setup({}, more))).url).searchParams
  assert.equal((await url({ scopes: { default: ['w'] } })).get('scope'), 'w')
  assert.equal((await url({ authorize: { params: { prompt: 'consent' } } })).get('prompt'), 'consent')
  s.answer({
    '/.well-known/oauth-protected-resource/mcp/v2': {
      json: { resource: `${s.stub.url}/mcp/v2`, authorization_servers: [`${s.stub.url}/as`] },
    },
  })
  assert.equal((await url({ resource: `${s.stub.url}/mcp/v2` })).get('resource'), `${s.stub.url}/mcp/v2`)
  s.answer({ '/.well-known/oauth-protected-resource/mcp': undefined })
  await assert.rejects(url({}), { name: 'ProviderTrouble' })
  assert.equal((await url({ issuer: `${s.stub.url}/as` })).get('client_id'), 'c-1')
})

test('OpenID Connect Discovery and a resource without a document of its own are found too', async (t) => {
  const s = await server(t)
  s.answer({
    '/.well-known/oauth-authorization-server/as': undefined,
    '/as/.well-known/openid-configuration': { json: s.metadata() },
  })
  assert.match((await s.start(s.setup())).url, /client_id=c-1/)
  s.answer({
    '/.well-known/oauth-protected-resource/mcp': undefined,
    '/.well-known/oauth-authorization-server': { json: s.metadata({ issuer: s.stub.url }) },
  })
  assert.match((await s.start(s.setup())).url, /client_id=c-1/)
})

test('what a server says of itself is not believed further than it may be', async (t) => {
  const s = await server(t)
  const as = (more: object): Answers => ({
    '/.well-known/oauth-authorization-server/as': { json: s.metadata(more) },
  })
  const pr = (json: unknown): Answers => ({ '/.well-known/oauth-protected-resource/mcp': { json } })
  for (const [what, answers, expected] of [
    ['another issuer', as({ issuer: 'https://evil.example' }), 'issuer_mismatch'],
    ['no S256', as({ code_challenge_methods_supported: ['plain'] }), 'pkce_unsupported'],
    ['a script', as({ authorization_endpoint: 'javascript:alert(1)' }), 'unsafe_metadata'],
    ['a file', as({ token_endpoint: 'file:///etc/passwd' }), 'unsafe_metadata'],
    ['a user', as({ token_endpoint: 'https://a:b@c.example/' }), 'unsafe_metadata'],
    ['a number', as({ token_endpoint: 7 }), 'unsafe_metadata'],
    [
      'a long one',
      as({ registration_endpoint: `https://a.example/${'x'.repeat(3_000)}` }),
      'unsafe_metadata',
    ],
    ['no token endpoint', as({ token_endpoint: undefined }), 'unsafe_metadata'],
    ['no registration', as({ registration_endpoint: undefined }), 'registration_unsupported'],
    [
      'another resource',
      pr({ resource: 'https://bank.example', authorization_servers: [`${s.stub.url}/as`] }),
      'resource_mismatch',
    ],
    [
      'a path that only looks alike',
      pr({ resource: `${s.stub.url}/mc`, authorization_servers: [`${s.stub.url}/as`] }),
      'resource_mismatch',
    ],
    [
      '10 MB',
      { '/.well-known/oauth-authorization-server/as': { text: `{"issuer":"${'x'.repeat(10_000_000)}"}` } },
      'ProviderTrouble',
    ],
    ['not JSON', { '/.well-known/oauth-authorization-server/as': { text: '<html>' } }, 'ProviderTrouble'],
    ['a list', { '/.well-known/oauth-authorization-server/as': { json: [s.metadata()] } }, 'ProviderTrouble'],
    [
      'a redirect',
      { '/.well-known/oauth-authorization-server/as': { status: 302, headers: { location: '/register' } } },
      'ProviderTrouble',
    ],
    ['down', { '/.well-known/oauth-protected-resource/mcp': { status: 503 } }, 'ProviderTrouble'],
    [
      'a refused registration',
      { '/register': { status: 400, json: { error: 'invalid_redirect_uri' } } },
      'invalid_redirect_uri',
    ],
    [
      'a registration without a client',
      { '/register': { status: 201, json: { client_id: ['x'] } } },
      'ProviderTrouble',
    ],
  ] as [string, Answers, string][]) {
    s.answer(answers)
    const found = await s.start(s.setup()).then(
      () => 'started',
      (error: Error & { code?: string }) => error.code ?? error.name,
    )
    assert.deepEqual([what, found], [what, expected])
  }
})

test('an answer of another authorization server is refused', async (t) => {
  const s = await server(t)
  s.answer({
    '/.well-known/oauth-authorization-server/as': {
      json: s.metadata({ authorization_response_iss_parameter_supported: true }),
    },
  })
  const { val, secrets } = await s.start(s.setup())
  for (const callback of [{ code: 'c', iss: 'https://evil.example' }, { code: 'c' }])
    await assert.rejects(dcrOAuth.finish!(s.setup(val), secrets, callback, s.tools), {
      code: 'issuer_mismatch',
    })
  assert.ok(await dcrOAuth.finish!(s.setup(val), secrets, { code: 'c', iss: `${s.stub.url}/as` }, s.tools))
})

test('the refusal of the resource says where it describes itself; the well-known places come after it', async (t) => {
  const s = await server(t)
  const refusing = (address: string, more: Answers = {}): Answers => ({
    '/mcp': {
      status: 401,
      headers: { 'www-authenticate': `Bearer realm="r", resource_metadata="${address}"` },
    },
    ...more,
  })
  const gone: Answers = { '/.well-known/oauth-protected-resource/mcp': undefined }
  const about = {
    '/about': {
      json: {
        resource: `${s.stub.url}/mcp`,
        authorization_servers: [`${s.stub.url}/as`],
        scopes_supported: ['told'],
      },
    },
  }
  const scope = async () => new URL((await s.start(s.setup())).url).searchParams.get('scope')
  s.answer(refusing(`${s.stub.url}/about`, { ...gone, ...about }))
  assert.equal(await scope(), 'told')
  assert.deepEqual(s.paths().slice(0, 2), ['/mcp', '/about'])
  s.answer(refusing(`${s.stub.url}/nowhere`))
  assert.equal(await scope(), 'read')
  assert.deepEqual(s.paths().slice(0, 3), ['/mcp', '/nowhere', '/.well-known/oauth-protected-resource/mcp'])
  s.answer({
    ...refusing(`${s.stub.url}/about`, about),
    '/mcp': {
      status: 200,
      headers: { 'www-authenticate': `Bearer resource_metadata="${s.stub.url}/about"` },
    },
  })
  assert.equal(await scope(), 'read', 'only a refusal is a challenge')
  s.answer(
    refusing(`${s.stub.url}/about`, {
      '/about': { json: { resource: 'https://bank.example', authorization_servers: [`${s.stub.url}/as`] } },
    }),
  )
  await assert.rejects(scope(), { code: 'resource_mismatch' })
})

test('a challenge that leads elsewhere is not followed', async (t) => {
  const s = await server(t)
  const elsewhere = await server(t)
  const { port, host } = new URL(s.stub.url)
  for (const address of [
    `${elsewhere.stub.url}/.well-known/oauth-protected-resource/mcp`,
    'http://169.254.169.254/latest',
    'https://evil.example/m',
    `https://${host}/about`,
    `http://localhost:${port}/about`,
    `http://a:b@${host}/about`,
    `${s.stub.url}/about#x`,
    '/about',
    'file:///etc/passwd',
    'javascript:alert(1)',
    '',
    'x'.repeat(3_000),
    `${s.stub.url}/${'x'.repeat(3_000)}`,
  ]) {
    s.answer({
      '/mcp': { status: 401, headers: { 'www-authenticate': `Bearer resource_metadata="${address}"` } },
      '/about': { json: { resource: `${s.stub.url}/mcp`, authorization_servers: ['https://evil.example'] } },
    })
    assert.match((await s.start(s.setup())).url, /scope=read/)
    assert.deepEqual(s.paths().slice(0, 2), ['/mcp', '/.well-known/oauth-protected-resource/mcp'])
  }
  assert.deepEqual(elsewhere.paths(), [])
})
