import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QUIRKS } from '../../simulation/providers/quirks/index.ts'
import { installation, keyFile } from '../../simulation/providers/quirks/schemes-machine.ts'
import { CLIENT, startSimulator } from '../../simulation/providers/start.ts'
import { catalogFromSources } from '../../src/catalog/index.ts'
import { createAuthConfig } from '../../src/contract/auth-configs/index.ts'
import {
  refreshConnectedAccount,
  revokeConnectedAccount,
  updateConnectedAccount,
} from '../../src/contract/connected-accounts/index.ts'
import { AUTH_SCHEMES, type AuthSchemeName } from '../../src/contract/schemes.ts'
import { simulatedSource } from '../simulation/providers/driver.ts'
import { issuerSource, PROFILE, startConnection, visit } from './issuer.ts'
import { assertRefused, startPlatform } from './platform.ts'
import { oidcProvider, type Peer, simulated } from './scheme-peers.ts'

type Values = Record<string, unknown>

interface Row {
  scheme: AuthSchemeName
  /** Name of a provider of the simulator, or `oidc-provider`. */
  at: string
  /**
   * What the user gives, first and the second time, with what the provider sees of it; none where the browser
   * walks.
   */
  given?: readonly [val: (url: string) => Values, shown: string | undefined][]
  /** `yes`, or why there is no such thing, which the test holds the answers to. */
  renews: string
  /**
   * How the same account is connected again: a walk of the browser, other credentials, or the same ones once
   * the provider takes them again.
   */
  reconnects: 'walk' | 'write' | 'again'
  revokes: string
}

const walk = { renews: 'yes', reconnects: 'walk', revokes: 'yes' } as const
const NO_RENEWAL = 'a key never ends'
const NO_END = 'a key is taken back in the application itself'
const key = { renews: NO_RENEWAL, revokes: NO_END } as const
const twice = (make: (text: string, url: string) => Values, ...texts: [string, string]) =>
  texts.map(
    (text) => [(url: string) => make(text, url), text] as const satisfies NonNullable<Row['given']>[number],
  )

const ROWS: readonly Row[] = [
  { scheme: 'OAUTH2', at: 'revocable', ...walk },
  { scheme: 'OAUTH2', at: 'oidc-provider', ...walk },
  { scheme: 'DCR_OAUTH', at: 'registers', ...walk },
  { scheme: 'OAUTH1', at: 'oauth1-walk-sha1', ...walk, renews: 'a token of OAuth 1 never ends' },
  { scheme: 'OAUTH1', at: 'oauth1-walk-plaintext', ...walk, renews: 'a token of OAuth 1 never ends' },
  { scheme: 'OAUTH1', at: 'oauth1-walk-sha256', ...walk, renews: 'a token of OAuth 1 never ends' },
  {
    scheme: 'S2S_OAUTH2',
    at: 'machine',
    ...walk,
    reconnects: 'again',
    given: [[() => ({ client_id: CLIENT.id, client_secret: CLIENT.secret }), CLIENT.id]],
  },
  {
    scheme: 'BASIC_WITH_JWT',
    at: 'login-jwt',
    ...walk,
    reconnects: 'write',
    given: twice((password) => ({ username: 'ada', password }), 'pass-word-1', 'pass-word-2'),
  },
  {
    scheme: 'GOOGLE_SERVICE_ACCOUNT',
    at: 'google-service',
    ...walk,
    reconnects: 'write',
    given: twice((id, url) => ({ credentials_json: keyFile(url, id) }), 'k-1', 'k-2'),
  },
  {
    scheme: 'SERVICE_ACCOUNT',
    at: 'installation',
    ...walk,
    reconnects: 'write',
    given: twice(installation, '7', '8'),
  },
  {
    scheme: 'API_KEY',
    at: 'key',
    ...key,
    reconnects: 'write',
    given: twice((text) => ({ generic_api_key: text }), 'key-0001', 'key-0002'),
  },
  {
    scheme: 'BASIC',
    at: 'basic',
    ...key,
    reconnects: 'write',
    given: twice((password) => ({ username: 'ada', password }), 'pass-word-1', 'pass-word-2'),
  },
  {
    scheme: 'BEARER_TOKEN',
    at: 'bearer',
    ...key,
    reconnects: 'write',
    given: twice((token) => ({ token }), 'token-0001', 'token-0002'),
  },
  {
    scheme: 'BILLCOM_AUTH',
    at: 'billcom',
    ...key,
    reconnects: 'again',
    revokes: 'yes',
    given: [[() => ({ sessionId: 'session-0001', devKey: 'dev-0001' }), 'session-0001']],
  },
  {
    scheme: 'CALCOM_AUTH',
    at: 'calcom',
    ...key,
    reconnects: 'again',
    given: [[() => ({ cal_api_key: 'cal-0001' }), 'cal-0001']],
  },
]
/** Nothing is connected with these, as their own test says. */
const CONNECTED_BY_NOBODY = ['SAML', 'NO_AUTH']
const YEAR_MS = 365 * 86_400_000
const HOUR_MS = 3_600_000
const CALLERS = 5
/** Refusals in a row after which credentials that nothing renews count as dead. */
const REFUSALS = 3

test(
  'every scheme connects, is used, is renewed, breaks, is connected again and is ended',
  { timeout: 170_000 },
  async (t) => {
    const simulator = await startSimulator({ quirks: QUIRKS.filter(({ number }) => number === 0) })
    t.after(() => simulator.close())
    const slugOf = ({ at }: Row) => (at === 'oidc-provider' ? 'issuer' : `sim_${at.replaceAll('-', '_')}`)
    const urlOf = ({ at }: Row) => `${simulator.url}/${at}`
    const quirkOf = ({ at }: Row) => QUIRKS.find(({ number, name }) => number === 0 && name === at)!
    const sources = ROWS.filter(({ at }) => at !== 'oidc-provider').map((row) =>
      simulatedSource(slugOf(row), { auth: quirkOf(row).auth(urlOf(row)), toolkit: {} }, urlOf(row)),
    )
    const platform = await startPlatform(t, { catalog: catalogFromSources([...sources, issuerSource()]) })
    const advance = (ms: number) => {
      simulator.advance(ms)
      platform.clock.advance(ms)
    }

    for (const row of ROWS) {
      await t.test(`${row.scheme} at ${row.at}`, async (t) => {
        const peer =
          row.at === 'oidc-provider'
            ? await oidcProvider(t, `${platform.url}/api/v3/toolkits/auth/callback`)
            : simulated(simulator, quirkOf(row))
        await play(row, peer)
      })
    }

    async function play(row: Row, peer: Peer): Promise<void> {
      const [slug, user] = [slugOf(row), row.at]
      const tool = slug === 'issuer' ? PROFILE : `${slug.toUpperCase()}_ME`
      const config = await platform.authConfig(slug, row.scheme, peer.credentials)
      const val = (nth: number) => row.given!.at(nth)![0](urlOf(row))
      const walkTo = async (redirectUrl: string) => {
        const { location, html } = await visit(redirectUrl)
        // Whoever connects again is told so first, on a page that leads on.
        const nextUrl = /class="action" href="([^"]+)"/.exec(html)?.[1]
        await visit(
          await peer.consent(
            nextUrl ? (await visit(new URL(nextUrl, redirectUrl).href)).location : location,
            user,
          ),
        )
      }
      const run = () => platform.callTool(tool, {}, { user_id: user, connected_account_id: id })
      const use = async (nth = 0) => {
        const { status, body } = await run()
        assert.ok(status === 200 && body.successful, JSON.stringify(body))
        peer.recognizes(body.data, user, row.given?.at(nth)![1])
      }
      const statusOf = async () => (await platform.account(id)).status

      const id = await create()
      assert.equal(await statusOf(), 'ACTIVE')
      await use()
      await renewal()
      await end()
      await reconnect()
      assert.equal(await statusOf(), 'ACTIVE')
      await use(-1)
      await revoke()

      async function create(): Promise<string> {
        if (row.given) return platform.connect(config, row.scheme, user, val(0))
        const started = row.scheme === 'OAUTH2' ? await startConnection(platform, config, user) : undefined
        const { body } = started
          ? { body: {} as Values }
          : await platform.tryConnect(config, row.scheme, user, {})
        await walkTo(started?.redirectUrl ?? String(body['redirect_url']))
        return started?.id ?? String(body['id'])
      }

      /** Once for all callers, or never. */
      async function renewal(): Promise<void> {
        const before = await peer.issued()
        advance(row.renews === 'yes' ? HOUR_MS : YEAR_MS)
        for (const { body } of await Promise.all(Array.from({ length: CALLERS }, run)))
          assert.equal(body.successful, true, JSON.stringify(body))
        await use()
        assert.equal((await peer.issued()) - before, row.renews === 'yes' ? 1 : 0)
      }

      /** What can be renewed is found dead by one call; a key by three refusals in a row. */
      async function end(): Promise<void> {
        await peer.endAll()
        for (let refusals = row.renews === 'yes' ? 0 : REFUSALS; refusals > 0; refusals--)
          assert.equal((await run()).body.successful, false)
        assertRefused(await run(), 410, 1820, /EXPIRED/)
        const { status, status_reason: reason } = await platform.account(id)
        assert.equal(status, 'EXPIRED')
        assert.match(reason!, /rejected/)
      }

      async function reconnect(): Promise<void> {
        const again = (body = {}) => platform.call(refreshConnectedAccount, { params: { nanoid: id }, body })
        if (row.reconnects === 'write') {
          const state = { authScheme: row.scheme, val: val(1) }
          assert.equal(
            (
              await platform.call(updateConnectedAccount, {
                params: { nanoid: id },
                body: { connection: { state } } as never,
              })
            ).status,
            200,
          )
        } else if (row.reconnects === 'walk') {
          const { body } = await again()
          assert.equal(body.status, 'INITIATED')
          await walkTo(body.redirect_url!)
        } else {
          assert.equal((await again({ validate_credentials: true })).status, 400)
          await peer.restoreAll()
          assert.deepEqual((await again()).body, { id, status: 'ACTIVE', redirect_url: null })
        }
      }

      async function revoke(): Promise<void> {
        const before = await peer.revocations()
        const ask = () => platform.call(revokeConnectedAccount, { params: { nanoid: id } })
        const first = await ask()
        if (row.revokes !== 'yes') {
          assert.deepEqual(
            [first.status, first.body.error?.slug, await statusOf()],
            [400, 'ConnectedAccount_RevokeNotSupported', 'ACTIVE'],
          )
          return use(-1)
        }
        assert.ok(first.body.revoked_tokens?.length > 0, JSON.stringify(first.body))
        assert.ok((await peer.revocations()) > before, 'the provider saw it')
        assert.equal(await statusOf(), 'REVOKED')
        assert.equal((await run()).status, 422)
        assert.deepEqual((await ask()).body.revoked_tokens, [])
        assert.ok(await peer.isOver(row.given?.at(-1)![1]), 'nothing opens with what was ended')
      }
    }
  },
)

test('NO_AUTH is used without an account and says that it needs none; SAML is declared, and nobody can connect with it yet', async (t) => {
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
  assertRefused(
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
    AUTH_SCHEMES.filter((name) => !ROWS.some(({ scheme }) => scheme === name)),
    CONNECTED_BY_NOBODY,
  )
})
