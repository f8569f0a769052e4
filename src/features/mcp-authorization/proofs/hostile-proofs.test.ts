import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { test } from 'node:test'
import { exportJWK, type JWTPayload, SignJWT } from 'jose'
import { BACK, HOME, type SignIn, startSignIn, VERIFIER } from '#fixtures/mcp-sign-in.ts'
import { sql } from '../../../platform/db/sql.ts'
import { ASSERTION_TYPE } from '../clients/client-assertion.ts'

test('MCP authorization: hostile assertions and proofs', async (t) => {
  const fixture = await startSignIn(t)
  await t.test(
    'MCP authorization: an assertion of another key, algorithm, client, audience or time is rejected, and each ' +
      'works once in all processes',
    () => checkAssertions(fixture),
  )
  await t.test(
    'MCP authorization: a proof of another request, token, nonce or key form is rejected, and each works once in ' +
      'all processes',
    () => checkProofs(fixture),
  )
  await t.test('MCP authorization: private and symmetric keys cannot be registered', () => checkKeys(fixture))
})

const seconds = () => Math.floor(Date.now() / 1_000)
const ecKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })
const publicJwk = (key: KeyObject) => exportJWK(key) as Promise<Record<string, unknown>>

/** A client that registered a key, and its requests with an assertion; they return the error. */
async function assertingClient({ register, tokens }: SignIn) {
  const keys = ecKeys()
  const jwk = await publicJwk(keys.publicKey)
  const registered = await register({ token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [jwk] } })
  const id = String(registered.json().client_id)
  const good = (): JWTPayload => ({
    iss: id,
    sub: id,
    aud: HOME,
    jti: crypto.randomUUID(),
    exp: seconds() + 60,
  })
  const sign = (payload: JWTPayload, key: KeyObject = keys.privateKey) =>
    new SignJWT(payload).setProtectedHeader({ alg: 'ES256' }).sign(key)
  const bare = { grant_type: 'refresh_token', refresh_token: 'mrt_unknown', client_id: id }
  const errorOf = async (form: object) => (await tokens(form)).body['error']
  const ask = (assertion: string, more: object = {}) =>
    errorOf({ ...bare, client_assertion_type: ASSERTION_TYPE, client_assertion: assertion, ...more })
  return { jwk, good, sign, ask, askWithoutAssertion: () => errorOf(bare) }
}

type AssertingClient = Awaited<ReturnType<typeof assertingClient>>

async function checkAssertions(fixture: SignIn): Promise<void> {
  const client = await assertingClient(fixture)
  const { good, sign, ask } = client
  // A client that is authenticated learns that its refresh token is unknown.
  assert.equal(await ask(await sign(good())), 'invalid_grant')
  for (const aud of [HOME, `${HOME}/oauth/token`, ['https://other.example', HOME]])
    assert.equal(await ask(await sign({ ...good(), aud })), 'invalid_grant', String(aud))
  for (const [what, assertion] of await rejectedAssertions(client))
    assert.equal(await ask(assertion), 'invalid_client', what)
  const once = await sign(good())
  const answers = await Promise.all([ask(once), ask(once), ask(once), ask(once)])
  assert.deepEqual(answers.sort(), ['invalid_client', 'invalid_client', 'invalid_client', 'invalid_grant'])
  assert.equal(await ask(await sign(good()), { client_assertion_type: 'x' }), 'invalid_request')
  assert.equal(await ask(await sign(good()), { client_secret: 'mcs_x' }), 'invalid_request')
  assert.equal(await client.askWithoutAssertion(), 'invalid_client')
  const open = (await fixture.register()).json().client_id
  const foreign = await sign({ ...good(), iss: open, sub: open })
  assert.equal(await ask(foreign, { client_id: open }), 'invalid_client', 'a client without keys')
}

async function rejectedAssertions({ jwk, good, sign }: AssertingClient): Promise<[string, string][]> {
  const secret = new TextEncoder().encode(JSON.stringify(jwk))
  const unsigned = [{ alg: 'none' }, good()].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  )
  return [
    ['another key', await sign(good(), ecKeys().privateKey)],
    ['a shared secret', await new SignJWT(good()).setProtectedHeader({ alg: 'HS256' }).sign(secret)],
    ['no signature', `${unsigned.join('.')}.`],
    ['another client', await sign({ ...good(), sub: 'mcc_other' })],
    ['another issuer', await sign({ ...good(), iss: 'mcc_other' })],
    ['another audience', await sign({ ...good(), aud: 'https://evil.example' })],
    ['expired', await sign({ ...good(), exp: seconds() - 120 })],
    ['valid for too long', await sign({ ...good(), exp: seconds() + 3_600 })],
    ['no expiry', await sign({ ...good(), exp: undefined })],
    ['no id', await sign({ ...good(), jti: undefined })],
    ['an empty id', await sign({ ...good(), jti: '' })],
    ['a long id', await sign({ ...good(), jti: 'j'.repeat(257) })],
    ['no token', 'x'],
    ['a long text', `${'a'.repeat(20_000)}.b.c`],
  ]
}

/** A client with a key, and the requests that it signs. */
async function provingClient({ http, client, address }: SignIn) {
  const keys = ecKeys()
  const jwk = await publicJwk(keys.publicKey)
  const prove = (payload: object, header: object = {}, key: KeyObject = keys.privateKey) =>
    new SignJWT({ htm: 'POST', jti: crypto.randomUUID(), iat: seconds(), ...payload })
      .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk, ...header } as never)
      .sign(key)
  /** Exchanges a code with a proof. */
  const redeem = async (proof: string, code: string) => {
    const reply = await http.inject({
      method: 'POST',
      url: '/oauth/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded', dpop: proof },
      payload: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: client,
        code,
        code_verifier: VERIFIER,
        redirect_uri: BACK,
      }).toString(),
    })
    const { error, token_type: type, access_token: token } = reply.json<Record<string, string | undefined>>()
    return { error, type, token: String(token), nonce: String(reply.headers['dpop-nonce']) }
  }
  /** Lists tools with a token and a proof; returns the status and the error of the challenge. */
  const call = async (token: string, proof: string, scheme = 'DPoP') => {
    const reply = await http.inject({
      method: 'POST',
      url: address().slice(HOME.length),
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `${scheme} ${token}`,
        ...(proof && { dpop: proof }),
      },
      payload: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    })
    return [reply.statusCode, /error="(\w+)"/.exec(String(reply.headers['www-authenticate']))?.[1]]
  }
  return { keys, prove, redeem, call }
}

type ProvingClient = Awaited<ReturnType<typeof provingClient>>

async function checkProofs(fixture: SignIn): Promise<void> {
  const { codeFor, exchange, address, db } = fixture
  const prover = await provingClient(fixture)
  const { prove, redeem, call } = prover
  const htu = `${HOME}/oauth/token`
  const first = await redeem(await prove({ htu }), 'mac_unknown')
  assert.deepEqual([first.error, first.nonce.length > 20], ['use_dpop_nonce', true])
  const { nonce } = first
  const { type, token } = await redeem(await prove({ htu, nonce }), await codeFor('ada'))
  assert.equal(type, 'DPoP')
  const good = { htu: address(), nonce, ath: createHash('sha256').update(token).digest('base64url') }
  assert.deepEqual(await call(token, await prove(good)), [200, undefined])
  assert.deepEqual(await call(token, await prove({ ...good, htu: `${address()}?user_id=ada#x` })), [
    200,
    undefined,
  ])
  for (const [what, proof, error] of await rejectedProofs(prover, good, token))
    assert.deepEqual([what, ...(await call(token, proof))], [what, 401, error])
  assert.deepEqual(await call(token, await prove(good), 'Bearer'), [401, 'invalid_token'])
  const raced = await prove(good)
  const statuses = await Promise.all([1, 2, 3].map(async () => (await call(token, raced))[0]))
  assert.deepEqual(statuses.sort(), [200, 401, 401], 'of three uses at once, in two processes, one counts')
  const bound = await codeFor('ada', { dpop_jkt: 'x'.repeat(43) })
  assert.equal((await exchange(bound)).body['error'], 'invalid_grant', 'the code is bound to another key')
  assert.equal((await redeem(await prove({ htu, nonce }), bound)).error, 'invalid_grant')
  const rows = await db.rows<object>(sql`select * from mcp_used_proofs`)
  assert.ok(rows.length > 0 && !JSON.stringify(rows).includes(nonce.slice(0, 20)))
}

/** What is wrong, the proof, and the error of the challenge. */
async function rejectedProofs(
  { keys, prove, call }: ProvingClient,
  good: { htu: string; nonce: string; ath: string },
  token: string,
): Promise<readonly [string, string, string][]> {
  const [stranger, rsa] = [ecKeys(), generateKeyPairSync('rsa', { modulusLength: 2_048 })]
  const strangerKey = await publicJwk(stranger.publicKey)
  const used = await prove(good)
  await call(token, used)
  const invalid: [string, string][] = [
    ['no proof', ''],
    ['a used one', used],
    ['two proofs', `${await prove(good)}, ${await prove(good)}`],
    ['another method', await prove({ ...good, htm: 'GET' })],
    ['another URL', await prove({ ...good, htu: `${HOME}/oauth/token` })],
    ['another host', await prove({ ...good, htu: good.htu.replace('localhost', 'evil') })],
    ['another token', await prove({ ...good, ath: 'x'.repeat(43) })],
    ['no token', await prove({ ...good, ath: undefined })],
    ['an old time', await prove({ ...good, iat: seconds() - 3_600 })],
    ['no id', await prove({ ...good, jti: undefined })],
    ['another type', await prove(good, { typ: 'JWT' })],
    ['no key', await prove(good, { jwk: undefined })],
    ['a private key', await prove(good, { jwk: await exportJWK(keys.privateKey) })],
    ['a key that did not sign', await prove(good, { jwk: strangerKey })],
    ['a key of another type', await prove(good, { jwk: await publicJwk(rsa.publicKey) })],
    ['the key of a thief', await prove(good, { jwk: strangerKey }, stranger.privateKey)],
    ['a long text', 'a'.repeat(9_000)],
  ]
  const withoutNonce: [string, string][] = [
    ['no nonce', await prove({ ...good, nonce: undefined })],
    ['an invented nonce', await prove({ ...good, nonce: good.nonce.replace(/^.{8}/, 'AAAAAAAA') })],
    ['a long nonce', await prove({ ...good, nonce: 'n'.repeat(4_000) })],
  ]
  return [
    ...invalid.map(([what, proof]): [string, string, string] => [what, proof, 'invalid_dpop_proof']),
    ...withoutNonce.map(([what, proof]): [string, string, string] => [what, proof, 'use_dpop_nonce']),
  ]
}

async function checkKeys({ register }: SignIn): Promise<void> {
  const { publicKey, privateKey } = ecKeys()
  const good = await publicJwk(publicKey)
  const error = async (more: object) =>
    (await register({ token_endpoint_auth_method: 'private_key_jwt', ...more })).json().error
  for (const more of [
    {},
    { jwks: { keys: [] } },
    { jwks: { keys: [await exportJWK(privateKey)] } },
    { jwks: { keys: [good, { kty: 'oct', k: 'c2VjcmV0' }] } },
    { jwks: { keys: Array(21).fill(good) } },
    { jwks: { keys: [{ ...good, x: 'x'.repeat(3_000) }] } },
    { jwks: { keys: [{ ...good, kid: 7 }] } },
    { jwks: { keys: 'x' } },
    { jwks: 'x' },
    { jwks: { keys: [good] }, jwks_uri: 'https://a.example/keys' },
    { jwks_uri: 'http://a.example/keys' },
    { jwks_uri: 'https://u:p@a.example/keys' },
    { jwks_uri: 'file:///etc/passwd' },
    { jwks_uri: 7 },
  ])
    assert.equal(await error(more), 'invalid_client_metadata', JSON.stringify(more))
  assert.equal(await error({ jwks: { keys: [{ ...good, other: 'x' }] } }), undefined)
}
