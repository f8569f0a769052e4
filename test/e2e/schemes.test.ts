import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QUIRKS } from '../../simulation/providers/quirks/index.ts'
import { startSimulator } from '../../simulation/providers/start.ts'
import { catalogFromSources } from '../../src/catalog/index.ts'
import { createAuthConfig } from '../../src/contract/auth-configs/index.ts'
import {
  refreshConnectedAccount,
  revokeConnectedAccount,
  updateConnectedAccount,
} from '../../src/contract/connected-accounts/index.ts'
import { AUTH_SCHEMES } from '../../src/contract/schemes.ts'
import { simulatedSource } from '../simulation/providers/simulated-source.ts'
import { issuerSource, PROFILE, startConnection, visit } from './issuer.ts'
import { assertRejected, type Platform, startPlatform } from './platform.ts'
import { oidcProvider, type Peer, simulated } from './scheme-providers.ts'
import { SCHEME_ROWS, type SchemeRow } from './scheme-rows.ts'

/** Schemes without connected accounts; the second test covers them. */
const WITHOUT_ACCOUNTS = ['SAML', 'NO_AUTH']
const YEAR_MS = 365 * 86_400_000
const HOUR_MS = 3_600_000
const CALLERS = 5
/** Rejected calls in a row after which credentials without a refresh count as expired. */
const REJECTED_CALLS = 3

/** One row, the provider that it connects to, and the server. */
interface Subject {
  platform: Platform
  row: SchemeRow
  peer: Peer
  slug: string
  config: string
  advance(ms: number): void
  /** The nth credentials of the user. */
  val(nth: number): Record<string, unknown>
}

interface Connected extends Subject {
  id: string
}

const slugOf = ({ at }: SchemeRow) => (at === 'oidc-provider' ? 'issuer' : `sim_${at.replaceAll('-', '_')}`)
const quirkOf = ({ at }: SchemeRow) => QUIRKS.find(({ number, name }) => number === 0 && name === at)!

test('every scheme connects, is used, refreshes its token, expires, is connected again and is revoked', async (t) => {
  const simulator = await startSimulator({ quirks: QUIRKS.filter(({ number }) => number === 0) })
  t.after(() => simulator.close())
  const urlOf = ({ at }: SchemeRow) => `${simulator.url}/${at}`
  const sources = SCHEME_ROWS.filter(({ at }) => at !== 'oidc-provider').map((row) =>
    simulatedSource(slugOf(row), { auth: quirkOf(row).auth(urlOf(row)), toolkit: {} }, urlOf(row)),
  )
  const platform = await startPlatform(t, { catalog: catalogFromSources([...sources, issuerSource()]) })
  const advance = (ms: number) => {
    simulator.advance(ms)
    platform.clock.advance(ms)
  }
  for (const row of SCHEME_ROWS) {
    await t.test(`${row.scheme} at ${row.at}`, async (t) => {
      const peer =
        row.at === 'oidc-provider'
          ? await oidcProvider(t, `${platform.url}/api/v3/toolkits/auth/callback`)
          : simulated(simulator, quirkOf(row))
      const slug = slugOf(row)
      const config = await platform.authConfig(slug, row.scheme, peer.credentials)
      const val = (nth: number) => row.credentials!.at(nth)![0](urlOf(row))
      await testAccountLifecycle({ platform, row, peer, slug, config, advance, val })
    })
  }
})

async function testAccountLifecycle(subject: Subject): Promise<void> {
  const connected = { ...subject, id: await connect(subject) }
  assert.equal(await statusOf(connected), 'ACTIVE')
  await use(connected)
  await expectOneRefresh(connected)
  await expire(connected)
  await reconnect(connected)
  assert.equal(await statusOf(connected), 'ACTIVE')
  await use(connected, -1)
  await revoke(connected)
}

async function connect({ platform, row, peer, config, val }: Subject): Promise<string> {
  if (row.credentials) return platform.connect(config, row.scheme, row.at, val(0))
  if (row.scheme === 'OAUTH2') {
    const started = await startConnection(platform, config, row.at)
    await authorize(peer, row.at, started.redirectUrl)
    return started.id
  }
  const { body } = await platform.tryConnect(config, row.scheme, row.at, {})
  await authorize(peer, row.at, String(body['redirect_url']))
  return String(body['id'])
}

async function authorize(peer: Peer, user: string, redirectUrl: string): Promise<void> {
  const { location, html } = await visit(redirectUrl)
  // A page before a new connection of the same account has a link to the provider.
  const nextUrl = /class="action" href="([^"]+)"/.exec(html)?.[1]
  const authorizeUrl = nextUrl ? (await visit(new URL(nextUrl, redirectUrl).href)).location : location
  await visit(await peer.consent(authorizeUrl, user))
}

const statusOf = async ({ platform, id }: Connected) => (await platform.account(id)).status

function run({ platform, slug, row, id }: Connected) {
  const tool = slug === 'issuer' ? PROFILE : `${slug.toUpperCase()}_ME`
  return platform.callTool(tool, {}, { user_id: row.at, connected_account_id: id })
}

async function use(connected: Connected, nth = 0): Promise<void> {
  const { status, body } = await run(connected)
  assert.ok(status === 200 && body.successful, JSON.stringify(body))
  connected.peer.recognizes(body.data, connected.row.at, connected.row.credentials?.at(nth)![1])
}

/** Concurrent callers cause one refresh, or none if the scheme has no refresh. */
async function expectOneRefresh(connected: Connected): Promise<void> {
  const { peer, row, advance } = connected
  const before = await peer.issued()
  advance(row.refreshes === 'yes' ? HOUR_MS : YEAR_MS)
  for (const { body } of await Promise.all(Array.from({ length: CALLERS }, () => run(connected))))
    assert.equal(body.successful, true, JSON.stringify(body))
  await use(connected)
  assert.equal((await peer.issued()) - before, row.refreshes === 'yes' ? 1 : 0)
}

/** An account with a refresh expires with one call; one with a key after several rejected calls in a row. */
async function expire(connected: Connected): Promise<void> {
  const { peer, row, platform, id } = connected
  await peer.endAll()
  for (let calls = row.refreshes === 'yes' ? 0 : REJECTED_CALLS; calls > 0; calls--)
    assert.equal((await run(connected)).body.successful, false)
  assertRejected(await run(connected), 410, 1820, /EXPIRED/)
  const { status, status_reason: reason } = await platform.account(id)
  assert.equal(status, 'EXPIRED')
  assert.match(reason!, /rejected/)
}

async function reconnect({ platform, peer, row, id, val }: Connected): Promise<void> {
  const again = (body = {}) => platform.call(refreshConnectedAccount, { params: { nanoid: id }, body })
  if (row.reconnects === 'credentials') {
    const state = { authScheme: row.scheme, val: val(1) }
    const body = { connection: { state } } as never
    const { status } = await platform.call(updateConnectedAccount, { params: { nanoid: id }, body })
    assert.equal(status, 200)
  } else if (row.reconnects === 'browser') {
    const { body } = await again()
    assert.equal(body.status, 'INITIATED')
    await authorize(peer, row.at, body.redirect_url!)
  } else {
    assert.equal((await again({ validate_credentials: true })).status, 400)
    await peer.restoreAll()
    assert.deepEqual((await again()).body, { id, status: 'ACTIVE', redirect_url: null })
  }
}

async function revoke(connected: Connected): Promise<void> {
  const { platform, peer, row, id } = connected
  const before = await peer.revocations()
  const request = () => platform.call(revokeConnectedAccount, { params: { nanoid: id } })
  const first = await request()
  if (row.revokes !== 'yes') {
    assert.deepEqual(
      [first.status, first.body.error?.slug, await statusOf(connected)],
      [400, 'ConnectedAccount_RevokeNotSupported', 'ACTIVE'],
    )
    return use(connected, -1)
  }
  assert.ok(first.body.revoked_tokens?.length > 0, JSON.stringify(first.body))
  assert.ok((await peer.revocations()) > before, 'the provider received the revocation')
  assert.equal(await statusOf(connected), 'REVOKED')
  assert.equal((await run(connected)).status, 422)
  assert.deepEqual((await request()).body.revoked_tokens, [])
  assert.ok(await peer.isOver(row.credentials?.at(-1)![1]), 'the revoked credentials open nothing')
}

test('NO_AUTH works without an account; an auth config for it, and an account with SAML, are rejected', async (t) => {
  const simulator = await startSimulator({ quirks: QUIRKS.filter(({ name }) => name === 'open') })
  t.after(() => simulator.close())
  const source = (slug: string, scheme: string) =>
    simulatedSource(slug, { auth: { scheme }, toolkit: {} }, `${simulator.url}/open`)
  const platform = await startPlatform(t, {
    catalog: catalogFromSources([source('sim_open', 'NO_AUTH'), source('sim_saml', 'SAML')]),
  })
  assert.equal((await platform.data('SIM_OPEN_ME', {}, 'ada')).login, 'ada')
  const body = {
    toolkit: { slug: 'sim_open' },
    auth_config: { type: 'use_custom_auth', authScheme: 'NO_AUTH', credentials: {} },
  }
  assertRejected(
    await platform.call(createAuthConfig, { body: body as never }),
    400,
    303,
    /needs no authentication/,
  )
  assert.equal(
    (await platform.tryConnect(await platform.authConfig('sim_saml', 'SAML'), 'SAML', 'ada', {})).status,
    501,
  )
})

test('every other scheme of the contract has a row', () => {
  assert.deepEqual(
    AUTH_SCHEMES.filter((name) => !SCHEME_ROWS.some(({ scheme }) => scheme === name)),
    WITHOUT_ACCOUNTS,
  )
})
