import assert from 'node:assert/strict'
import { after, before, test, type TestContext } from 'node:test'
import { CONSOLE_REDIRECT_URI, CONSOLE_URL, oidcSettings, startConsoleOidc } from '#fixtures/console-oidc.ts'
import { signInAndConsent } from '#fixtures/real-applications/browser.ts'
import { type OidcProviderPeer, startOidcProvider } from '#fixtures/real-applications/oidc-provider.ts'
import * as contract from '../../contract/members.ts'
import type { OidcSettings } from '../members/index.ts'

let provider: OidcProviderPeer
before(async () => {
  provider = await startOidcProvider({ redirectUris: [CONSOLE_REDIRECT_URI] })
})
after(() => provider?.stop())

const stage = (t: TestContext, settings: Partial<OidcSettings> = {}) =>
  startConsoleOidc(t, oidcSettings(provider, settings))

test('console, OpenID Connect: a person with a group gets its role, and the page that was asked for', async (t) => {
  const s = await stage(t, { roleMap: { engineering: 'developer', admins: 'admin' } })
  const { location, session } = await s.signIn('ada+engineering', '/logs?status=failed')
  assert.equal(location, `${CONSOLE_URL}/console/logs?status=failed`)
  const person = await s.me(session)
  assert.deepEqual([person.email, person.role, person.projects.length], ['ada@example.com', 'member', 1])
  const again = await s.signIn('ada+engineering')
  assert.ok(again.session)
  const { body } = await s.org(contract.listMembers)
  assert.deepEqual(
    body.items.map(({ email, status, projects }) => [email, status, projects.map(({ role }) => role)]),
    [['ada@example.com', 'active', ['developer']]],
    'the second sign-in finds the member of the first one',
  )
  assert.equal((await s.me((await s.signIn('grace+admins+engineering')).session)).role, 'admin')
  const rejected = await s.signIn('mallory+guests')
  assert.match(rejected.location, /sign_in_error=no_role/)
  assert.equal(rejected.session, undefined)
})

test('console, OpenID Connect: without a map only invited people sign in, with the roles of the invitation', async (t) => {
  const s = await stage(t)
  const draft = { email: 'GRACE@example.com', name: 'Grace', role: 'admin' as const }
  assert.equal((await s.org(contract.inviteMember, { body: draft })).status, 201)
  assert.match((await s.signIn('mallory')).location, /sign_in_error=not_invited/)
  const { session } = await s.signIn('grace')
  assert.equal((await s.me(session)).role, 'admin')
  const { body } = await s.org(contract.listMembers)
  assert.deepEqual(
    body.items.map(({ status }) => status),
    ['active'],
  )
})

test('console, OpenID Connect: an e-mail address that is not verified, or of another domain, does not become a member', async (t) => {
  const s = await stage(t, { allowedDomains: ['example.com'], defaultRole: 'viewer' })
  const draft = { email: 'unverified@example.com', name: 'U', role: 'admin' as const }
  assert.equal((await s.org(contract.inviteMember, { body: draft })).status, 201)
  assert.match((await s.signIn('unverified')).location, /sign_in_error=unverified_email/)
  assert.match((await s.signIn('eve@other.example')).location, /sign_in_error=domain/)
  assert.ok((await s.signIn('ada')).session)
})

test(
  'console, OpenID Connect: a callback counts in the browser of its start only, with its state, nonce and ' +
    'verifier, and in time',
  async (t) => {
    const s = await stage(t, { defaultRole: 'viewer' })
    const first = await s.start()
    const second = await s.start()
    const { callbackUrl } = await signInAndConsent(first.url, { login: 'ada' })
    assert.match((await s.callback(callbackUrl, undefined)).location, /sign_in_error=expired/)
    assert.match((await s.callback(callbackUrl, second.cookie)).location, /sign_in_error=failed/)
    const changed = new URL(callbackUrl)
    changed.searchParams.set('iss', 'https://other.example')
    assert.match((await s.callback(changed.href, first.cookie)).location, /sign_in_error=failed/)
    assert.ok((await s.callback(callbackUrl, first.cookie)).session)
    assert.match(
      (await s.callback(callbackUrl, first.cookie)).location,
      /sign_in_error=failed/,
      'a code counts once',
    )
    const late = await s.start()
    const { callbackUrl: lateUrl } = await signInAndConsent(late.url, { login: 'ada' })
    s.clock.advance(16 * 60_000)
    assert.match((await s.callback(lateUrl, late.cookie)).location, /sign_in_error=expired/)
    const url = new URL(first.url)
    assert.equal(url.searchParams.get('code_challenge_method'), 'S256')
    assert.ok(url.searchParams.get('nonce'))
    const foreign = await s.signIn('ada', '//other.example/')
    assert.equal(new URL(foreign.location).origin, CONSOLE_URL)
  },
)

test('console, OpenID Connect: a nonce of another attempt is rejected', async (t) => {
  const s = await stage(t, { defaultRole: 'viewer' })
  const { url, cookie } = await s.start()
  const changed = new URL(url)
  changed.searchParams.set('nonce', 'of-an-attacker')
  const { callbackUrl } = await signInAndConsent(changed.href, { login: 'ada' })
  assert.match((await s.callback(callbackUrl, cookie)).location, /sign_in_error=failed/)
})

test('console, OpenID Connect: with sign-in at the provider only, passwords, passkeys and keys are rejected', async (t) => {
  const s = await stage(t, { isOnly: true, defaultRole: 'viewer' })
  const replies = await Promise.all([
    s.post('/login', { email: 'ada@example.com', password: 'correct horse battery' }),
    s.post('/key', { key: s.keys.projectApiKey }),
    s.post('/passkey/options', {}),
  ])
  assert.deepEqual(
    replies.map((reply) => reply.json().error.slug),
    Array(3).fill('Member_SsoRequired'),
  )
  assert.ok((await s.signIn('ada')).session)
})

test('console, OpenID Connect: the last owner stays an owner, whatever the groups say', async (t) => {
  const s = await stage(t, { roleMap: { engineering: 'developer', owners: 'owner' } })
  const draft = { email: 'ada@example.com', name: 'Ada', role: 'owner' as const }
  assert.equal((await s.org(contract.inviteMember, { body: draft })).status, 201)
  assert.equal((await s.me((await s.signIn('ada+engineering')).session)).role, 'owner')
  assert.equal((await s.me((await s.signIn('grace+owners')).session)).role, 'owner')
  assert.equal((await s.me((await s.signIn('ada+engineering')).session)).role, 'member')
})
