import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { test } from 'node:test'
import { jwtVerify, type JWTVerifyResult } from 'jose'
import { formOf, NOW, provider } from '#fixtures/oauth2-provider.ts'

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const pem = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }) as string
/** Self-signed certificate for this test, with the fingerprint from `openssl x509 -fingerprint -sha256`. */
const CERTIFICATE = [
  '-----BEGIN CERTIFICATE-----',
  ...[
    'MIIBiDCCAS+gAwIBAgIUbgU83dySIUOdFb0RH6uF88Nd1AEwCgYIKoZIzj0EAwIwGTEXMBUGA1UEAwwOY2xpZW50LmV4YW1wbGUwIBcNMjYxMTIxMTcwNzQ3',
    'WhgPMjEyNjEwMjgxNzA3NDdaMBkxFzAVBgNVBAMMDmNsaWVudC5leGFtcGxlMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEm5HE4Kc5JTsCVGysQBRDgGz5',
    'j0IBrOUdRfAL+d0F7Xp7uS8ggO+Hra327iHKffCgk9frscLFwTYhpnpT4rrWKaNTMFEwHQYDVR0OBBYEFFdjUJ0iVoEVQIX8Yeptnyt2REdwMB8GA1UdIwQY',
    'MBaAFFdjUJ0iVoEVQIX8Yeptnyt2REdwMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDRwAwRAIgC5j5jhQB4hdiqr59EchZwTRFUPfxxGCwKEfRFlat',
    'Q60CIAEA+rTiSTOHgOKUE4TkZh10/UYUCm6G7zW+h5lebziv',
  ]
    .join('')
    .match(/.{1,64}/g)!,
  '-----END CERTIFICATE-----',
].join('\n')
const FINGERPRINT = '7aa0539db55f6a3d27dfeb56706467bd0ba3b2d4da07729511ce409e73980b84'

const CASES = [
  ['RS256', rsa],
  ['PS256', rsa],
  ['ES256', ec],
] as const
const field = (name: string) => ({ name, display_name: name, description: 'A key.', secret: true })
const fields = { auth_config_creation: [field('private_key'), field('certificate')] }
const verified = (token: string | null, key: KeyObject, algorithm: string): Promise<JWTVerifyResult> =>
  jwtVerify(String(token), key, { currentDate: new Date(NOW), algorithms: [algorithm] })

test('client assertion: signed with the key of the client for code exchange, refresh and introspection', async (t) => {
  const p = await provider(t)
  for (const [algorithm, { privateKey, publicKey }] of CASES) {
    const change = {
      fields,
      authConfigCredentials: { private_key: pem(privateKey) },
      more: { client_auth: { jwt: { algorithm, key: '{private_key}', key_id: 'k-1' } } },
    }
    const introspect = {
      ...change,
      token: { introspect: { url: `${p.stub.url}/introspect` } },
      reply: { json: { access_token: 'a', active: true } },
    }
    for (const request of [
      (await p.exchange(change)).request,
      (await p.refresh(change)).request,
      (await p.exchange(introspect)).request,
    ]) {
      const { payload, protectedHeader } = await verified(
        formOf(request).get('client_assertion'),
        publicKey,
        algorithm,
      )
      const { jti, ...claims } = payload
      assert.deepEqual(claims, {
        iss: 'id 1',
        sub: 'id 1',
        aud: `${p.stub.url}/token`,
        iat: NOW / 1_000,
        exp: NOW / 1_000 + 300,
      })
      assert.match(String(jti), /^[0-9a-f-]{36}$/)
      assert.deepEqual(protectedHeader, { alg: algorithm, typ: 'JWT', kid: 'k-1' })
    }
    const other =
      algorithm === 'ES256'
        ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
        : generateKeyPairSync('rsa', { modulusLength: 2048 })
    await assert.rejects(
      verified(
        formOf((await p.exchange(change)).request).get('client_assertion'),
        other.publicKey,
        algorithm,
      ),
      { code: 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED' },
    )
  }
})

test('signed grant: signed with the key of the connection', async (t) => {
  const p = await provider(t)
  for (const [algorithm, { privateKey, publicKey }] of CASES) {
    const { request } = await p.exchange({
      fields,
      authConfigCredentials: { private_key: pem(privateKey) },
      token: {
        assertion: {
          algorithm,
          key: '{private_key}',
          issuer: '{client_id}',
          subject: 'ada',
          audience: 'https://as.example',
          lifetime_seconds: 60,
        },
      },
    })
    const { payload } = await verified(formOf(request).get('assertion'), publicKey, algorithm)
    assert.deepEqual(
      [payload.iss, payload.sub, payload.aud, payload.exp],
      ['id 1', 'ada', 'https://as.example', NOW / 1_000 + 60],
    )
  }
})

test('client assertion: the signed header contains the certificate thumbprint (RFC 7515 4.1.8)', async (t) => {
  const p = await provider(t)
  const change = (certificate: string) => ({
    fields,
    authConfigCredentials: { private_key: pem(rsa.privateKey), certificate },
    more: {
      client_auth: {
        jwt: {
          algorithm: 'PS256',
          key: '{private_key}',
          x5t_s256_of: '{certificate}',
          headers: { 'x5t#S256': 'not this' },
        },
      },
    },
  })
  const { protectedHeader } = await verified(
    formOf((await p.exchange(change(CERTIFICATE))).request).get('client_assertion'),
    rsa.publicKey,
    'PS256',
  )
  assert.equal(Buffer.from(String(protectedHeader['x5t#S256']), 'base64url').toString('hex'), FINGERPRINT)
  const sent = p.stub.requests.length
  for (const broken of ['my-secret-certificate', CERTIFICATE.slice(0, 200), pem(rsa.privateKey)]) {
    await assert.rejects(
      p.exchange(change(broken)),
      (error: Error) =>
        error.name === 'ProviderUnavailable' &&
        /the key has a certificate that cannot be parsed/.test(error.message) &&
        !error.message.includes(broken.slice(-40, -10)),
    )
  }
  assert.equal(p.stub.requests.length, sent)
})

test('client assertion: an unusable key is reported without quoting it', async (t) => {
  const p = await provider(t)
  for (const [algorithm, key] of [
    ['RS256', pem(ec.privateKey)],
    ['ES256', pem(rsa.privateKey)],
    ['PS256', 'my-secret-key'],
  ] as const) {
    await assert.rejects(
      p.exchange({
        fields,
        authConfigCredentials: { private_key: key },
        more: { client_auth: { jwt: { algorithm, key: '{private_key}' } } },
      }),
      (error: Error) =>
        error.name === 'ProviderUnavailable' &&
        /the key (does not fit|is not a private key)/.test(error.message) &&
        !error.message.includes(key.slice(-60, -30) || key),
    )
  }
  assert.equal(p.stub.requests.length, 0)
})
