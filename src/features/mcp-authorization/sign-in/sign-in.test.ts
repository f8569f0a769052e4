import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { memoryProvider } from '#fixtures/memory-oauth-provider.ts'
import { CookieJar } from '#fixtures/real-applications/cookie-jar.ts'
import { listAuditLog } from '../../../contract/audit-log.ts'
import * as signIn from '../../../contract/mcp-authorization/index.ts'
import { createProjectKey, updateProjectConfig } from '../../../contract/projects/index.ts'
import { sql } from '../../../platform/db/sql.ts'
import { startSignIn, type SignIn, HOME } from '#fixtures/mcp-sign-in.ts'

test('MCP authorization: pages of the sign-in', async (t) => {
  const fixture = await startSignIn(t)
  await t.test(
    'MCP authorization: the official client registers, gets consent, calls, refreshes and signs in again, given ' +
      'only the URL',
    () => checkOfficialClient(fixture, t),
  )

  await t.test('MCP authorization: metadata and challenges are public', () => checkMetadata(fixture))

  await t.test(
    'MCP authorization: a request with an unknown resource, client or redirect URI is not redirected, and no page ' +
      'can be framed',
    () => checkUnknownParameters(fixture),
  )

  await t.test('MCP authorization: a page works once, in its browser, with its form token', () =>
    checkPages(fixture),
  )

  await t.test(
    'MCP authorization: users sign in with a one-time link, a project key that may call tools, or the page of the ' +
      'project',
    () => checkSignIn(fixture),
  )
})

async function callOrder(sdk: Client): Promise<boolean> {
  const result = await sdk.callTool({ name: 'SHOP_GET_ORDER', arguments: { id: '7' } })
  return (result.structuredContent as { successful: boolean }).successful
}

async function checkOfficialClient(fixture: SignIn, t: TestContext): Promise<void> {
  const { http, address, s, db } = fixture
  const real = await http.listen(t)
  const there = ((url: URL | string, init?: RequestInit) =>
    fetch(String(url).replace(HOME, real), init)) as typeof fetch
  const { provider, saved, redirects } = memoryProvider()
  const connected = async () => {
    const url = new URL(address('?user_id=ada'))
    const transport = new StreamableHTTPClientTransport(url, {
      authProvider: provider,
      fetch: there as never,
    })
    const sdk = new Client({ name: 'test', version: '1' })
    const done = await sdk.connect(transport as never).then(
      () => true,
      (error: unknown) => error,
    )
    return { sdk, transport, done }
  }
  const first = await connected()
  assert.ok(first.done instanceof UnauthorizedError, String(first.done))
  assert.equal(redirects.at(-1)?.searchParams.get('resource'), address('?user_id=ada'))
  const answer = await giveConsent(fixture, String(redirects.at(-1)))
  assert.deepEqual([answer.get('state'), answer.get('iss')], ['abc', HOME])
  await first.transport.finishAuth(answer.get('code') as string)
  const second = await connected()
  assert.deepEqual(
    [second.done, await callOrder(second.sdk), s.stub.requests.at(-1)?.headers['x-key']],
    [true, true, 'key-of-ada'],
  )
  const before = saved['tokens']
  await db.run(sql`update mcp_tokens set expires_at = now() - interval '1 second' where kind = 'access'`)
  assert.equal(await callOrder(second.sdk), true)
  const after = saved['tokens']
  assert.ok(after.access_token !== before.access_token && after.refresh_token !== before.refresh_token)
  await deleteClientGrant(fixture)
  const count = redirects.length
  await assert.rejects(callOrder(second.sdk), UnauthorizedError)
  assert.ok(redirects.length > count, 'the user is asked again')
  for (const { sdk } of [first, second]) await sdk.close()
}

/** Signs in with the project key, checks the consent page and allows; returns the parameters of the redirect. */
async function giveConsent(
  { begin, s, keys, decide, buttonsOf }: SignIn,
  url: string,
): Promise<URLSearchParams> {
  const opened = await begin(url)
  assert.match(opened.page.text, /Sign in for Shop helper/)
  const entered = await s.visit(`${opened.at}/key`, {
    cookies: opened.cookies,
    form: { form_token: buttonsOf(opened.page.text).form_token, key: keys.projectApiKey },
  })
  assert.equal(entered.location, opened.at)
  const page = await s.visit(opened.at, { cookies: opened.cookies })
  const phrases = [
    '“<bdi>SDK</bdi>”',
    'Shop helper',
    'Allow as ada',
    'a program on this computer',
    'Shop</span>',
  ]
  for (const phrase of phrases) assert.ok(page.text.includes(phrase), phrase)
  const back = await decide({ ...opened, page })
  return new URL(back.location).searchParams
}

/** Deletes the grant of the client, after checking what is listed and audited about it. */
async function deleteClientGrant({ call, id }: SignIn): Promise<void> {
  const {
    items: [grant],
  } = (await call(signIn.listMcpClientGrants, { query: { user_id: 'ada', mcp_server_id: id } })).body
  assert.deepEqual([grant!.client.name, grant!.mcp_server_id, grant!.user_id], ['SDK', id, 'ada'])
  const audited = (await call(listAuditLog, { query: { object_id: grant!.id } })).body.items
  assert.deepEqual(
    audited.map(({ action, actor }) => [action, actor]),
    [['mcp.signIn', { type: 'user', id: 'ada', name: null }]],
  )
  await call(signIn.deleteMcpClientGrant, { params: { grant_id: grant!.id } })
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
    dpop_signing_alg_values_supported: ['ES256', 'ES384', 'EdDSA', 'Ed25519', 'PS256', 'RS256'],
    dpop_bound_access_tokens_required: false,
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
