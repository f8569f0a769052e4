import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test, type TestContext } from 'node:test'
import fc from 'fast-check'
import { type OAuthClientProvider, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { testApp } from '#fixtures/app.ts'
import { roundRobin } from '#fixtures/round-robin.ts'
import { CookieJar } from '#fixtures/real-applications/cookie-jar.ts'
import { listAuditLog } from '../../../contract/audit-log.ts'
import * as mcp from '../../../contract/mcp-servers/index.ts'
import * as signIn from '../../../contract/mcp-authorization.ts'
import { createProjectKey, updateProjectConfig } from '../../../contract/projects/index.ts'
import { createSession, deleteSession } from '../../../contract/sessions/index.ts'
import { sql } from '../../../platform/db/sql.ts'
import { startConnectedAccountsApp } from '#fixtures/connected-accounts.ts'

const HOME = 'http://localhost:3900'
const BACK = 'http://127.0.0.1:7777/cb'
const VERIFIER = 'v'.repeat(64)
const challenge = createHash('sha256').update(VERIFIER).digest('base64url')

async function startSignIn(t: TestContext) {
  const s = await startConnectedAccountsApp(t, {
    auth: [{ scheme: 'API_KEY', apply: { headers: { 'x-key': '{generic_api_key}' } } }],
    answer: ({ path }) => ({ json: { id: path.split('/').at(-1) } }),
  })
  const http = roundRobin([s, await testApp(t, { sameDatabaseAs: s, catalog: s.catalog })])
  const {
    app: { db },
    call,
    keys,
    addAuthConfig,
    addAccount: account,
  } = s
  const configId = await addAuthConfig('API_KEY')
  const accounts = {
    ada: await account(configId, 'API_KEY', { generic_api_key: 'key-of-ada' }, { user_id: 'ada' }),
    bob: await account(configId, 'API_KEY', { generic_api_key: 'key-of-bob' }, { user_id: 'bob' }),
  }
  const newServer = async () =>
    (await call(mcp.createMcpServer, { body: { name: 'Shop helper', auth_config_ids: [configId] } })).body.id
  const id = await newServer()
  const address = (query = '', of = id) => `${HOME}/v3/mcp/${of}${query}`
  const link = async (body: Record<string, unknown>) =>
    (await call(signIn.createMcpSignInLink, { body: body as never })).body
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    http.inject({
      method: 'POST',
      url: path,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload: new URLSearchParams(body as never).toString(),
    })
  const register = async (more: object = {}) =>
    await http.inject({
      method: 'POST',
      url: '/oauth/register',
      payload: {
        redirect_uris: [BACK],
        client_name: 'Test <b>',
        token_endpoint_auth_method: 'none',
        ...more,
      },
    })
  const tokens = (body: object, headers = {}) =>
    post('/oauth/token', body, headers).then((reply) => ({
      status: reply.statusCode,
      body: reply.json() as Record<string, string>,
    }))
  const listing = (token: string, url = address()) =>
    http.inject({
      method: 'POST',
      url: url.slice(HOME.length),
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${token}`,
      },
      payload: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    })
  const buttonsOf = (text: string) => ({
    form_token: /name="form_token" value="([^"]+)"/.exec(text)?.[1] as string,
    action: /<form method="post" action="([^"]+)"/.exec(text)?.[1] as string,
  })

  /** Opens an authorization address as a browser does, and answers the page of the request. */
  const begin = async (url: string, cookies = new CookieJar()) => {
    const first = await s.visit(url, { cookies })
    return {
      cookies,
      first,
      page: first.status === 302 ? await s.visit(first.location, { cookies }) : first,
      at: first.location,
    }
  }
  const asked = (client: string, more: Record<string, string> = {}) =>
    `${HOME}/oauth/authorize?${new URLSearchParams({ response_type: 'code', client_id: client, redirect_uri: BACK, code_challenge: challenge, code_challenge_method: 'S256', state: 'st&1', resource: address(), ...more })}`
  /** A browser whose user followed a link of the project. */
  const signedInBrowser = async (user: string, of = id) => {
    const cookies = new CookieJar()
    const { url } = await link({ user_id: user, mcp_server_id: of })
    const page = await s.visit(url, { cookies })
    const { form_token } = buttonsOf(page.text)
    assert.equal((await s.visit(url, { cookies, form: { form_token } })).status, 200)
    return cookies
  }
  const decide = async (
    { page, at, cookies }: Awaited<ReturnType<typeof begin>>,
    more: Record<string, string> = {},
  ) => {
    const user = /name="user" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
    return s.visit(at, {
      cookies,
      form: { form_token: buttonsOf(page.text).form_token, user, decision: 'allow', ...more },
    })
  }
  const client = (await register()).json().client_id as string
  /** The whole walk up to the code. */
  const codeFor = async (user: string, more: Record<string, string> = {}) => {
    const back = await decide(await begin(asked(client, more), await signedInBrowser(user)))
    assert.equal(back.status, 302, back.text)
    return new URL(back.location).searchParams.get('code') as string
  }
  const exchange = (code: string, more: object = {}) =>
    tokens({
      grant_type: 'authorization_code',
      client_id: client,
      code,
      code_verifier: VERIFIER,
      redirect_uri: BACK,
      ...more,
    })
  return {
    http,
    address,
    begin,
    s,
    buttonsOf,
    keys,
    decide,
    db,
    call,
    id,
    asked,
    client,
    signedInBrowser,
    link,
    codeFor,
    register,
    exchange,
    listing,
    tokens,
    newServer,
    accounts,
    post,
  }
}

type SignIn = Awaited<ReturnType<typeof startSignIn>>

test('MCP authorization: clients sign in across two replicas', async (t) => {
  const fixture = await startSignIn(t)

  await t.test(
    'MCP authorization: the official client registers, gets consent, calls, refreshes and signs in again, given only the URL',
    () => checkOfficialClient(fixture, t),
  )

  await t.test('MCP authorization: metadata and challenges are public', () => checkMetadata(fixture))

  await t.test(
    'MCP authorization: a request with an unknown resource, client or redirect URI is not redirected, and no page can be framed',
    () => checkUnknownParameters(fixture),
  )

  await t.test('MCP authorization: a page works once, in its browser, with its form token', () =>
    checkPages(fixture),
  )

  await t.test(
    'MCP authorization: users sign in with a one-time link, a project key that may call tools, or the page of the project',
    () => checkSignIn(fixture),
  )

  await t.test(
    'MCP authorization: a code is exchanged once, by its client, with its verifier, and a second use revokes its tokens',
    () => checkCodes(fixture),
  )

  await t.test(
    'MCP authorization: refresh tokens rotate, and reuse after more than a minute revokes the grant',
    () => checkRefreshTokens(fixture),
  )

  await t.test('MCP authorization: an access token is valid only for its server and its user', () =>
    checkAccessTokens(fixture),
  )

  await t.test('MCP authorization: the token of a session is valid only for this session, as its user', () =>
    checkSessionTokens(fixture),
  )

  await t.test('MCP authorization: random input to every endpoint never causes a server error', () =>
    checkRandomInput(fixture),
  )

  await t.test(
    'MCP authorization: client secrets are checked, invalid registrations are rejected, and a network registers at most sixty clients per hour',
    () => checkClientSecrets(fixture),
  )
})

async function checkOfficialClient(
  { http, address, begin, s, keys, decide, db, call, id, buttonsOf }: SignIn,
  t: TestContext,
): Promise<void> {
  const real = await http.listen(t)
  const there = ((url: URL | string, init?: RequestInit) =>
    fetch(String(url).replace(HOME, real), init)) as typeof fetch
  const saved: Record<string, any> = {}
  let sent: URL | undefined
  const provider: OAuthClientProvider = {
    redirectUrl: BACK,
    clientMetadata: {
      redirect_uris: [BACK],
      client_name: 'SDK',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    },
    state: () => 'abc',
    clientInformation: () => saved['client'],
    saveClientInformation: (value) => {
      saved['client'] = value
    },
    tokens: () => saved['tokens'],
    saveTokens: (value) => {
      saved['tokens'] = value
    },
    redirectToAuthorization: (url) => {
      sent = url
    },
    saveCodeVerifier: (value) => {
      saved['verifier'] = value
    },
    codeVerifier: () => saved['verifier'],
    invalidateCredentials: (scope) => {
      if (scope === 'tokens' || scope === 'all') delete saved['tokens']
    },
  }
  const connected = async () => {
    const transport = new StreamableHTTPClientTransport(new URL(address('?user_id=ada')), {
      authProvider: provider,
      fetch: there as never,
    })
    const sdk = new Client({ name: 'test', version: '1' })
    return {
      sdk,
      transport,
      done: await sdk.connect(transport as never).then(
        () => true,
        (error: unknown) => error,
      ),
    }
  }
  const run = async (sdk: Client) =>
    (
      (await sdk.callTool({ name: 'SHOP_GET_ORDER', arguments: { id: '7' } })).structuredContent as {
        successful: boolean
      }
    ).successful
  const first = await connected()
  assert.ok(first.done instanceof UnauthorizedError, String(first.done))
  assert.equal(sent?.searchParams.get('resource'), address('?user_id=ada'))
  const opened = await begin(String(sent))
  assert.match(opened.page.text, /Sign in for Shop helper/)
  const entered = await s.visit(`${opened.at}/key`, {
    cookies: opened.cookies,
    form: { form_token: buttonsOf(opened.page.text).form_token, key: keys.projectApiKey },
  })
  assert.equal(entered.location, opened.at)
  const page = await s.visit(opened.at, { cookies: opened.cookies })
  for (const words of [
    '“<bdi>SDK</bdi>”',
    'Shop helper',
    'Allow as ada',
    'a program on this computer',
    'Shop</span>',
  ])
    assert.ok(page.text.includes(words), words)
  const back = await decide({ ...opened, page })
  const answer = new URL(back.location).searchParams
  assert.deepEqual([answer.get('state'), answer.get('iss')], ['abc', HOME])
  await first.transport.finishAuth(answer.get('code') as string)
  const second = await connected()
  assert.deepEqual(
    [second.done, await run(second.sdk), s.stub.requests.at(-1)?.headers['x-key']],
    [true, true, 'key-of-ada'],
  )
  const before = saved['tokens']
  await db.run(sql`update mcp_tokens set expires_at = now() - interval '1 second' where kind = 'access'`)
  assert.equal(await run(second.sdk), true)
  assert.ok(
    saved['tokens'].access_token !== before.access_token &&
      saved['tokens'].refresh_token !== before.refresh_token,
  )
  const {
    items: [grant],
  } = (await call(signIn.listMcpClientGrants, { query: { user_id: 'ada', mcp_server_id: id } })).body
  assert.deepEqual([grant!.client.name, grant!.mcp_server_id, grant!.user_id], ['SDK', id, 'ada'])
  const audited = (await call(listAuditLog, { query: { object_id: grant!.id } })).body.items
  assert.deepEqual(
    audited.map(({ action, actor }) => [action, actor]),
    [['mcp.signIn', { type: 'user', id: 'ada' }]],
  )
  await call(signIn.deleteMcpClientGrant, { params: { grant_id: grant!.id } })
  sent = undefined
  await assert.rejects(run(second.sdk), UnauthorizedError)
  assert.ok(sent, 'the user is asked again')
  for (const { sdk } of [first, second]) await sdk.close()
}

async function checkMetadata({ http, id, address }: SignIn): Promise<void> {
  const bare = await http.inject({
    method: 'POST',
    url: `/v3/mcp/${id}?user_id=ada`,
    headers: { 'content-type': 'application/json' },
    payload: {},
  })
  const none = await http.inject({
    method: 'POST',
    url: '/v3/mcp/6f0d0c6e-91a5-4a7e-8f31-3f2a8d1b7c55?user_id=ada',
    headers: { 'content-type': 'application/json' },
    payload: {},
  })
  assert.deepEqual(
    [
      bare.statusCode,
      none.statusCode,
      String(none.headers['www-authenticate']).replace('6f0d0c6e-91a5-4a7e-8f31-3f2a8d1b7c55', id),
    ],
    [401, 401, bare.headers['www-authenticate']],
  )
  const document = /resource_metadata="([^"]+)"/.exec(String(bare.headers['www-authenticate']))?.[1] as string
  assert.deepEqual((await http.inject({ url: document.slice(HOME.length) })).json(), {
    resource: address('?user_id=ada'),
    authorization_servers: [HOME],
    bearer_methods_supported: ['header'],
    scopes_supported: ['mcp'],
  })
  assert.equal(
    (await http.inject({ url: '/.well-known/oauth-protected-resource/api/v3/tools' })).statusCode,
    404,
  )
  const [one, other] = await Promise.all(
    ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'].map(async (url) =>
      (await http.inject({ url })).json(),
    ),
  )
  assert.deepEqual(
    [one, one.issuer, one.code_challenge_methods_supported, one.client_id_metadata_document_supported],
    [other, HOME, ['S256'], true],
  )
}

async function checkUnknownParameters({ address, begin, asked, client }: SignIn): Promise<void> {
  for (const more of [
    { resource: '' },
    { resource: 'https://evil.example/v3/mcp/1' },
    { resource: address('', '6f0d0c6e-91a5-4a7e-8f31-3f2a8d1b7c55') },
    { client_id: 'mcc_unknown' },
    { client_id: '' },
    { client_id: "x' or 1=1" },
    { redirect_uri: 'https://evil.example/cb' },
    { redirect_uri: '' },
    { code_challenge_method: 'plain' },
    { response_type: 'token' },
  ]) {
    const { first } = await begin(asked(client, more as never))
    assert.deepEqual(
      [first.status, first.location, /refresh/.test(first.text)],
      [400, '', false],
      JSON.stringify(more),
    )
    assert.match(String(first.headers['content-security-policy']), /frame-ancestors 'none'/)
  }
  const { page } = await begin(asked(client))
  assert.match(
    String(page.headers['content-security-policy']),
    /default-src 'none'.*form-action 'self'; frame-ancestors 'none'/,
  )
  assert.ok(page.text.includes('Test &lt;b&gt;') && !page.text.includes('Test <b>'))
}

async function checkPages({
  begin,
  asked,
  client,
  signedInBrowser,
  s,
  buttonsOf,
  decide,
}: SignIn): Promise<void> {
  const opened = await begin(asked(client), await signedInBrowser('ada'))
  assert.equal((await s.visit(opened.at, { cookies: new CookieJar() })).status, 403)
  const { form_token } = buttonsOf(opened.page.text)
  for (const form of [
    { decision: 'allow', user: 'ada' },
    { form_token: 'x', decision: 'allow', user: 'ada' },
  ])
    assert.equal((await s.visit(opened.at, { cookies: opened.cookies, form: form as never })).status, 403)
  assert.equal(
    (
      await s.visit(opened.at, {
        cookies: await signedInBrowser('ada'),
        form: { form_token, decision: 'allow', user: 'ada' },
      })
    ).status,
    403,
  )
  assert.match(
    (
      await s.visit(opened.at, {
        cookies: opened.cookies,
        form: { form_token, decision: 'allow', user: 'bob' },
      })
    ).text,
    /Allow as ada/,
  )
  const denied = await decide(opened, { decision: 'deny' })
  const { searchParams: answer } = new URL(denied.location)
  assert.deepEqual(
    [answer.get('error'), answer.get('state'), answer.get('code')],
    ['access_denied', 'st&1', null],
  )
  assert.equal((await decide(opened)).status, 410)
}

async function checkSignIn({
  link,
  id,
  s,
  buttonsOf,
  begin,
  asked,
  client,
  address,
  keys,
  call,
}: SignIn): Promise<void> {
  await checkSignInLink({ link, id, s, buttonsOf, begin, asked, client, address })
  await checkSignInWithKey({ begin, asked, client, s, buttonsOf, keys })
  await checkOwnSignInPage({ call, begin, asked, client, address, id, link, s })
}

async function checkSignInLink({
  link,
  id,
  s,
  buttonsOf,
  begin,
  asked,
  client,
  address,
}: Pick<
  SignIn,
  'link' | 'id' | 's' | 'buttonsOf' | 'begin' | 'asked' | 'client' | 'address'
>): Promise<void> {
  const cookies = new CookieJar()
  const { url } = await link({ user_id: 'ada', mcp_server_id: id })
  assert.match((await s.visit(url, { cookies })).text, /Sign in as ada/)
  const { form_token } = buttonsOf((await s.visit(url, { cookies })).text)
  assert.equal((await s.visit(url, { cookies: new CookieJar(), form: { form_token } })).status, 403)
  const opened = await begin(asked(client), cookies)
  assert.equal((await s.visit(url, { cookies, form: { form_token } })).location, opened.at)
  assert.equal((await s.visit(url, { cookies, form: { form_token } })).status, 410)
  assert.match((await s.visit(`${opened.at}?other=1`, { cookies })).text, /Sign in for/)
  const signInPage = await begin(asked(client, { resource: address('?user_id=bob') }), cookies)
  assert.match(signInPage.page.text, /You are signed in as ada/)
}

async function checkSignInWithKey({
  begin,
  asked,
  client,
  s,
  buttonsOf,
  keys,
}: Pick<SignIn, 'begin' | 'asked' | 'client' | 's' | 'buttonsOf' | 'keys'>): Promise<void> {
  const keyed = async (key: string, more: object = {}) => {
    const { page, at, cookies: jar } = await begin(asked(client))
    return (
      await s.visit(`${at}/key`, {
        cookies: jar,
        form: { form_token: buttonsOf(page.text).form_token, key, user_id: 'ada', ...more },
      })
    ).status
  }
  const { body: weak } = await s.org(createProjectKey, {
    params: { nano_id: keys.projectId },
    body: { permissions: { sessions: ['read', 'write'] } },
  })
  const { body: far } = await s.org(createProjectKey, {
    params: { nano_id: keys.projectId },
    body: { permissions: { sessions: ['write'], tool_execution: ['write'] }, allowed_ips: ['10.9.9.9'] },
  })
  const { body: fit } = await s.org(createProjectKey, {
    params: { nano_id: keys.projectId },
    body: { permissions: { sessions: ['write'], tool_execution: ['write'] } },
  })
  assert.deepEqual(
    [
      await keyed('ak_wrong'),
      await keyed(''),
      await keyed(keys.organizationApiKey),
      await keyed(weak.key),
      await keyed(far.key),
      await keyed(fit.key, { user_id: '' }),
      await keyed(fit.key, { user_id: 'u'.repeat(300) }),
      await keyed(fit.key),
    ],
    [400, 400, 400, 400, 400, 400, 400, 302],
  )
}

async function checkOwnSignInPage({
  call,
  begin,
  asked,
  client,
  address,
  id,
  link,
  s,
}: Pick<SignIn, 'call' | 'begin' | 'asked' | 'client' | 'address' | 'id' | 'link' | 's'>): Promise<void> {
  await call(updateProjectConfig, { body: { mcp_sign_in_url: 'https://app.example/mcp?x=1' } })
  const led = await begin(asked(client, { resource: address('?user_id=bob') }))
  const there = new URL(led.page.location)
  const sign_in_id = there.searchParams.get('sign_in_id') as string
  assert.deepEqual(
    [
      there.origin,
      there.searchParams.get('x'),
      there.searchParams.get('mcp_server_id'),
      there.searchParams.get('user_id'),
    ],
    ['https://app.example', '1', id, 'bob'],
  )
  const made = await link({ user_id: 'bob', sign_in_id })
  assert.equal((await s.visit(made.url, { cookies: new CookieJar() })).status, 403)
  assert.equal((await s.visit(made.url, { cookies: led.cookies })).location, led.at)
  assert.match((await s.visit(led.at, { cookies: led.cookies })).text, /Allow as bob/)
  const refused = async (body: object, by = call) =>
    (await by(signIn.createMcpSignInLink, { body: body as never })).status
  const other = await s.otherProject()
  assert.deepEqual(
    [
      await refused({ user_id: 'ada', sign_in_id }),
      await refused({ user_id: 'bob', sign_in_id }, other),
      await refused({ user_id: 'bob', mcp_server_id: id }, other),
      await refused({ user_id: 'bob' }),
      await refused({ user_id: 'bob', mcp_server_id: id, session_id: 'trs_1' }),
      await refused({ user_id: 'bob', session_id: 'trs_1' }),
    ],
    [403, 404, 404, 400, 400, 404],
  )
  await call(updateProjectConfig, { body: { mcp_sign_in_url: null } })
}

async function checkCodes({ codeFor, register, address, exchange, listing, db }: SignIn): Promise<void> {
  const code = await codeFor('ada')
  const others = (await register()).json().client_id
  for (const [more, error] of [
    [{ code_verifier: 'w'.repeat(64) }, 'invalid_grant'],
    [{ code_verifier: '' }, 'invalid_grant'],
    [{ client_id: others }, 'invalid_grant'],
    [{ redirect_uri: `${BACK}/` }, 'invalid_grant'],
    [{ resource: address('?user_id=bob') }, 'invalid_target'],
    [{ resource: 'https://evil.example' }, 'invalid_target'],
    [{ client_id: 'nobody' }, 'invalid_client'],
    [{ code: 'x' }, 'invalid_grant'],
    [{ grant_type: 'password' }, 'unsupported_grant_type'],
    [{ grant_type: 'constructor' }, 'unsupported_grant_type'],
    [{ grant_type: '' }, 'invalid_request'],
  ] as const) {
    const reply = await exchange(code, more)
    assert.deepEqual(
      [reply.status, reply.body['error']],
      [error === 'invalid_client' ? 401 : 400, error],
      JSON.stringify(more),
    )
  }
  const { status, body } = await exchange(code, { resource: address('?user_id=ada') })
  assert.deepEqual(
    [status, body['token_type'], body['expires_in'], body['scope']],
    [200, 'Bearer', 3600, 'mcp'],
  )
  assert.equal((await listing(body['access_token'] as string)).statusCode, 200)
  assert.equal((await exchange(code)).body['error'], 'invalid_grant')
  assert.equal((await listing(body['access_token'] as string)).statusCode, 401)
  const late = await codeFor('ada')
  await db.run(sql`update mcp_authorizations set code_expires_at = now() - interval '1 second'`)
  assert.equal((await exchange(late)).body['error'], 'invalid_grant')
  const raced = await codeFor('ada')
  assert.deepEqual(
    (await Promise.all([exchange(raced), exchange(raced), exchange(raced)])).map((one) => one.status).sort(),
    [200, 400, 400],
  )
}

async function checkRefreshTokens({
  exchange,
  codeFor,
  tokens,
  client,
  register,
  address,
  newServer,
  listing,
  db,
}: SignIn): Promise<void> {
  const first = (await exchange(await codeFor('ada'))).body
  const refresh = (token = first['refresh_token'], more: object = {}) =>
    tokens({ grant_type: 'refresh_token', client_id: client, refresh_token: token, ...more })
  assert.deepEqual(
    [
      (await refresh('mrt_x')).body['error'],
      (await refresh(undefined, { client_id: (await register()).json().client_id })).body['error'],
      (await refresh(first['access_token'])).body['error'],
      (await refresh(undefined, { resource: address('', await newServer()) })).body['error'],
    ],
    ['invalid_grant', 'invalid_grant', 'invalid_grant', 'invalid_target'],
  )
  const [second, again] = await Promise.all([refresh(), refresh()])
  assert.deepEqual([second.status, again.status], [200, 200])
  const { expires_in: _, ...issued } = again.body
  assert.deepEqual({ ...second.body, ...issued }, second.body, 'one set of tokens')
  for (const { body } of [second, again])
    assert.equal((await listing(body['access_token'] as string)).statusCode, 200)
  await db.run(sql`update mcp_tokens set used_at = used_at - interval '2 minutes' where used_at is not null`)
  assert.equal((await refresh()).body['error'], 'invalid_grant')
  assert.equal((await listing(second.body['access_token'] as string)).statusCode, 401)
  assert.equal((await refresh(second.body['refresh_token'])).body['error'], 'invalid_grant')
}

async function checkAccessTokens({
  exchange,
  codeFor,
  listing,
  address,
  accounts,
  newServer,
  http,
  call,
  id,
  client,
  post,
  register,
  tokens,
  db,
}: SignIn): Promise<void> {
  const { body } = await exchange(await codeFor('ada'))
  const token = body['access_token'] as string
  const at = async (url: string) => {
    const reply = await listing(token, url)
    return [reply.statusCode, reply.json().error?.slug]
  }
  assert.deepEqual(await at(address()), [200, undefined])
  for (const query of ['?user_id=ada', `?connected_account_id=${accounts.ada}`])
    assert.deepEqual(await at(address(query)), [200, undefined], query)
  for (const query of [
    '?user_id=bob',
    '?user_id=ada,bob',
    `?connected_account_id=${accounts.bob}`,
    `?user_id=ada&connected_account_ids=${accounts.ada},${accounts.bob}`,
    '?connected_account_id=ca_nothing',
  ])
    assert.deepEqual(await at(address(query)), [403, 'Mcp_OtherUser'], query)
  assert.deepEqual(await at(address('', await newServer())), [401, 'Mcp_TokenInvalid'])
  assert.equal(
    (await http.inject({ url: '/api/v3/tools', headers: { authorization: `Bearer ${token}` } })).statusCode,
    401,
  )
  assert.equal((await http.inject({ url: '/api/v3/tools', headers: { 'x-api-key': token } })).statusCode, 401)
  await call(updateProjectConfig, { body: { require_mcp_api_key: false } })
  assert.deepEqual(
    [
      (await listing('mat_wrong', address('?user_id=ada'))).statusCode,
      (await listing('of-another', address('?user_id=ada'))).statusCode,
      (await at(address('?user_id=bob')))[0],
    ],
    [401, 200, 403],
  )
  await call(updateProjectConfig, { body: { require_mcp_api_key: true } })
  await call(mcp.createMcpInstance, { params: { server_id: id }, body: { user_id: 'bob' } })
  const bobs = (await exchange(await codeFor('bob'))).body['access_token'] as string
  assert.equal((await listing(bobs)).statusCode, 200)
  await call(mcp.deleteMcpInstance, { params: { server_id: id, instance_id: 'bob' } })
  assert.deepEqual([(await listing(bobs)).statusCode, (await listing(token)).statusCode], [401, 200])
  const revoke = (value: string, by = client) =>
    post('/oauth/revoke', { token: value, client_id: by }).then((reply) => reply.statusCode)
  assert.deepEqual(
    [
      await revoke(token, (await register()).json().client_id),
      (await listing(token)).statusCode,
      await revoke('nothing'),
      await revoke(token),
      (await listing(token)).statusCode,
    ],
    [200, 200, 200, 200, 401],
  )
  const refreshed = (
    await tokens({ grant_type: 'refresh_token', client_id: client, refresh_token: body['refresh_token'] })
  ).body
  assert.deepEqual(
    [
      await revoke(refreshed['refresh_token'] as string),
      (await listing(refreshed['access_token'] as string)).statusCode,
      await revoke(token, 'nobody'),
    ],
    [200, 401, 401],
  )
  const rows = await db.rows<object>(sql`select * from mcp_tokens`)
  assert.ok(!JSON.stringify(rows).includes('mat_') && !JSON.stringify(rows).includes('mrt_'))
}

async function checkSessionTokens({
  call,
  link,
  s,
  buttonsOf,
  decide,
  begin,
  asked,
  client,
  exchange,
  listing,
  address,
  tokens,
}: SignIn): Promise<void> {
  const open = async (user_id: string) =>
    (await call(createSession, { body: { user_id } as never })).body.session_id
  const [session, other] = [await open('ada'), await open('ada')]
  assert.equal(
    (await call(signIn.createMcpSignInLink, { body: { user_id: 'bob', session_id: session } })).status,
    403,
  )
  const cookies = new CookieJar()
  const { url } = await link({ user_id: 'ada', session_id: session })
  await s.visit(url, { cookies, form: buttonsOf((await s.visit(url, { cookies })).text) })
  const resource = `${HOME}/tool_router/${session}/mcp`
  const back = await decide(await begin(asked(client, { resource }), cookies))
  const { body } = await exchange(new URL(back.location).searchParams.get('code') as string, { resource })
  const token = body['access_token'] as string
  assert.deepEqual(
    [
      (await listing(token, resource)).statusCode,
      (await listing(token, `${HOME}/tool_router/${other}/mcp`)).statusCode,
      (await listing(token, address())).statusCode,
    ],
    [200, 401, 401],
  )
  await call(deleteSession, { params: { session_id: session } })
  assert.ok([401, 404].includes((await listing(token, resource)).statusCode))
  assert.equal(
    (
      await tokens({
        grant_type: 'refresh_token',
        client_id: client,
        refresh_token: body['refresh_token'],
      })
    ).body['error'],
    'invalid_grant',
  )
}

async function checkRandomInput({ client, address, http, post }: SignIn): Promise<void> {
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.constantFrom(
      'authorization_code',
      'refresh_token',
      'code',
      'S256',
      '\0',
      client,
      BACK,
      address(),
      challenge,
      VERIFIER,
      `mac_${'x'.repeat(43)}`,
      `mrt_${'x'.repeat(43)}`,
      `mat_${'x'.repeat(43)}`,
    ),
  )
  const forms = fc.dictionary(
    fc.constantFrom(
      'grant_type',
      'client_id',
      'client_secret',
      'code',
      'code_verifier',
      'redirect_uri',
      'refresh_token',
      'resource',
      'token',
      'response_type',
      'code_challenge',
      'code_challenge_method',
      'state',
      'form_token',
      'key',
      '__proto__',
    ),
    texts,
  )
  await fc.assert(
    fc.asyncProperty(
      forms,
      fc.constantFrom(
        '/oauth/token',
        '/oauth/revoke',
        '/oauth/authorize',
        '/oauth/consent/x',
        '/oauth/consent/mrq_x/key',
        '/oauth/sign_in/x',
        '/oauth/register',
      ),
      fc.jsonValue(),
      async (form, path, json) => {
        const query = new URLSearchParams(form).toString()
        const reply =
          path === '/oauth/authorize'
            ? await http.inject({ url: `${path}?${query}` })
            : path === '/oauth/register'
              ? await http.inject({
                  method: 'POST',
                  url: path,
                  headers: { 'content-type': 'application/json' },
                  payload: JSON.stringify(json),
                })
              : await post(path, form)
        assert.ok(reply.statusCode < 500, `${path} ${query}: ${reply.body.slice(0, 200)}`)
      },
    ),
    { numRuns: 80, seed: 20261121 },
  )
}

async function checkClientSecrets({ register, tokens, http, db }: SignIn): Promise<void> {
  const secret = (await register({ token_endpoint_auth_method: undefined })).json()
  assert.equal(secret.token_endpoint_auth_method, 'client_secret_basic')
  const grant = { grant_type: 'refresh_token', refresh_token: 'mrt_x' }
  const basic = (id: string, value: string) => ({
    authorization: `Basic ${Buffer.from(`${id}:${value}`).toString('base64')}`,
  })
  assert.deepEqual(
    [
      (await tokens(grant, basic(secret.client_id, secret.client_secret))).body['error'],
      (await tokens(grant, basic(secret.client_id, 'x'))).body['error'],
      (await tokens({ ...grant, client_id: secret.client_id })).body['error'],
      (await tokens({ ...grant, client_id: secret.client_id, client_secret: secret.client_secret })).body[
        'error'
      ],
    ],
    ['invalid_grant', 'invalid_client', 'invalid_client', 'invalid_grant'],
  )
  assert.deepEqual(
    [
      (await register({ redirect_uris: ['javascript:alert(1)'] })).json().error,
      (
        await http.inject({
          method: 'POST',
          url: '/oauth/register',
          payload: 'x'.repeat(70_000),
          headers: { 'content-type': 'application/json' },
        })
      ).statusCode,
    ],
    ['invalid_redirect_uri', 413],
  )
  await db.run(
    sql`insert into mcp_clients (id, redirect_uris, auth_method, source_hash)
            select 'mcc_' || n, '{http://localhost/}', 'none', (select source_hash from mcp_clients
            limit 1) from generate_series(1, 60) n`,
  )
  const late = await register()
  assert.deepEqual([late.statusCode, late.json().error], [429, 'slow_down'])
}
