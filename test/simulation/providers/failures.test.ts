import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FAILURES } from '../../../simulation/providers/control.ts'
import { QUIRKS } from '../../../simulation/providers/quirks/index.ts'
import { startSimulator } from '../../../simulation/providers/start.ts'
import { createEgress, type Egress, parseAllowRules } from '../../../src/platform/egress/index.ts'
import { GOES_ON, live, REDIRECT_URI } from './driver.ts'

/** In place of the bound of each request, where the provider takes longer than anybody waits. */
const SHORT_MS = 300
const quirkOf = (quirkName: string) => QUIRKS.find(({ name }) => name === quirkName)!
const quirk = quirkOf('rotates')
type Fate = 'GrantRejected' | 'ProviderUnavailable' | 'taken for done'
/**
 * RFC 7009 §2.2: the status says that the access is ended, nobody reads the body; and what is gone already is
 * ended too.
 */
const ENDING = {
  malformed: 'taken for done',
  html: 'taken for done',
  empty: 'taken for done',
  invalid_grant: 'taken for done',
} as const
/** A resource without a document about itself may still have a server at its origin; here it has none. */
const NO_DOCUMENT = { invalid_grant: 'ProviderUnavailable' } as const
/** Metadata of the resource in its error response is used first, then the well-known URLs. */
const UNASKED = Object.fromEntries(Object.keys(FAILURES).map((kind) => [kind, 'taken for done'] as const))

/**
 * The request of a scheme that fails, by its position, and the reported reason. Unless a row says
 * otherwise, `invalid_grant` is a rejection, and every other failure is transient.
 */
const REQUESTS: readonly [
  at: string,
  request: number,
  asks: string,
  otherwise?: Readonly<Record<string, Fate>>,
][] = [
  ['revocable', 0, 'OAUTH2: the code is traded'],
  ['revocable', 1, 'OAUTH2: the token is renewed'],
  ['revocable', 2, 'OAUTH2: the access is ended', ENDING],
  ['registers', 0, 'DCR_OAUTH: the resource is asked as nobody', UNASKED],
  ['registers', 1, 'DCR_OAUTH: the resource is asked for its server', NO_DOCUMENT],
  ['registers', 2, 'DCR_OAUTH: the server describes itself', NO_DOCUMENT],
  ['registers', 3, 'DCR_OAUTH: the client registers'],
  ['registers', 4, 'DCR_OAUTH: the code is traded'],
  ['registers', 5, 'DCR_OAUTH: the token is renewed'],
  ['registers', 6, 'DCR_OAUTH: the access is ended', ENDING],
  ['oauth1-walk-sha256', 0, 'OAUTH1: temporary credentials'],
  ['oauth1-walk-sha256', 1, 'OAUTH1: the verifier is traded'],
  ['oauth1-walk-sha256', 2, 'OAUTH1: the access is ended', ENDING],
  ['machine', 0, 'S2S_OAUTH2: the first token'],
  ['machine', 2, 'S2S_OAUTH2: the access is ended', ENDING],
  ['login-jwt', 0, 'BASIC_WITH_JWT: the sign-in'],
  ['login-jwt', 2, 'BASIC_WITH_JWT: the sign-out', ENDING],
  ['google-service', 0, 'GOOGLE_SERVICE_ACCOUNT: the signed grant'],
  ['installation', 0, 'SERVICE_ACCOUNT: the token of the installation'],
  ['company-session', 0, 'BASIC: the sign-in'],
  ['billcom', 0, 'BILLCOM_AUTH: the sign-out', ENDING],
]

for (const [at, request, asks, otherwise = {}] of REQUESTS) {
  test(`${asks}: every failure of the provider is explained, and the next attempt works`, async (t) => {
    const one = quirkOf(at)
    const simulator = await startSimulator({ redirectUri: REDIRECT_URI, quirks: [one] })
    const egress = createEgress({ allow: parseAllowRules('127.0.0.0/8') })
    t.after(() => Promise.all([simulator.close(), egress.close()]))
    const bounds: unknown[] = []
    const watched = (kind: string): Egress => ({
      ...egress,
      send: (options) => {
        if (options.maxRedirects === 0) bounds.push([options.timeoutMs, options.bytesMax])
        return egress.send(kind === 'slow' ? { ...options, timeoutMs: SHORT_MS } : options)
      },
    })
    const attempt = (through: Egress) => {
      simulator.provider(at).keys.restoreAll()
      return live(one, { auth: one.auth(`${simulator.url}/${at}`), toolkit: {} }, simulator, through)
    }
    for (const kind of Object.keys(FAILURES)) {
      const reply = await fetch(`${simulator.url}/_control/${at}`, {
        method: 'POST',
        body: new URLSearchParams({ fail: kind, after: String(request) }),
      })
      assert.equal(reply.status, 200)
      const error = await attempt(watched(kind)).then(
        () => undefined,
        (reason: Error) => reason,
      )
      const isDone = !error || error.message === GOES_ON
      assert.deepEqual(
        [kind, isDone ? 'taken for done' : error.name],
        [kind, otherwise[kind] ?? (kind === 'invalid_grant' ? 'GrantRejected' : 'ProviderUnavailable')],
      )
      assert.ok((error?.message.length ?? 0) < 500, `the message about ${kind} is short`)
    }
    await attempt(egress)
    assert.deepEqual(
      new Set(bounds.map(String)),
      new Set(['15000,1000000', ...(at === 'registers' ? ['5000,1000000'] : [])]),
    )
  })
}

test('a token endpoint on a private IP address is rejected unless it is allowed', async (t) => {
  const simulator = await startSimulator({ redirectUri: REDIRECT_URI, quirks: [quirk] })
  const egress = createEgress({ allow: [] })
  t.after(() => Promise.all([simulator.close(), egress.close()]))
  await assert.rejects(
    live(quirk, { auth: quirk.auth(`${simulator.url}/rotates`), toolkit: {} }, simulator, egress),
    { name: 'ProviderUnavailable' },
  )
  assert.deepEqual(simulator.stats('rotates').tokenRequests, {})
})

test('the control endpoint counts requests, and rejects unknown fields', async (t) => {
  const simulator = await startSimulator({ quirks: [quirk] })
  t.after(() => simulator.close())
  const post = async (path: string, params: Record<string, string>) =>
    (await fetch(simulator.url + path, { method: 'POST', body: new URLSearchParams(params) })).status
  assert.deepEqual(
    [await post('/_control/rotates', { fail: 'nonsense' }), await post('/_control/nobody', { fail: '500' })],
    [400, 404],
  )
  const before = simulator.now()
  assert.equal(await post('/_control', { advance_seconds: '3600' }), 200)
  assert.ok(simulator.now() - before >= 3_600_000)
  const counted = (await (await fetch(`${simulator.url}/_control/rotates`)).json()) as { families: unknown[] }
  assert.deepEqual(counted.families, [])
})
