import assert from 'node:assert/strict'
import { after, before, test, type TestContext } from 'node:test'
import {
  CONSOLE_REDIRECT_URI,
  type ConsoleOidc,
  oidcSettings,
  startConsoleOidc,
} from '#fixtures/console-oidc.ts'
import { signInAndConsent } from '#fixtures/real-applications/browser.ts'
import { type OidcProviderPeer, startOidcProvider } from '#fixtures/real-applications/oidc-provider.ts'
import { listOrganizationAuditLog } from '../../../contract/audit-log.ts'
import { inviteMember } from '../../../contract/members.ts'
import * as contract from '../../../contract/sso.ts'
import { sql } from '../../../platform/db/sql.ts'

const PASSWORD = 'correct horse battery'

let provider: OidcProviderPeer
before(async () => {
  provider = await startOidcProvider({ redirectUris: [CONSOLE_REDIRECT_URI] })
})
after(() => provider?.stop())

const draft = (more: object = {}) => ({
  issuer: provider.issuer,
  client_id: provider.clientId,
  client_secret: provider.clientSecret,
  name: 'Example SSO',
  ...more,
})

/** A console whose organization has set the provider. */
async function stage(t: TestContext, more: object = {}): Promise<ConsoleOidc> {
  const s = await startConsoleOidc(t)
  const { status, body } = await s.org(contract.setSso, { body: draft(more) })
  assert.equal(status, 200, JSON.stringify(body))
  return s
}

/** Invites a member, who sets a password; returns the session. */
async function withPassword(s: ConsoleOidc, email: string, role: 'owner' | 'admin') {
  const { body } = await s.org(inviteMember, { body: { email, name: email, role } })
  const reply = await s.post('/setup', { token: body.url.split('#t=')[1], password: PASSWORD })
  assert.equal(reply.statusCode, 204, reply.body)
  return s.sessionOf(reply)
}

const slugOf = ({ body }: { body: unknown }) => (body as { error?: { slug: string } }).error?.slug

test('SSO: an organization sets its provider, and members sign in there at once', async (t) => {
  const s = await startConsoleOidc(t)
  assert.deepEqual((await s.org(contract.readSso)).body, {
    source: 'none',
    provider: null,
    redirect_uri: CONSOLE_REDIRECT_URI,
    is_proven: false,
  })
  assert.equal((await s.get('/console/boot.json')).json().sign_in.sso, null)
  const { body } = await s.org(contract.setSso, { body: draft({ role_map: { engineering: 'developer' } }) })
  assert.equal(body.provider?.has_client_secret, true)
  assert.ok(!JSON.stringify(body).includes(provider.clientSecret), 'the secret is never returned')
  const boot = (await s.get('/console/boot.json')).json().sign_in
  assert.deepEqual(boot, { is_sso_only: false, sso: { name: 'Example SSO' } })
  assert.equal((await s.me((await s.signIn('ada+engineering')).session)).email, 'ada@example.com')
  assert.match((await s.signIn('mallory')).location, /sign_in_error=no_role/)
  const row = await s.app.db.one<{ secret: Buffer }>(
    sql`select encrypted_client_secret as secret from organization_openid_providers`,
  )
  assert.ok(!row!.secret.includes(provider.clientSecret), 'the secret is encrypted')
  const { body: log } = await s.org(listOrganizationAuditLog, { query: { action: 'sso.set' } })
  assert.equal(log.items.length, 1)
  assert.ok(!JSON.stringify(log).includes(provider.clientSecret), 'the secret is not in the audit log')
})

test('SSO: the secret stays for the same client, and is dropped for another', async (t) => {
  const s = await stage(t)
  const { client_secret: _, ...same } = draft({ name: 'Other name', default_role: 'viewer' })
  const renamed = await s.org(contract.setSso, { body: same })
  assert.equal(renamed.body.provider?.has_client_secret, true)
  assert.ok((await s.signIn('ada')).session)
  const other = await s.org(contract.testSso, { body: { ...same, client_id: 'other' } })
  assert.equal(other.body.checks.find(({ check }) => check === 'client')?.result, 'failed')
})

test('SSO: a test says what is wrong, and a provider that cannot be used is not stored', async (t) => {
  const s = await startConsoleOidc(t)
  const right = await s.org(contract.testSso, { body: draft() })
  assert.deepEqual(
    right.body.checks.map(({ check, result }) => `${check} ${result}`),
    ['metadata ok', 'endpoints ok', 'flow ok', 'keys ok', 'scopes ok', 'claims ok', 'client ok'],
    JSON.stringify(right.body),
  )
  const wrong = await s.org(contract.setSso, { body: draft({ client_secret: 'wrong' }) })
  assert.deepEqual([wrong.status, slugOf(wrong)], [400, 'Sso_ProviderUnusable'])
  const unknown = await s.org(contract.testSso, { body: draft({ issuer: `${provider.issuer}/other` }) })
  assert.deepEqual(
    [unknown.body.is_usable, unknown.body.checks.map(({ check }) => check)],
    [false, ['metadata']],
  )
  assert.equal((await s.org(contract.readSso)).body.source, 'none')
})

test('SSO only: a person who has signed in at the provider as it is now turns it on, nobody else', async (t) => {
  const s = await stage(t, { role_map: { owners: 'owner' } })
  const bob = await withPassword(s, 'bob@example.com', 'owner')
  const on = { body: { is_only: true } }
  for (const by of [s.org, s.by(bob)])
    assert.equal(slugOf(await by(contract.setSsoOnly, on)), 'Sso_NotProven')
  const { session: old } = await s.signIn('grace+owners')
  assert.equal((await s.by(old)(contract.readSso)).body.is_proven, true)
  assert.equal(
    (await s.org(contract.setSso, { body: draft({ role_map: { owners: 'owner', x: 'viewer' } }) })).status,
    200,
  )
  assert.equal(slugOf(await s.by(old)(contract.setSsoOnly, on)), 'Sso_NotProven', 'the provider was changed')
  const { session } = await s.signIn('grace+owners')
  const { body } = await s.by(session)(contract.setSsoOnly, on)
  assert.equal(body.provider?.is_only, true)
  assert.equal((await s.by(bob)(contract.readSso)).status, 401, 'sessions that began elsewhere end')
  const replies = await Promise.all([
    s.post('/login', { email: 'bob@example.com', password: PASSWORD }),
    s.post('/key', { key: s.keys.organizationApiKey }),
    s.post('/passkey/options', {}),
  ])
  assert.deepEqual(
    replies.map((reply) => reply.json().error.slug),
    Array(3).fill('Member_SsoRequired'),
  )
  const changes = [
    await s.by(session)(contract.setSso, { body: draft({ allowed_domains: ['other.example'] }) }),
    await s.by(session)(contract.deleteSso),
  ]
  assert.deepEqual(changes.map(slugOf), ['Sso_IsOnly', 'Sso_IsOnly'])
  const { client_secret: _, ...renamed } = draft({
    name: 'New name',
    role_map: { owners: 'owner', x: 'viewer' },
  })
  assert.equal((await s.by(session)(contract.setSso, { body: renamed })).body.provider?.is_only, true)
  assert.equal((await s.org(contract.setSsoOnly, { body: { is_only: false } })).status, 200)
  assert.equal((await s.post('/login', { email: 'bob@example.com', password: PASSWORD })).statusCode, 204)
})

test('SSO: an owner without password and passkey cannot remove or change the provider', async (t) => {
  const s = await stage(t, { default_role: 'owner' })
  const { session } = await s.signIn('grace')
  const changes = [
    await s.by(session)(contract.setSso, { body: draft({ default_role: 'viewer' }) }),
    await s.by(session)(contract.deleteSso),
  ]
  assert.deepEqual(changes.map(slugOf), ['Sso_NoOtherSignIn', 'Sso_NoOtherSignIn'])
  const bob = await withPassword(s, 'bob@example.com', 'owner')
  assert.equal((await s.by(bob)(contract.deleteSso)).status, 200)
  const start = await s.get('/console/auth/oidc/start')
  assert.match(String(start.headers.location), /sign_in_error=unavailable/)
})

test('SSO: a response to a provider that was replaced meanwhile is not accepted', async (t) => {
  const s = await stage(t, { default_role: 'viewer' })
  const { url, cookie } = await s.start()
  const { callbackUrl } = await signInAndConsent(url, { login: 'ada' })
  await s.org(contract.setSso, { body: draft({ default_role: 'operator' }) })
  assert.match((await s.callback(callbackUrl, cookie)).location, /sign_in_error=expired/)
})

test('SSO: administrators read the provider, and only owners change it', async (t) => {
  const s = await stage(t)
  const admin = s.by(await withPassword(s, 'bob@example.com', 'admin'))
  assert.equal((await admin(contract.readSso)).body.source, 'organization')
  const replies = [
    await admin(contract.setSso, { body: draft({ role_map: { all: 'owner' } }) }),
    await admin(contract.testSso, { body: draft() }),
    await admin(contract.setSsoOnly, { body: { is_only: true } }),
    await admin(contract.deleteSso),
  ]
  assert.deepEqual(
    replies.map(({ status }) => status),
    [403, 403, 403, 403],
  )
})

test('SSO: the provider in the settings of the server has priority, and is read-only', async (t) => {
  const s = await startConsoleOidc(t, oidcSettings(provider))
  const { body } = await s.org(contract.readSso)
  assert.deepEqual([body.source, body.provider?.client_id], ['server_settings', provider.clientId])
  const replies = [
    await s.org(contract.setSso, { body: draft() }),
    await s.org(contract.setSsoOnly, { body: { is_only: false } }),
    await s.org(contract.deleteSso),
  ]
  assert.deepEqual(replies.map(slugOf), Array(3).fill('Sso_SetByServer'))
})
