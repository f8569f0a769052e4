import assert from 'node:assert/strict'
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { test, type TestContext } from 'node:test'
import { exportJWK, SignJWT } from 'jose'
import { testApp } from '#fixtures/app.ts'
import { EgressError, type EgressRequest } from '../../../platform/egress/index.ts'
import { OAuthRequestError } from '../oauth-error.ts'
import { ASSERTION_TYPE } from './client-assertion.ts'
import { createOAuthClients } from './service.ts'

const HOME = 'https://patchbay.example'
const DOCUMENT = 'https://client.example/client.json'
const KEYS = 'https://client.example/keys'

/** OAuth clients whose documents come from a map of URLs. */
async function startClients(t: TestContext) {
  const { app } = await testApp(t)
  const published = new Map<string, object | undefined>()
  const requests: EgressRequest[] = []
  const egress = {
    send: async (request: EgressRequest) => {
      requests.push(request)
      const document = published.get(String(request.url))
      if (!document) throw new EgressError('refused_address', 'not a public address')
      return { status: 200, headers: {}, body: Buffer.from(JSON.stringify(document)), url: '' }
    },
  }
  const clients = createOAuthClients({
    db: app.db,
    egress: egress as never,
    clock: { now: () => Date.now() } as never,
    publicUrl: HOME,
  })
  const ask = (form: Record<string, string>) =>
    clients
      .authenticate({ path: '/oauth/token', form, authorization: undefined, ip: '203.0.113.7' })
      .catch((error: unknown) => {
        if (error instanceof OAuthRequestError) return error.message
        throw error
      })
  return { clients, published, requests, ask }
}

async function newKey(kid: string | undefined) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const assertion = (id: string) =>
    new SignJWT({ iss: id, sub: id, aud: HOME, jti: randomUUID() })
      .setProtectedHeader({ alg: 'EdDSA', ...(kid !== undefined && { kid }) })
      .setExpirationTime('1m')
      .sign(privateKey)
  const form = async (id: string) => ({
    client_id: id,
    client_assertion_type: ASSERTION_TYPE,
    client_assertion: await assertion(id),
  })
  return { jwk: { ...(await exportJWK(publicKey)), ...(kid !== undefined && { kid }) }, form, privateKey }
}

test('client keys: a key set is fetched through the egress guard, bounded, cached, and again for a new key after a minute', async (t) => {
  const { clients, published, requests, ask } = await startClients(t)
  const [first, second] = [await newKey('1'), await newKey('2')]
  const { client_id: id } = (await clients.register(
    {
      redirect_uris: ['https://client.example/cb'],
      token_endpoint_auth_method: 'private_key_jwt',
      jwks_uri: KEYS,
    },
    '203.0.113.7',
  )) as { client_id: string }
  published.set(KEYS, { keys: [first.jwk] })
  for (let n = 0; n < 2; n++)
    assert.deepEqual(await ask(await first.form(id)), { id, method: 'private_key_jwt', requiresDpop: false })
  assert.deepEqual(
    [requests.length, requests[0]?.maxRedirects, (requests[0]?.bytesMax ?? Infinity) <= 20_000],
    [1, 0, true],
  )
  published.set(KEYS, { keys: [second.jwk] })
  assert.match(String(await ask(await second.form(id))), /no key of the client signed it/)
  assert.equal(requests.length, 1, 'anyone can name an unknown key, so it is not fetched at once')
  t.mock.method(performance, 'now', () => 61_000 + 10 ** 9)
  assert.equal(((await ask(await second.form(id))) as { id: string }).id, id)
  assert.equal(requests.length, 2)
})

test('client keys: a key that was replaced without another id is fetched once a minute after a failed signature', async (t) => {
  for (const kid of [undefined, 'same']) {
    const { clients, published, requests, ask } = await startClients(t)
    const [first, second, unknown] = [await newKey(kid), await newKey(kid), await newKey(kid)]
    const { client_id: id } = (await clients.register(
      {
        redirect_uris: ['https://client.example/cb'],
        token_endpoint_auth_method: 'private_key_jwt',
        jwks_uri: KEYS,
      },
      '203.0.113.7',
    )) as { client_id: string }
    published.set(KEYS, { keys: [first.jwk] })
    const start = performance.now()
    const clock = t.mock.method(performance, 'now', () => start)
    assert.equal(((await ask(await first.form(id))) as { id: string }).id, id)
    published.set(KEYS, { keys: [second.jwk] })
    assert.match(String(await ask(await second.form(id))), /no key of the client signed it/)
    assert.equal(requests.length, 1, 'anyone can send a wrong signature, so the keys are not fetched at once')
    clock.mock.mockImplementation(() => start + 61_000)
    assert.equal(((await ask(await second.form(id))) as { id: string }).id, id)
    assert.match(String(await ask(await first.form(id))), /no key of the client signed it/)
    for (let n = 0; n < 5; n++)
      assert.match(String(await ask(await unknown.form(id))), /no key of the client signed it/)
    assert.equal(requests.length, 2, 'wrong signatures do not cause a fetch each')
    clock.mock.restore()
  }
})

test('client keys: a metadata document is read again for keys that it replaced, and not for other faults', async (t) => {
  const { published, requests, ask } = await startClients(t)
  const [first, second] = [await newKey('1'), await newKey('2')]
  const document = {
    client_id: DOCUMENT,
    redirect_uris: ['https://client.example/cb'],
    token_endpoint_auth_method: 'private_key_jwt',
  }
  published.set(DOCUMENT, { ...document, jwks: { keys: [first.jwk] } })
  const start = performance.now()
  const clock = t.mock.method(performance, 'now', () => start)
  assert.equal(((await ask(await first.form(DOCUMENT))) as { id: string }).id, DOCUMENT)
  published.set(DOCUMENT, { ...document, jwks: { keys: [second.jwk] } })
  clock.mock.mockImplementation(() => start + 61_000)
  const expired = await new SignJWT({ iss: DOCUMENT, sub: DOCUMENT, aud: HOME, jti: 'x', exp: 1 })
    .setProtectedHeader({ alg: 'EdDSA', kid: '1' })
    .sign(first.privateKey)
  const form = { client_assertion_type: ASSERTION_TYPE, client_assertion: expired }
  assert.match(String(await ask(form)), /it has expired/)
  assert.equal(requests.length, 1)
  assert.equal(((await ask(await second.form(DOCUMENT))) as { id: string }).id, DOCUMENT)
  assert.equal(requests.length, 2)
})

test('client keys: a set that cannot be used, or a private address, rejects the client without details', async (t) => {
  const { clients, published, ask } = await startClients(t)
  const key = await newKey('1')
  const register = async (uri: string) =>
    (
      (await clients.register(
        {
          redirect_uris: ['https://c.example/'],
          token_endpoint_auth_method: 'private_key_jwt',
          jwks_uri: uri,
        },
        '203.0.113.7',
      )) as { client_id: string }
    ).client_id
  const cases: [string, object | undefined, RegExp][] = [
    ['https://a.example/1', undefined, /jwks_uri of the client cannot be fetched/],
    ['https://a.example/2', { keys: [] }, /no set of public keys/],
    ['https://a.example/3', { keys: [{ kty: 'oct', k: 'c2VjcmV0' }] }, /no set of public keys/],
    ['https://a.example/4', ['x'], /no set of public keys/],
  ]
  for (const [uri, document, message] of cases) {
    published.set(uri, document)
    assert.match(String(await ask(await key.form(await register(uri)))), message, uri)
  }
})

test('client keys: a client with a metadata document proves itself with the keys that the document names', async (t) => {
  const { clients, published, ask } = await startClients(t)
  const key = await newKey('1')
  const document = { client_id: DOCUMENT, redirect_uris: ['https://client.example/cb'] }
  published.set(DOCUMENT, {
    ...document,
    token_endpoint_auth_method: 'private_key_jwt',
    jwks: { keys: [key.jwk] },
    dpop_bound_access_tokens: true,
  })
  assert.deepEqual(await ask(await key.form(DOCUMENT)), {
    id: DOCUMENT,
    method: 'private_key_jwt',
    requiresDpop: true,
  })
  assert.equal((await clients.find(DOCUMENT, '203.0.113.7')).authMethod, 'private_key_jwt')
  assert.match(String(await ask(await (await newKey('1')).form(DOCUMENT))), /no key of the client signed it/)
  const other = 'https://other.example/client.json'
  published.set(other, { ...document, client_id: other })
  assert.match(String(await ask(await key.form(other))), /has no private_key_jwt/)
})

test('client keys: keys of unknown types, curves, algorithms and uses are ignored', async (t) => {
  const { clients, published, ask } = await startClients(t)
  const key = await newKey('1')
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' })
  const unusable = [
    { kty: 'AKP', alg: 'ML-DSA-44', pub: 'AAAA', kid: '1' },
    { kty: 'toString', kid: '1' },
    { kid: '1' },
    { kty: 7 },
    { kty: 'OKP', crv: 'X25519', x: key.jwk.x, kid: '1' },
    { kty: 'OKP', crv: 'Ed448', x: 'A'.repeat(76), kid: '1' },
    { kty: 'OKP', crv: ['Ed25519'], x: key.jwk.x },
    { ...(await exportJWK(publicKey)), kid: '1' },
    { kty: 'EC', crv: 'P-256', x: 'AAAA', kid: '1' },
    { kty: 'RSA', n: 'AQAB', kid: '1' },
    { ...key.jwk, use: 'enc' },
    { ...key.jwk, alg: 'RSA-OAEP' },
    { ...key.jwk, key_ops: ['encrypt'] },
    { ...key.jwk, kid: {} },
    // Complete, but no point of the curve.
    { kty: 'OKP', crv: 'Ed25519', x: 'AAAA', kid: '1' },
  ]
  published.set(KEYS, { keys: [...unusable, key.jwk] })
  const metadata = { redirect_uris: ['https://c.example/'], token_endpoint_auth_method: 'private_key_jwt' }
  const register = async (keys: object) =>
    (await clients.register({ ...metadata, ...keys }, '203.0.113.7')) as { client_id: string; jwks?: object }
  const { client_id: fetched } = await register({ jwks_uri: KEYS })
  assert.equal(((await ask(await key.form(fetched))) as { id: string }).id, fetched)
  const stored = await register({ jwks: { keys: [...unusable, key.jwk] } })
  assert.equal(((await ask(await key.form(stored.client_id))) as { id: string }).id, stored.client_id)
  await assert.rejects(register({ jwks: { keys: unusable.slice(0, -1) } }), /one of them a public key/)
  await assert.rejects(
    register({ jwks: { keys: [key.jwk, { kty: 'oct', k: 'c2VjcmV0' }] } }),
    /symmetric key/,
  )
})
