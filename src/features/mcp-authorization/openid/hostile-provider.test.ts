import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { HOME, type SignIn, startSignIn } from '#fixtures/mcp-sign-in.ts'
import {
  type ScriptedProvider,
  type ScriptedProviderOptions,
  scriptedOpenIdProvider,
} from '#fixtures/scripted-openid-provider.ts'
import { connectedAccountHelpers } from '#fixtures/connected-accounts.ts'
import type { Client } from '#fixtures/client.ts'
import * as contract from '../../../contract/mcp-authorization/index.ts'
import { createMcpServer } from '../../../contract/mcp-servers/index.ts'
import { sql } from '../../../platform/db/sql.ts'
import { CookieJar } from '#fixtures/real-applications/cookie-jar.ts'

/** Sets the provider of a project, and registers the redirect URI of the response there. */
async function setProvider(call: Client, provider: ScriptedProvider, more: object = {}): Promise<void> {
  const { status, body } = await call(contract.setMcpOpenIdProvider, {
    body: {
      issuer: provider.issuer,
      client_id: 'patchbay',
      client_secret: 's',
      name: 'Example SSO',
      ...more,
    },
  })
  assert.equal(status, 200, JSON.stringify(body))
  provider.allow(body.redirect_uri)
}

async function startWithProvider(t: TestContext, fixture: SignIn, options?: ScriptedProviderOptions) {
  const provider = await scriptedOpenIdProvider(t, options)
  await setProvider(fixture.call, provider)
  return provider
}

/** Starts a request and follows it to the URL of the provider. */
async function startAt(
  { begin, asked, client, s }: SignIn,
  more: Record<string, string> = {},
  cookies?: CookieJar,
) {
  const opened = await begin(asked(client, more), cookies)
  const { location } = await s.visit(opened.page.location, { cookies: opened.cookies })
  return { ...opened, location }
}

type Opened = Awaited<ReturnType<typeof startAt>>

/** Opens the callback; returns the user whom the consent page shows then, or undefined. */
async function userAfter(
  { s }: SignIn,
  { at, cookies }: Opened,
  callback: string,
): Promise<string | undefined> {
  const reply = await s.visit(callback, { cookies })
  assert.ok(reply.status < 500, reply.text)
  return /Allow as ([^<]+)/.exec((await s.visit(at, { cookies })).text)?.[1]
}

const replaced = (url: string, parameters: Record<string, string>) => {
  const changed = new URL(url)
  for (const [name, value] of Object.entries(parameters)) changed.searchParams.set(name, value)
  return changed.href
}

test('MCP authorization: the provider of one project never receives a code of the provider of another', async (t) => {
  const fixture = await startSignIn(t)
  const { s, address } = fixture
  const honest = await startWithProvider(t, fixture)
  const hostile = await scriptedOpenIdProvider(t)
  const attacker = await s.otherProject()
  await setProvider(attacker, hostile)
  const { addAuthConfig } = connectedAccountHelpers(s, attacker)
  const { body: server } = await attacker(createMcpServer, {
    body: { name: 'Trap', auth_config_ids: [await addAuthConfig('API_KEY')] },
  })
  // The attacker starts a sign-in to get the PKCE challenge and nonce that the stolen code has to be bound to.
  const own = await startAt(fixture)
  const { searchParams: honestParameters } = new URL(own.location)
  const trapped = await startAt(fixture, { resource: address('', server.id) })
  assert.ok(trapped.location.startsWith(hostile.issuer))
  // The hostile provider redirects the victim, who is signed in at the honest provider, there.
  const redirected = replaced(trapped.location, {
    client_id: 'patchbay',
    nonce: honestParameters.get('nonce') ?? '',
    code_challenge: honestParameters.get('code_challenge') ?? '',
    redirect_uri: honestParameters.get('redirect_uri') ?? '',
  })
  const stolen = honest.signIn(redirected, { sub: 'victim' })
  assert.equal(await userAfter(fixture, trapped, stolen), undefined)
  assert.deepEqual([hostile.tokenRequests(), honest.tokenRequests()], [0, 0])
  assert.throws(
    () => honest.signIn(trapped.location),
    /not registered/,
    'the redirect URI of the other project is not that of the client at the honest provider',
  )
})

test('MCP authorization: a response to a provider that was replaced since, or to another issuer, is rejected', async (t) => {
  const fixture = await startSignIn(t)
  const metadata = { authorization_response_iss_parameter_supported: true }
  const first = await startWithProvider(t, fixture, { metadata })
  const missing = await startAt(fixture)
  assert.equal(await userAfter(fixture, missing, first.signIn(missing.location)), undefined, 'no iss')
  const other = await startAt(fixture)
  const foreign = first.signIn(other.location, {}, { iss: 'https://other.example' })
  assert.equal(await userAfter(fixture, other, foreign), undefined, 'another iss')
  const good = await startAt(fixture)
  assert.equal(await userAfter(fixture, good, first.signIn(good.location, {}, { iss: first.issuer })), 'ada')
  const [second, third] = [await startWithProvider(t, fixture), await scriptedOpenIdProvider(t)]
  const old = await startAt(fixture)
  await setProvider(fixture.call, third)
  assert.equal(await userAfter(fixture, old, second.signIn(old.location)), undefined)
  assert.deepEqual([second.tokenRequests(), third.tokenRequests()], [0, 0])
})

test('MCP authorization: ID tokens with claims of other types, values and hashes sign nobody in', async (t) => {
  const fixture = await startSignIn(t)
  const keys = [
    { kty: 'AKP', alg: 'ML-DSA-44', pub: 'AA', kid: 'k' },
    { kty: 'EC', crv: 'secp256k1', kid: 'k' },
  ]
  const provider = await startWithProvider(t, fixture, { keys })
  const userOf = async (claims: object) => {
    const opened = await startAt(fixture)
    return userAfter(fixture, opened, provider.signIn(opened.location, claims))
  }
  const far = Math.floor(Date.now() / 1_000) - 3_600
  const wrong: Record<string, unknown[]> = {
    sub: [undefined, null, 7, true, '', [], ['ada'], {}, { length: 1 }, 'x'.repeat(300), 'a\0b'],
    iss: [undefined, 7, ['x'], 'https://other.example'],
    aud: [undefined, 7, {}, [], 'other', ['other'], ['patchbay', 'other']],
    azp: [7],
    exp: [undefined, 'x', {}, far],
    iat: [undefined, 'x', {}],
    nonce: [undefined, 7, 'x'],
    auth_time: ['x', {}, -1],
    at_hash: [7, '', {}, 'x'.repeat(22)],
  }
  for (const [name, values] of Object.entries(wrong))
    for (const value of values)
      assert.equal(await userOf({ [name]: value }), undefined, `${name}=${JSON.stringify(value)}`)
  const digest = createHash('sha256').update('at').digest()
  assert.equal(
    await userOf({ at_hash: digest.subarray(0, 16).toString('base64url'), azp: 'patchbay' }),
    'ada',
  )
})

test('MCP authorization: email_verified of the UserInfo endpoint is not about another address in the ID token', async (t) => {
  const fixture = await startSignIn(t)
  const provider = await scriptedOpenIdProvider(t, {
    userInfo: { email: 'own@example.com', email_verified: true },
  })
  await setProvider(fixture.call, provider, { user_id_claim: 'email' })
  const first = await startAt(fixture)
  const callback = provider.signIn(first.location, { email: 'victim@example.com' })
  assert.equal(await userAfter(fixture, first, callback), undefined)
  const second = await startAt(fixture)
  assert.equal(await userAfter(fixture, second, provider.signIn(second.location)), 'own@example.com')
})

test('MCP authorization: prompt=login needs a new sign-in at the provider, which auth_time proves', async (t) => {
  const fixture = await startSignIn(t)
  const { s } = fixture
  const provider = await startWithProvider(t, fixture)
  const demand = (location: string) => {
    const { searchParams } = new URL(location)
    return [searchParams.get('prompt'), searchParams.get('max_age')]
  }
  const login = await startAt(fixture, { prompt: 'login' })
  assert.deepEqual(demand(login.location), ['login', '0'])
  assert.deepEqual(demand((await startAt(fixture, { prompt: 'select_account' })).location), ['login', null])
  assert.deepEqual(demand((await startAt(fixture)).location), [null, null])
  const now = Math.floor(Date.now() / 1_000)
  for (const claims of [{}, { auth_time: now - 3_600 }])
    assert.equal(
      await userAfter(fixture, login, provider.signIn(login.location, claims)),
      undefined,
      JSON.stringify(claims),
    )
  // A sign-in of another request in the same browser, for which the provider did not ask the person again.
  const plain = await startAt(fixture, {}, login.cookies)
  assert.equal(await userAfter(fixture, plain, provider.signIn(plain.location)), 'ada')
  assert.doesNotMatch((await s.visit(login.at, { cookies: login.cookies })).text, /Allow as/)
  assert.equal(
    await userAfter(fixture, login, provider.signIn(login.location, { auth_time: now + 1 })),
    'ada',
  )
})

test('MCP authorization: a provider cannot send browsers to a URL without TLS, and its endpoints need TLS', async (t) => {
  const fixture = await startSignIn(t)
  for (const endpoint of ['http://login.example.com/authorize', 'javascript:alert(1)', 'data:,x', '', 7]) {
    const provider = await scriptedOpenIdProvider(t, { metadata: { authorization_endpoint: endpoint } })
    const { status, body } = await fixture.call(contract.setMcpOpenIdProvider, {
      body: { issuer: provider.issuer, client_id: 'patchbay' },
    })
    assert.deepEqual([status, body.error.slug], [400, 'Mcp_ProviderUnusable'], String(endpoint))
  }
  const provider = await startWithProvider(t, fixture)
  await fixture.db.run(
    sql`update mcp_openid_providers set issuer = 'http://login.example.com', updated_at = now()`,
  )
  const opened = await fixture.begin(fixture.asked(fixture.client))
  const page = await fixture.s.visit(opened.page.location, { cookies: opened.cookies })
  assert.match(page.text, /Example SSO cannot be reached now/, 'a row of an earlier release')
  assert.equal(provider.tokenRequests(), 0)
})

test('MCP authorization: one request makes twenty token requests to the provider at most', async (t) => {
  const fixture = await startSignIn(t)
  const provider = await startWithProvider(t, fixture)
  const opened = await startAt(fixture)
  const callback = replaced(provider.signIn(opened.location), { code: 'x' })
  const statuses: number[] = []
  for (let n = 0; n < 22; n++)
    statuses.push((await fixture.s.visit(callback, { cookies: opened.cookies })).status)
  assert.deepEqual([statuses.slice(-2), provider.tokenRequests()], [[429, 429], 20])
  assert.equal(
    (await fixture.s.visit(`${HOME}/oauth/openid/callback`, { cookies: opened.cookies })).status,
    404,
  )
})
