import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { SignJWT, UnsecuredJWT } from 'jose'
import type { Answer } from '#fixtures/upstream.ts'
import { NOW, provider } from '#fixtures/oauth2-provider.ts'

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const other = generateKeyPairSync('rsa', { modulusLength: 2048 })
const keys = (publicKey = rsa.publicKey) => ({
  keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'RS256' }],
})
const NONCE = 'the-nonce'
type Claims = Record<string, unknown>
const claims = (more: Claims = {}): Claims => ({
  iss: 'https://as.example',
  sub: 'u',
  aud: 'id 1',
  nonce: NONCE,
  exp: NOW / 1_000 + 60,
  ...more,
})
const signed = (more: Claims = {}, key = rsa.privateKey) =>
  new SignJWT(claims(more)).setProtectedHeader({ alg: 'RS256', kid: 'k' }).sign(key)
const unsigned = (more: Claims = {}) => new UnsecuredJWT(claims(more)).encode()
const hash = (code: string) =>
  createHash('sha256').update(code).digest().subarray(0, 16).toString('base64url')

/** Runs one authorization flow and returns its result. */
async function startFlows(t: Parameters<typeof provider>[0]) {
  const p = await provider(t)
  const url = p.stub.url
  return async ({
    callback,
    reply,
    rules,
    jwks = { json: keys() },
    responseType = 'code id_token',
    nonce = true,
  }: {
    callback?: unknown
    reply?: unknown
    rules?: object | undefined
    jwks?: Answer
    responseType?: string
    nonce?: boolean
  }): Promise<string> => {
    const change = {
      authorize: { response_type: responseType, nonce },
      ...(rules
        ? { more: { id_token: { ...rules, ...('jwks_url' in rules ? { jwks_url: `${url}/jwks` } : {}) } } }
        : {}),
      secrets: nonce ? { nonce: NONCE } : {},
      callback: callback === undefined ? {} : { id_token: callback },
      reply: ({ path }: { path: string }): Answer =>
        path === '/jwks'
          ? jwks
          : { json: { access_token: 'a', ...(reply === undefined ? {} : { id_token: reply }) } },
    }
    return p.exchange(change).then(
      () => 'connected',
      (error: Error & { code?: string }) => error.code ?? `${error.name}: ${error.message}`,
    )
  }
}
const ALL = { issuer: 'https://as.example', jwks_url: '' }

test('ID token: must contain the nonce of the flow, in the callback and in the token response', async (t) => {
  const runFlow = await startFlows(t)
  assert.equal(await runFlow({ callback: await signed() }), 'connected')
  assert.equal(await runFlow({ reply: await signed() }), 'connected')
  assert.equal(await runFlow({ callback: await signed(), reply: await signed(), rules: ALL }), 'connected')
  for (const place of ['callback', 'reply']) {
    for (const nonce of ['another', undefined, '', [NONCE], { a: NONCE }])
      assert.equal(await runFlow({ [place]: await signed({ nonce }) }), 'nonce_mismatch')
  }
  assert.equal(
    await runFlow({ callback: await signed(), reply: await signed({ nonce: 'another' }) }),
    'nonce_mismatch',
  )
  assert.equal(await runFlow({}), 'id_token_missing')
  assert.equal(await runFlow({ responseType: 'code' }), 'connected', 'nobody asked for one')
  assert.equal(
    await runFlow({ nonce: false, responseType: 'code', reply: 'whatever' }),
    'connected',
    'nothing is said of it',
  )
})

test('ID token: a declared issuer and declared keys are verified', async (t) => {
  const runFlow = await startFlows(t)
  const cases: [string, Claims, string][] = [
    ['another issuer', { iss: 'https://evil.example' }, 'invalid_id_token'],
    ['another client', { aud: 'id 2' }, 'invalid_id_token'],
    ['no client', { aud: undefined }, 'invalid_id_token'],
    ['several clients', { aud: ['id 2', 'id 1'] }, 'connected'],
    ['it has ended', { exp: NOW / 1_000 - 61 }, 'invalid_id_token'],
    ['a clock that is behind', { exp: NOW / 1_000 - 30 }, 'connected'],
    ['no end', { exp: undefined }, 'invalid_id_token'],
  ]
  for (const [what, more, expected] of cases) {
    assert.deepEqual([what, await runFlow({ reply: await signed(more), rules: ALL })], [what, expected])
    assert.deepEqual(
      [what, await runFlow({ reply: unsigned(more), rules: { issuer: ALL.issuer } })],
      [what, expected],
    )
  }
  assert.equal(await runFlow({ reply: await signed({}, other.privateKey), rules: ALL }), 'invalid_id_token')
  assert.equal(await runFlow({ reply: unsigned(), rules: ALL }), 'invalid_id_token')
  const shared = await new SignJWT(claims())
    .setProtectedHeader({ alg: 'HS256', kid: 'k' })
    .sign(Buffer.from(rsa.publicKey.export({ type: 'spki', format: 'pem' }) as string))
  assert.equal(await runFlow({ reply: shared, rules: ALL }), 'invalid_id_token')
})

test('ID token: the code hash and the user must match', async (t) => {
  const runFlow = await startFlows(t)
  assert.equal(await runFlow({ callback: await signed({ c_hash: hash('c-1') }) }), 'connected')
  for (const c_hash of [hash('c-2'), '', 7, null, [hash('c-1')]])
    assert.equal(await runFlow({ callback: await signed({ c_hash }) }), 'invalid_id_token')
  assert.equal(
    await runFlow({ callback: unsigned({ c_hash: hash('c-1') }) }),
    'invalid_id_token',
    'no algorithm, no hash',
  )
  assert.equal(
    await runFlow({ callback: await signed(), reply: await signed({ sub: 'someone else' }) }),
    'invalid_id_token',
  )
})

test('ID token: malicious tokens and keys are rejected with a message, and quickly', async (t) => {
  const runFlow = await startFlows(t)
  for (const token of [
    '',
    'x',
    'a.b.c',
    '..',
    'e30.e30.',
    'x'.repeat(100_000),
    ['a', 'b'],
    { a: 1 },
    7,
    `${Buffer.from('{"alg":"RS256"}').toString('base64url')}.${Buffer.from('[]').toString('base64url')}.x`,
  ]) {
    assert.match(
      await runFlow({ callback: token }),
      /^(invalid_id_token|nonce_mismatch)$/,
      JSON.stringify(token).slice(0, 50),
    )
    assert.equal(await runFlow({ callback: token, rules: ALL }), 'invalid_id_token')
  }
  for (const jwks of [
    { status: 404 },
    { json: [] },
    { json: { keys: 'x' } },
    { text: '<html>' },
    { status: 302, headers: { location: '/token' } },
    { text: 'x'.repeat(2_000_000) },
  ] as Answer[]) {
    assert.match(await runFlow({ reply: await signed(), rules: ALL, jwks }), /^ProviderUnavailable: /)
  }
  for (const jwks of [
    { json: { keys: [] } },
    { json: { keys: [null] } },
    { json: { keys: [{ kty: 'oct', k: 'AA', kid: 'k' }] } },
  ] as Answer[])
    assert.equal(await runFlow({ reply: await signed(), rules: ALL, jwks }), 'invalid_id_token')
})
