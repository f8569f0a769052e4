import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { exportJWK, SignJWT } from 'jose'
import { BACK, HOME, type SignIn, startSignIn, VERIFIER } from '#fixtures/mcp-sign-in.ts'
import { sql } from '../../../platform/db/sql.ts'
import { ASSERTION_TYPE } from '../clients/client-assertion.ts'
import { mcpAuthorizationSchedules } from '../schedules.ts'
import { PROOFS_PER_SOURCE_MAX } from './used-proofs.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

async function prover({ http, client, address, db }: SignIn) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = await exportJWK(publicKey)
  const prove = (payload: object) =>
    new SignJWT({ htm: 'POST', jti: randomUUID(), iat: Math.floor(Date.now() / 1_000), ...payload })
      .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk })
      .sign(privateKey)
  const nonce = async () =>
    String(
      (await http.inject({ method: 'POST', url: '/oauth/token', headers: { ...FORM, dpop: 'x' } })).headers[
        'dpop-nonce'
      ],
    )
  /** Sends a token request with a proof; returns status, error and token. */
  const request = async (form: Record<string, string>, remoteAddress = '203.0.113.9') => {
    const dpop = await prove({ htu: `${HOME}/oauth/token`, nonce: await nonce() })
    const payload = new URLSearchParams({ client_id: client, ...form }).toString()
    const reply = await http.inject({
      method: 'POST',
      url: '/oauth/token',
      headers: { ...FORM, dpop },
      payload,
      remoteAddress,
    })
    return { status: reply.statusCode, body: reply.json<Record<string, string>>() }
  }
  const listTools = async (token: string, key = prove) => {
    const ath = createHash('sha256').update(token).digest('base64url')
    const dpop = await key({ htu: address(), nonce: await nonce(), ath })
    const reply = await http.inject({
      method: 'POST',
      url: address().slice(HOME.length),
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `DPoP ${token}`,
        dpop,
      },
      payload: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    })
    return [reply.statusCode, reply.headers['retry-after']]
  }
  const stored = async () =>
    (await db.one<{ count: number }>(sql`select count(*)::int as count from mcp_used_proofs`))?.count
  /** Adds as many rows as one source may have, to the source of the row that was stored last. */
  const fill = () =>
    db.run(sql`
      insert into mcp_used_proofs (proof_hash, source_hash, expires_at)
      select sha256(gen_random_uuid()::text::bytea), source_hash, expires_at
      from generate_series(1, ${PROOFS_PER_SOURCE_MAX}),
        (select * from mcp_used_proofs order by expires_at desc limit 1) newest`)
  return { prove, request, listTools, stored, fill }
}

test('MCP authorization: used proofs are stored for authenticated callers, up to a limit for each source, and removed', async (t) => {
  const fixture = await startSignIn(t)
  const { codeFor, register, db } = fixture
  const { request, listTools, stored, fill, prove } = await prover(fixture)
  const unknown = { grant_type: 'refresh_token', refresh_token: 'mrt_unknown' }
  const confidential = (await register({ token_endpoint_auth_method: 'client_secret_post' })).json()
  for (const form of [
    { client_id: 'mcc_unknown' },
    { client_id: confidential.client_id, client_secret: 'mcs_x' },
  ] as Record<string, string>[])
    assert.equal((await request({ ...unknown, ...form })).body['error'], 'invalid_client')
  assert.equal(await stored(), 0, 'a client that is not authenticated')

  const redeem = async (address?: string) =>
    request(
      {
        grant_type: 'authorization_code',
        code: await codeFor('ada'),
        code_verifier: VERIFIER,
        redirect_uri: BACK,
      },
      address,
    )
  const { access_token: token = '' } = (await redeem()).body
  assert.equal(await stored(), 1)
  const thief = await prover(fixture)
  assert.deepEqual(await listTools(token, thief.prove), [401, undefined])
  assert.equal(await stored(), 1, 'a key that is not that of the token')

  await fill()
  const full = await request(unknown)
  assert.deepEqual([full.status, full.body['error']], [429, 'slow_down'])
  assert.equal((await redeem('198.51.100.7')).status, 200, 'another network')
  await db.run(sql`delete from mcp_used_proofs`)
  assert.equal((await listTools(token, prove))[0], 200)
  await fill()
  assert.deepEqual(await listTools(token), [429, '60'], 'the calls of one grant')
  const { access_token: other = '' } = (await redeem()).body
  assert.equal((await listTools(other))[0], 200, 'another grant of the same key')

  await db.run(sql`update mcp_used_proofs set expires_at = now() - interval '1 second'`)
  assert.equal((await listTools(token))[0], 200)
  await mcpAuthorizationSchedules({ db })
    .find(({ task }) => task === 'mcp.removeOldProofs')
    ?.run()
  assert.equal(await stored(), 1, 'all portions of expired rows are removed')
})

test('MCP authorization: clients of one network store a limited number of assertions', async (t) => {
  const fixture = await startSignIn(t)
  const { fill, stored } = await prover(fixture)
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const keys = [await exportJWK(publicKey)]
  const ask = async (privateKeyOf = privateKey) => {
    const metadata = { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys } }
    const id = String((await fixture.register(metadata)).json().client_id)
    const assertion = await new SignJWT({ iss: id, sub: id, aud: HOME, jti: randomUUID() })
      .setProtectedHeader({ alg: 'ES256' })
      .setExpirationTime('1m')
      .sign(privateKeyOf)
    const form = {
      grant_type: 'refresh_token',
      client_assertion: assertion,
      client_assertion_type: ASSERTION_TYPE,
    }
    return (await fixture.tokens(form)).body['error']
  }
  assert.equal(await ask(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey), 'invalid_client')
  assert.equal(await stored(), 0)
  assert.equal(await ask(), 'invalid_grant')
  await fill()
  assert.equal(await ask(), 'slow_down', 'of another client, too')
})
