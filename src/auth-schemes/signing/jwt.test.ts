import assert from 'node:assert/strict'
import { createHash, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { jwtVerify } from 'jose'
import { compileTemplate, type JwtManifest, lookupFrom, render } from '../../catalog/index.ts'
import { UnusableKey } from './private-key.ts'
import { signJwt } from './jwt.ts'

const NOW = Date.UTC(2026, 1, 3, 9, 30)
const at = { currentDate: new Date(NOW) }
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const ed = generateKeyPairSync('ed25519')

test('JWT: signed with every algorithm, from keys in every common format', async () => {
  const pkcs1 = rsa.privateKey.export({ type: 'pkcs1', format: 'pem' }) as string
  const cases: [JwtManifest['algorithm'], string, Parameters<typeof jwtVerify>[1]][] = [
    ['RS256', pkcs1, rsa.publicKey],
    ['PS256', pkcs1.replaceAll('\n', '\\n'), rsa.publicKey],
    ['ES256', ec.privateKey.export({ type: 'sec1', format: 'pem' }) as string, ec.publicKey],
    ['EdDSA', ed.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string, ed.publicKey],
    ['HS256', 'a secret', Buffer.from('a secret')],
    ['HS384', 'a secret', Buffer.from('a secret')],
    ['HS512', 'a secret', Buffer.from('a secret')],
  ]
  for (const [algorithm, key, proof] of cases) {
    const { payload, protectedHeader } = await jwtVerify(
      await signJwt({ algorithm, key: '{key}', lifetime_seconds: 60 }, lookupFrom({ key }), NOW),
      proof as Uint8Array,
      at,
    )
    assert.deepEqual(
      [payload, protectedHeader],
      [
        { iat: NOW / 1_000, exp: NOW / 1_000 + 60 },
        { alg: algorithm, typ: 'JWT' },
      ],
    )
  }
})

test('JWT: claims and header come from the manifest, and unset ones are omitted', async () => {
  const jwt: JwtManifest = {
    algorithm: 'HS256',
    key: '{key|after_colon}',
    key_encoding: 'hex',
    key_id: '{key|before_colon}',
    issuer: 'me',
    subject: '{user?}',
    audience: '/admin/',
    lifetime_seconds: 300,
    backdate_seconds: 60,
    headers: { 'x5t#S256': 'abc' },
    claims: { jti: '{uuid}', scope: ['a', '{scope}'], admin: true, level: 3 },
  }
  const { payload, protectedHeader } = await jwtVerify(
    await signJwt(jwt, lookupFrom({ key: 'key-1:00ff', scope: 'b' }), NOW),
    Buffer.from('00ff', 'hex'),
    { ...at, audience: '/admin/' },
  )
  assert.match(String(payload['jti']), /^[0-9a-f-]{36}$/)
  assert.deepEqual(
    { ...payload, jti: '' },
    {
      iss: 'me',
      aud: '/admin/',
      jti: '',
      scope: ['a', 'b'],
      admin: true,
      level: 3,
      iat: NOW / 1_000 - 60,
      exp: NOW / 1_000 + 300,
    },
  )
  assert.deepEqual(protectedHeader, { alg: 'HS256', typ: 'JWT', kid: 'key-1', 'x5t#S256': 'abc' })
})

test('JWT: an unusable key is reported without being quoted', async () => {
  const mint = (algorithm: JwtManifest['algorithm'], key: string, more: Partial<JwtManifest> = {}) =>
    signJwt({ algorithm, key: '{key}', lifetime_seconds: 60, ...more }, lookupFrom({ key }), NOW)
  const ecPem = ec.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
  for (const wrong of [
    mint('RS256', 'my-secret-key'),
    mint('RS256', ecPem),
    mint('HS256', 'my-secret-key', { key_encoding: 'hex' }),
  ]) {
    await assert.rejects(
      wrong,
      (error) => error instanceof UnusableKey && !/my-secret|BEGIN EC|MHc/.test(error.message),
    )
  }
})

test('JWT: the fingerprint of a key is that of its public key', () => {
  const pem = ec.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
  const expected = createHash('sha256')
    .update(createPublicKey(pem).export({ type: 'spki', format: 'der' }))
    .digest('base64')
  assert.equal(
    render(compileTemplate('SHA256:{key|public_key_sha256}'), lookupFrom({ key: pem })),
    `SHA256:${expected}`,
  )
  assert.throws(
    () => render(compileTemplate('{key|public_key_sha256}'), lookupFrom({ key: 'my-secret-key' })),
    (error: Error) => !error.message.includes('my-secret'),
  )
})
