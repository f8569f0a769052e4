import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test, type TestContext } from 'node:test'
import {
  CLIENT,
  type Simulator,
  type SimulatorOptions,
  startSimulator,
} from '../../../simulation/providers/start.ts'

const VERIFIER = 'v'.repeat(43)
const BACK = 'http://127.0.0.1:1/back'

async function rotating(t: TestContext, options: SimulatorOptions = {}) {
  const simulator: Simulator = await startSimulator(options)
  t.after(() => simulator.close())
  const base = `${simulator.url}/rotating`
  const post = async (params: Record<string, string>) => {
    const reply = await fetch(`${base}/token`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: CLIENT.id, client_secret: CLIENT.secret, ...params }),
    })
    return (await reply.json()) as Record<string, string>
  }
  return {
    simulator,
    async connect() {
      const challenge = createHash('sha256').update(VERIFIER).digest('base64url')
      const query = new URLSearchParams({
        response_type: 'code',
        client_id: CLIENT.id,
        redirect_uri: BACK,
        state: 's',
        code_challenge: challenge,
        code_challenge_method: 'S256',
      })
      const reply = await fetch(`${base}/authorize?${query}`, { redirect: 'manual' })
      const code = new URL(reply.headers.get('location') ?? '').searchParams.get('code') ?? ''
      return {
        code,
        tokens: await post({
          grant_type: 'authorization_code',
          code,
          redirect_uri: BACK,
          code_verifier: VERIFIER,
        }),
      }
    },
    redeem: (code: string) =>
      post({ grant_type: 'authorization_code', code, redirect_uri: BACK, code_verifier: VERIFIER }),
    renew: (token = '') => post({ grant_type: 'refresh_token', refresh_token: token }),
    me: async (token = '') =>
      (await fetch(`${base}/api/me`, { headers: { authorization: `Bearer ${token}` } })).status,
  }
}

test('a refresh token that is shown twice ends every token of its family, and no other', async (t) => {
  const p = await rotating(t)
  const [one, other] = [(await p.connect()).tokens, (await p.connect()).tokens]
  const next = await p.renew(one['refresh_token'])
  assert.equal(await p.me(next['access_token']), 200)
  assert.equal((await p.renew(one['refresh_token']))['error'], 'invalid_grant')
  assert.equal((await p.renew(next['refresh_token']))['error'], 'invalid_grant')
  assert.deepEqual([await p.me(next['access_token']), await p.me(other['access_token'])], [401, 200])
  const { families, ...counters } = p.simulator.stats()
  assert.deepEqual(counters, {
    tokenRequests: { authorization_code: 2, refresh_token: 3 },
    rejections: 3,
    issued: 3,
    revocations: 0,
    reuses: 1,
    deadFamilies: 1,
  })
  assert.deepEqual(families[0], { id: 'family-1', dead: true, tokenRequests: 2, refreshes: 1, reuses: 1 })
})

test('within the grace of a rotation the old token still works', async (t) => {
  const p = await rotating(t, { reuseGraceSeconds: 60 })
  const { tokens } = await p.connect()
  await p.renew(tokens['refresh_token'])
  assert.equal(typeof (await p.renew(tokens['refresh_token']))['access_token'], 'string')
  assert.equal(p.simulator.stats().reuses, 0)
})

test('a code is traded once; a second time ends what the first gave', async (t) => {
  const p = await rotating(t)
  const { code, tokens } = await p.connect()
  assert.equal((await p.redeem(code))['error'], 'invalid_grant')
  assert.equal(await p.me(tokens['access_token']), 401)
})
