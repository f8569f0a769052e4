import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { signInAndConsent } from '#fixtures/real-applications/browser.ts'
import { CookieJar } from '#fixtures/real-applications/cookie-jar.ts'
import { type OidcProviderPeer, startOidcProvider } from '#fixtures/real-applications/oidc-provider.ts'
import { HOME, type SignIn, startSignIn } from '#fixtures/mcp-sign-in.ts'
import * as contract from '../../../contract/mcp-authorization/index.ts'
import { createProjectKey } from '../../../contract/projects/index.ts'
import { sql } from '../../../platform/db/sql.ts'
import { userIdFrom } from './sign-in.ts'

const REDIRECT_URI = `${HOME}/oauth/openid/callback`

let provider: OidcProviderPeer
before(async () => {
  provider = await startOidcProvider({ redirectUris: [REDIRECT_URI] })
})
after(() => provider?.stop())

const setProvider = ({ call }: SignIn, more: object = {}) =>
  call(contract.setMcpOpenIdProvider, {
    body: {
      issuer: provider.issuer,
      client_id: provider.clientId,
      client_secret: provider.clientSecret,
      name: 'Example SSO',
      ...more,
    },
  })

/** Follows a request to the provider, signs in there, and returns the URL of the callback. */
async function signInAtProvider({ begin, asked, client, s }: SignIn, login: string, more = {}) {
  const opened = await begin(asked(client, more))
  assert.equal(opened.page.location, `${opened.at}/openid`)
  const { location } = await s.visit(opened.page.location, { cookies: opened.cookies })
  const { callbackUrl } = await signInAndConsent(location, { login })
  return { ...opened, location, callbackUrl }
}

test('MCP authorization: users sign in at the OpenID provider of their project', async (t) => {
  const fixture = await startSignIn(t)
  const { s, decide, exchange, listing, address, keys } = fixture
  const { status, body } = await setProvider(fixture)
  assert.deepEqual(
    [status, body.provider!.has_client_secret, body.provider!.scopes, body.redirect_uri],
    [200, true, 'openid', `${REDIRECT_URI}/${keys.projectId}`],
  )
  const { at, cookies, callbackUrl, location } = await signInAtProvider(fixture, 'ada')
  const asked = new URL(location).searchParams
  assert.deepEqual(
    [asked.get('code_challenge_method'), Boolean(asked.get('nonce')), asked.get('prompt')],
    ['S256', true, null],
  )
  assert.equal((await s.visit(callbackUrl, { cookies: new CookieJar() })).status, 403, 'of another browser')
  assert.equal((await s.visit(callbackUrl, { cookies })).location, at)
  const page = await s.visit(at, { cookies })
  assert.match(page.text, /Allow as ada/)
  const back = await decide({ page, at, cookies, first: page })
  const tokens = await exchange(new URL(back.location).searchParams.get('code')!)
  assert.equal((await listing(tokens.body['access_token']!, address('?user_id=ada'))).statusCode, 200)
  assert.equal((await listing(tokens.body['access_token']!, address('?user_id=bob'))).statusCode, 403)
})

test('MCP authorization: a response of the provider counts once, with its state, for the user in the URL', async (t) => {
  const fixture = await startSignIn(t)
  const { s, address } = fixture
  await setProvider(fixture)
  const first = await signInAtProvider(fixture, 'ada', { resource: address('?user_id=bob') })
  await s.visit(first.callbackUrl, { cookies: first.cookies })
  const other = await s.visit(first.at, { cookies: first.cookies })
  assert.match(other.text, /You are signed in as ada, but the URL in the program is for bob/)
  assert.match(other.text, /Sign in with <bdi>Example SSO/)
  const again = await s.visit(`${first.at}/openid?again=1`, { cookies: first.cookies })
  assert.equal(new URL(again.location).searchParams.get('prompt'), 'login')
  const twice = await s.visit(first.callbackUrl, { cookies: first.cookies })
  assert.match(twice.text, /The sign-in at Example SSO did not succeed/)

  const second = await signInAtProvider(fixture, 'ada')
  const variants: [string, string][] = [
    ['state', 'x'],
    ['state', ''],
    ['state', new URL(first.callbackUrl).searchParams.get('state')!],
    ['code', 'x'],
    ['iss', 'https://evil.example'],
  ]
  for (const [name, value] of variants) {
    const changed = new URL(second.callbackUrl)
    changed.searchParams.set(name, value)
    const reply = await s.visit(changed.href, { cookies: second.cookies })
    assert.equal(reply.location, '', `${name}=${value}`)
  }
  const denied = new URL(second.callbackUrl)
  denied.searchParams.delete('code')
  denied.searchParams.set('error', 'access_denied')
  assert.match((await s.visit(denied.href, { cookies: second.cookies })).text, /did not succeed/)
  assert.doesNotMatch((await s.visit(second.at, { cookies: second.cookies })).text, /Allow as/)
})

test('MCP authorization: a sign-in ends when the project replaces or deletes the provider, or reads another claim', async (t) => {
  const fixture = await startSignIn(t)
  const { s, call, decide } = fixture
  const changes: [string, () => Promise<unknown>][] = [
    ['another client', () => setProvider(fixture, { client_id: 'another' })],
    ['another claim', () => setProvider(fixture, { user_id_claim: 'email' })],
    ['no provider', () => call(contract.deleteMcpOpenIdProvider)],
  ]
  for (const [change, apply] of changes) {
    await setProvider(fixture)
    const { at, cookies, callbackUrl } = await signInAtProvider(fixture, 'ada')
    await s.visit(callbackUrl, { cookies })
    await setProvider(fixture, { name: 'Renamed' })
    const page = await s.visit(at, { cookies })
    assert.match(page.text, /Allow as ada/, 'another name is the same provider')
    await apply()
    assert.doesNotMatch((await s.visit(at, { cookies })).text, /Allow as/, change)
    const back = await decide({ page, at, cookies, first: page })
    assert.ok(!back.location.includes('code='), change)
  }
  await setProvider(fixture)
  const { at, cookies, callbackUrl } = await signInAtProvider(fixture, 'ada')
  await s.visit(callbackUrl, { cookies })
  await call(contract.deleteMcpOpenIdProvider)
  await setProvider(fixture)
  assert.doesNotMatch((await s.visit(at, { cookies })).text, /Allow as/, 'the same provider, set again')
})

test('MCP authorization: the claim of the user id is a setting, and an address that is not verified is nobody', async (t) => {
  const fixture = await startSignIn(t)
  const { s } = fixture
  const { body } = await setProvider(fixture, { user_id_claim: 'email' })
  assert.equal(body.provider!.scopes, 'openid email')
  const ada = await signInAtProvider(fixture, 'ada')
  await s.visit(ada.callbackUrl, { cookies: ada.cookies })
  assert.match((await s.visit(ada.at, { cookies: ada.cookies })).text, /Allow as ada@example\.com/)
  const unverified = await signInAtProvider(fixture, 'unverified')
  const page = await s.visit(unverified.callbackUrl, { cookies: unverified.cookies })
  assert.match(page.text, /Example SSO did not say which user you are/)
  for (const [claims, claim, expected] of [
    [{ sub: 'ada' }, 'sub', 'ada'],
    [{ sub: 7 }, 'sub', undefined],
    [{ sub: '' }, 'sub', undefined],
    [{ sub: 'u'.repeat(300) }, 'sub', undefined],
    [{ sub: 'a\0b' }, 'sub', undefined],
    [{}, 'constructor', undefined],
    [{ email: 'a@example.com', email_verified: false }, 'email', undefined],
    [{ email: 'a@example.com' }, 'email', undefined],
    [{ email: 'a@example.com', email_verified: true }, 'email', 'a@example.com'],
  ] as const)
    assert.equal(userIdFrom(claims, claim), expected, JSON.stringify(claims))
})

test('MCP authorization: a provider is checked before it is stored, its secret is encrypted and stays with its client', async (t) => {
  const fixture = await startSignIn(t)
  const { call, db, s, keys } = fixture
  const failures: [object, number][] = [
    [{ issuer: `${provider.issuer}/other` }, 400],
    [{ issuer: 'https://127.0.0.1:1' }, 400],
    [{ issuer: `${provider.issuer}?x=1` }, 400],
    [{ issuer: 'ftp://a.example' }, 400],
    [{ issuer: 'http://login.example.com' }, 400],
    [{ scopes: 'email' }, 400],
    [{ user_id_claim: 'a b' }, 400],
  ]
  for (const [more, status] of failures)
    assert.equal((await setProvider(fixture, more)).status, status, JSON.stringify(more))
  assert.equal((await call(contract.readMcpOpenIdProvider)).body.provider, null, 'nothing was stored')
  await setProvider(fixture)
  const stored = await db.rows<object>(sql`select * from mcp_openid_providers`)
  assert.ok(!JSON.stringify(stored).includes(provider.clientSecret))
  assert.ok(
    !JSON.stringify((await call(contract.readMcpOpenIdProvider)).body).includes(provider.clientSecret),
  )
  const renamed = await setProvider(fixture, { client_secret: undefined, name: 'SSO' })
  assert.deepEqual([renamed.body.provider!.name, renamed.body.provider!.has_client_secret], ['SSO', true])
  const moved = await setProvider(fixture, { client_secret: undefined, client_id: 'another' })
  assert.equal(moved.body.provider!.has_client_secret, false, 'a secret is not sent for another client')
  const { body: restricted } = await s.org(createProjectKey, {
    params: { nano_id: keys.projectId },
    body: { permissions: { sessions: ['read', 'write'] } },
  })
  const forbidden = await s.app.http.inject({
    method: 'DELETE',
    url: '/api/v3.1/mcp/authorization/openid_provider',
    headers: { 'x-api-key': restricted.key },
  })
  assert.equal(forbidden.statusCode, 403, 'who sets the provider decides who is which user')
  assert.equal((await (await s.otherProject())(contract.readMcpOpenIdProvider)).body.provider, null)
  await call(contract.deleteMcpOpenIdProvider)
  assert.equal((await call(contract.readMcpOpenIdProvider)).body.provider, null)
})

test('MCP authorization: a provider that cannot be reached leaves the other ways to sign in', async (t) => {
  const fixture = await startSignIn(t)
  const { begin, asked, client, s, db, call } = fixture
  await setProvider(fixture)
  await db.run(sql`update mcp_openid_providers set issuer = 'http://127.0.0.1:1', updated_at = now()`)
  const opened = await begin(asked(client))
  const page = await s.visit(opened.page.location, { cookies: opened.cookies })
  assert.match(page.text, /Example SSO cannot be reached now/)
  assert.match(page.text, /Or sign in with a key of the project/)
  await call(contract.deleteMcpOpenIdProvider)
  const without = await begin(asked(client))
  assert.match(without.page.text, /Sign in for Shop helper/)
  assert.match((await s.visit(`${without.at}/openid`, { cookies: without.cookies })).location, /\?other=1$/)
})
