import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { type Answer, upstream } from '#fixtures/upstream.ts'
import { catalogFromSources, findCompiledScheme } from '../../catalog/index.ts'
import { sampleSource, sampleTool } from '#fixtures/sample-toolkits.ts'
import { createEgress, parseAllowRules } from '../../platform/egress/index.ts'
import { formOf, NOW } from '#fixtures/oauth2-provider.ts'
import type { ConnectionContext, Credentials } from '../scheme.ts'
import { dcrOAuth } from './index.ts'

type Responses = Record<string, Answer | undefined>

const serverMetadata = (url: string) => ({
  issuer: `${url}/as`,
  authorization_endpoint: `${url}/authorize`,
  token_endpoint: `${url}/token`,
  registration_endpoint: `${url}/register`,
  revocation_endpoint: `${url}/revoke`,
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['client_secret_post', 'none'],
})

/** A resource and its authorization server on one origin, with one changed response. */
async function server(t: TestContext) {
  const stub = await upstream(t)
  const egress = createEgress({ allow: parseAllowRules('127.0.0.0/8') })
  t.after(() => egress.close())
  const deps = { egress, now: () => NOW }
  const metadata = (more: object = {}) => ({ ...serverMetadata(stub.url), ...more })
  const answers = (changes: Responses = {}): Responses => ({
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
  const answer = (changes?: Responses) => {
    const all = answers(changes)
    stub.answer = ({ path }) => all[path] ?? { status: 404 }
  }
  answer()
  const setup = (
    val: Credentials = {},
    more: object = {},
    credentials: Credentials = {},
  ): ConnectionContext => {
    const catalog = catalogFromSources([
      sampleSource({ base_url: `${stub.url}/mcp`, auth: [{ scheme: 'DCR_OAUTH', ...more }] }, [sampleTool()]),
    ])
    return {
      scheme: findCompiledScheme(catalog.toolkit('shop')!, 'DCR_OAUTH')!,
      authConfigCredentials: credentials,
      sharedCredentials: {},
      credentials: val,
      redirectUri: 'https://int.example/cb',
    }
  }
  const paths = () => stub.requests.splice(0).map(({ path }) => path)
  return {
    stub,
    deps,
    answer,
    metadata,
    setup,
    paths,
    start: (one: ConnectionContext) => dcrOAuth.start!(one, 'st', deps),
  }
}

test('connect: discovers the server, registers a client, and sends PKCE and resource', async (t) => {
  const s = await server(t)
  const { url, secrets, credentials: val } = await s.start(s.setup())
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
  const grant = await dcrOAuth.finish!(begun, secrets, { code: 'c', iss: `${s.stub.url}/as` }, s.deps)
  const traded = formOf(s.stub.requests.at(-1)!)
  assert.deepEqual(
    [
      traded.get('resource'),
      traded.get('client_secret'),
      traded.get('code_verifier'),
      grant.credentials['access_token'],
    ],
    [`${s.stub.url}/mcp`, 's-1', secrets['code_verifier'], 'a-1'],
  )
  const active = s.setup({ ...val, ...grant.credentials })
  assert.deepEqual([dcrOAuth.canRefresh!(active), dcrOAuth.canRevoke!(active)], [true, true])
  await dcrOAuth.refresh!(active, s.deps)
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
  assert.deepEqual((await dcrOAuth.revoke!(active, s.deps)).tokens, ['refresh_token', 'access_token'])
})

test('client registration: happens once while the client is valid for this redirect URI', async (t) => {
  const s = await server(t)
  const { credentials: val } = await s.start(s.setup())
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

test('manifest: each field changes the requests', async (t) => {
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
  await assert.rejects(url({}), { name: 'ProviderUnavailable' })
  assert.equal((await url({ issuer: `${s.stub.url}/as` })).get('client_id'), 'c-1')
})

test('discovery: supports OpenID Connect Discovery and a resource without its own metadata', async (t) => {
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

type DiscoveryServer = Awaited<ReturnType<typeof server>>

const SERVER_METADATA_PATH = '/.well-known/oauth-authorization-server/as'
const withServerMetadata = (s: DiscoveryServer, more: object): Responses => ({
  [SERVER_METADATA_PATH]: { json: s.metadata(more) },
})
const withResourceMetadata = (json: unknown): Responses => ({
  '/.well-known/oauth-protected-resource/mcp': { json },
})

const unsafeMetadata = (s: DiscoveryServer): [string, Responses, string][] => [
  ['another issuer', withServerMetadata(s, { issuer: 'https://evil.example' }), 'issuer_mismatch'],
  ['no S256', withServerMetadata(s, { code_challenge_methods_supported: ['plain'] }), 'pkce_unsupported'],
  ['a script', withServerMetadata(s, { authorization_endpoint: 'javascript:alert(1)' }), 'unsafe_metadata'],
  ['a file', withServerMetadata(s, { token_endpoint: 'file:///etc/passwd' }), 'unsafe_metadata'],
  ['a user', withServerMetadata(s, { token_endpoint: 'https://a:b@c.example/' }), 'unsafe_metadata'],
  ['a number', withServerMetadata(s, { token_endpoint: 7 }), 'unsafe_metadata'],
  [
    'a long one',
    withServerMetadata(s, { registration_endpoint: `https://a.example/${'x'.repeat(3_000)}` }),
    'unsafe_metadata',
  ],
  ['no token endpoint', withServerMetadata(s, { token_endpoint: undefined }), 'unsafe_metadata'],
  [
    'no registration',
    withServerMetadata(s, { registration_endpoint: undefined }),
    'registration_unsupported',
  ],
  [
    'another resource',
    withResourceMetadata({ resource: 'https://bank.example', authorization_servers: [`${s.stub.url}/as`] }),
    'resource_mismatch',
  ],
  [
    'a path that only looks alike',
    withResourceMetadata({ resource: `${s.stub.url}/mc`, authorization_servers: [`${s.stub.url}/as`] }),
    'resource_mismatch',
  ],
  [
    '10 MB',
    { [SERVER_METADATA_PATH]: { text: `{"issuer":"${'x'.repeat(10_000_000)}"}` } },
    'ProviderUnavailable',
  ],
  ['not JSON', { [SERVER_METADATA_PATH]: { text: '<html>' } }, 'ProviderUnavailable'],
  ['a list', { [SERVER_METADATA_PATH]: { json: [s.metadata()] } }, 'ProviderUnavailable'],
  [
    'a redirect',
    { [SERVER_METADATA_PATH]: { status: 302, headers: { location: '/register' } } },
    'ProviderUnavailable',
  ],
  ['down', { '/.well-known/oauth-protected-resource/mcp': { status: 503 } }, 'ProviderUnavailable'],
  [
    'a rejected registration',
    { '/register': { status: 400, json: { error: 'invalid_redirect_uri' } } },
    'invalid_redirect_uri',
  ],
  [
    'a registration without a client',
    { '/register': { status: 201, json: { client_id: ['x'] } } },
    'ProviderUnavailable',
  ],
]

test('discovery: unsafe or contradictory metadata is rejected', async (t) => {
  const s = await server(t)
  for (const [what, responses, expected] of unsafeMetadata(s)) {
    s.answer(responses)
    const result = await s.start(s.setup()).then(
      () => 'started',
      (error: Error & { code?: string }) => error.code ?? error.name,
    )
    assert.deepEqual([what, result], [what, expected])
  }
})

test('callback: a response of another authorization server is rejected', async (t) => {
  const s = await server(t)
  s.answer({
    '/.well-known/oauth-authorization-server/as': {
      json: s.metadata({ authorization_response_iss_parameter_supported: true }),
    },
  })
  const { credentials: val, secrets } = await s.start(s.setup())
  for (const callback of [{ code: 'c', iss: 'https://evil.example' }, { code: 'c' }])
    await assert.rejects(dcrOAuth.finish!(s.setup(val), secrets, callback, s.deps), {
      code: 'issuer_mismatch',
    })
  assert.ok(await dcrOAuth.finish!(s.setup(val), secrets, { code: 'c', iss: `${s.stub.url}/as` }, s.deps))
})

test('discovery: the metadata URL of a 401 challenge comes before the well-known URLs', async (t) => {
  const s = await server(t)
  const rejecting = (address: string, more: Responses = {}): Responses => ({
    '/mcp': {
      status: 401,
      headers: { 'www-authenticate': `Bearer realm="r", resource_metadata="${address}"` },
    },
    ...more,
  })
  const gone: Responses = { '/.well-known/oauth-protected-resource/mcp': undefined }
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
  s.answer(rejecting(`${s.stub.url}/about`, { ...gone, ...about }))
  assert.equal(await scope(), 'told')
  assert.deepEqual(s.paths().slice(0, 2), ['/mcp', '/about'])
  s.answer(rejecting(`${s.stub.url}/nowhere`))
  assert.equal(await scope(), 'read')
  assert.deepEqual(s.paths().slice(0, 3), ['/mcp', '/nowhere', '/.well-known/oauth-protected-resource/mcp'])
  s.answer({
    ...rejecting(`${s.stub.url}/about`, about),
    '/mcp': {
      status: 200,
      headers: { 'www-authenticate': `Bearer resource_metadata="${s.stub.url}/about"` },
    },
  })
  assert.equal(await scope(), 'read', 'only a rejection is a challenge')
  s.answer(
    rejecting(`${s.stub.url}/about`, {
      '/about': { json: { resource: 'https://bank.example', authorization_servers: [`${s.stub.url}/as`] } },
    }),
  )
  await assert.rejects(scope(), { code: 'resource_mismatch' })
})

test('discovery: a challenge with a URL of another origin is ignored', async (t) => {
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
