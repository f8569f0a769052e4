import assert from 'node:assert/strict'
import { createHash, createHmac, createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { test } from 'node:test'
import { lookupFrom, type SignOf } from '../../catalog/index.ts'
import { UnusableKey } from './private-key.ts'
import type { OutgoingRequest } from '../scheme.ts'
import { signRequest } from './index.ts'
import { oauth1Header } from './oauth1-signature.ts'

const request = (more: Partial<OutgoingRequest> = {}): OutgoingRequest => ({
  method: 'GET',
  url: 'https://api.example/v1/things?b=2&a=1',
  headers: {},
  ...more,
})
const NOW = Date.UTC(2026, 1, 3, 9, 30)
const signature = (header: string) => decodeURIComponent(/oauth_signature="([^"]+)"/.exec(header)![1]!)

test('OAuth 1.0a: matches the example of the specification (OAuth Core 1.0, appendix A.5)', () => {
  const header = oauth1Header(
    request({ url: 'http://photos.example.net/photos?file=vacation.jpg&size=original' }),
    {
      consumerKey: 'dpf43f3p2l4k3l03',
      consumerSecret: 'kd94hf93k423kf44',
      token: 'nnch734d00sl2jdk',
      tokenSecret: 'pfkkdhi9sl3r4s00',
    },
    { now: 1_191_242_096_000, nonce: 'kllo9940pd9333jh' },
    { realm: 'http://photos.example.net/' },
  )
  assert.equal(signature(header), 'tR3+Ty81lMeYAr/Fid0kMTYa/WM=')
  assert.match(
    header,
    /^OAuth realm="http:\/\/photos\.example\.net\/", oauth_consumer_key="dpf43f3p2l4k3l03", /,
  )
})

test('OAuth 1.0a: the signature covers query and form body, including duplicates (RFC 5849 §3.4.1.3)', () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const keys = {
    consumerKey: '9djdj82h48djs9d2',
    consumerSecret: 'j49sk3j29djd',
    token: 'kkk9d7dh3k39sjv7',
    tokenSecret: 'dh893hdasih9',
  }
  const header = oauth1Header(
    request({
      method: 'POST',
      url: 'http://EXAMPLE.COM:80/request?b5=%3D%253D&a3=a&c%40=&a2=r%20b',
      headers: form,
      body: 'c2&a3=2+q',
    }),
    keys,
    { now: 137_131_201_000, nonce: '7d8f3e4a' },
  )
  // The base string of the RFC, with the protocol version that is always sent.
  const base =
    'POST&http%3A%2F%2Fexample.com%2Frequest&a2%3Dr%2520b%26a3%3D2%2520q%26a3%3Da%26b5%3D%253D%25253D%26c%2540%3D%26c2%3D%26oauth_consumer_key%3D9djdj82h48djs9d2%26oauth_nonce%3D7d8f3e4a%26oauth_signature_method%3DHMAC-SHA1%26oauth_timestamp%3D137131201%26oauth_token%3Dkkk9d7dh3k39sjv7%26oauth_version%3D1.0'
  assert.equal(
    signature(header),
    createHmac('sha1', 'j49sk3j29djd&dh893hdasih9').update(base).digest('base64'),
  )
  const json = oauth1Header(
    request({ method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"a":1}' }),
    keys,
    { now: NOW, nonce: 'n' },
  )
  assert.equal(
    signature(json),
    signature(oauth1Header(request({ method: 'POST' }), keys, { now: NOW, nonce: 'n' })),
    'a JSON body is no parameter',
  )
  assert.equal(
    signature(oauth1Header(request(), keys, { now: NOW, nonce: 'n' }, { method: 'PLAINTEXT' })),
    'j49sk3j29djd&dh893hdasih9',
  )
  assert.match(
    oauth1Header(request(), keys, { now: NOW, nonce: 'n' }, { method: 'HMAC-SHA256' }),
    /oauth_signature_method="HMAC-SHA256"/,
  )
})

test('AWS SigV4: matches the test suite of AWS (get-vanilla-query-order-key-case, post-vanilla)', () => {
  const sign = {
    kind: 'aws_sigv4',
    service: 'service',
    region: 'us-east-1',
    access_key_id: 'AKIDEXAMPLE',
    secret_access_key: '{secret}',
    session_token: '{session?}',
  } as const
  const lookup = lookupFrom({ secret: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' })
  const at = Date.UTC(2015, 7, 30, 12, 36)
  const sent = signRequest(
    sign,
    lookup,
    request({
      url: 'https://example.amazonaws.com/?Param2=value2&Param1=value1',
      headers: { accept: 'x', 'user-agent': 'y' },
    }),
    at,
  )
  assert.deepEqual(sent, {
    url: 'https://example.amazonaws.com/?Param2=value2&Param1=value1',
    headers: {
      'x-amz-date': '20150830T123600Z',
      authorization:
        'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, ' +
        'SignedHeaders=host;x-amz-date, ' +
        'Signature=b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
    },
  })
  assert.match(
    signRequest(sign, lookup, request({ method: 'POST', url: 'https://example.amazonaws.com/' }), at).headers[
      'authorization'
    ]!,
    /Signature=5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b$/,
  )
  const temporary = signRequest(
    sign,
    lookupFrom({ secret: 's', session: 'temporary' }),
    request({ method: 'PUT', body: 'ä' }),
    at,
  )
  assert.equal(temporary.headers['x-amz-security-token'], 'temporary')
  assert.match(
    temporary.headers['authorization']!,
    /SignedHeaders=content-length;content-type;host;x-amz-date;x-amz-security-token/,
  )
  assert.equal('content-length' in temporary.headers, false, 'the connection writes it')
})

const RFC_9421_KEY =
  '-----BEGIN PRIVATE ' +
  'KEY-----\\nMC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF\\n-----END PRIVATE ' +
  'KEY-----'

test('HTTP message signature: matches the example of RFC 9421, B.2.6', () => {
  const body = '{"hello": "world"}'
  const headers = {
    Date: 'Tue, 20 Apr 2021 02:07:55 GMT',
    'Content-Type': 'application/json',
    'content-length': '18',
  }
  const sign: SignOf<'http_message_signature'> = {
    kind: 'http_message_signature',
    algorithm: 'ed25519',
    key: '{key}',
    key_id: 'test-key-ed25519',
    label: 'sig-b26',
    components: ['date', '@method', '@path', '@authority', 'content-type', 'content-length'],
  }
  const sent = signRequest(
    sign,
    lookupFrom({ key: RFC_9421_KEY }),
    { method: 'POST', url: 'https://example.com/foo?param=Value&Pet=dog', headers, body },
    1_618_884_473_000,
  )
  assert.deepEqual(sent.headers, {
    'signature-input':
      'sig-b26=("date" "@method" "@path" "@authority" "content-type" ' +
      '"content-length");created=1618884473;keyid="test-key-ed25519"',
    signature:
      'sig-b26=:wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==:',
  })
})

test('HTTP message signature: adds body digest and date where they are signed, and rejects other key types', () => {
  const sign: SignOf<'http_message_signature'> = {
    kind: 'http_message_signature',
    algorithm: 'ed25519',
    key: '{key}',
    key_id: 'k',
    components: ['content-digest', 'date', '@target-uri'],
    send_algorithm: true,
  }
  const { headers } = signRequest(
    sign,
    lookupFrom({ key: RFC_9421_KEY }),
    request({ method: 'POST', body: '{}' }),
    NOW,
  )
  assert.equal(headers['content-digest'], `sha-256=:${createHash('sha256').update('{}').digest('base64')}:`)
  const base =
    `"content-digest": ${headers['content-digest']}\n"date": ${headers['date']}\n"@target-uri": ` +
    `https://api.example/v1/things?b=2&a=1\n"@signature-params": ` +
    `${headers['signature-input']!.slice('sig1='.length)}`
  assert.ok(
    verify(
      null,
      Buffer.from(base),
      createPublicKey(RFC_9421_KEY.replaceAll('\\n', '\n')),
      Buffer.from(headers['signature']!.slice('sig1=:'.length, -1), 'base64'),
    ),
  )
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  for (const key of ['nonsense', privateKey.export({ type: 'pkcs8', format: 'pem' }) as string])
    assert.throws(() => signRequest(sign, lookupFrom({ key }), request(), NOW), UnusableKey)
})

test('WSSE: the digest covers nonce, time and secret', () => {
  const lookup = lookupFrom({ u: 'bob', s: 'taadtaadpstcsm' })
  const sign = { kind: 'wsse', username: '{u}', secret: '{s}' } as const
  const moment = { now: Date.UTC(2003, 11, 15, 14, 43, 7), nonce: 'd36e316282959a9ed4c89851497a717f' }
  const hash = () =>
    createHash('sha1').update('d36e316282959a9ed4c89851497a717f2003-12-15T14:43:07Ztaadtaadpstcsm')
  const header = (sign: Parameters<typeof signRequest>[0]) =>
    signRequest(sign, lookup, request(), moment.now, moment).headers['x-wsse']
  assert.equal(
    header(sign),
    `UsernameToken Username="bob", PasswordDigest="${hash().digest('base64')}", Nonce="${moment.nonce}", ` +
      'Created="2003-12-15T14:43:07Z"',
  )
  assert.match(
    header({ ...sign, digest: 'hex' })!,
    new RegExp(`PasswordDigest="${Buffer.from(hash().digest('hex')).toString('base64')}"`),
  )
})

test('keyed digest: covers the message of the manifest and is placed in headers and the query', () => {
  const sign = {
    kind: 'hmac',
    algorithm: 'sha256',
    key: '{secret}',
    key_encoding: 'hex',
    encoding: 'base64',
    message: '{timestamp}\n{method}\n{host}{path}\n{sorted_query}\n{body|sha256}',
    headers: { 'X-Sign': 'v1={signature}', 'X-Time': '{timestamp}', 'X-Tenant': '{tenant?}' },
    query: { sig: '{signature}' },
  } as const
  const { url, headers } = signRequest(sign, lookupFrom({ secret: '00ff' }), request({ method: 'POST' }), NOW)
  const emptyDigest = createHash('sha256').update('').digest('hex')
  const message = `${NOW / 1_000}\nPOST\napi.example/v1/things\na=1&b=2\n${emptyDigest}`
  const expected = createHmac('sha256', Buffer.from('00ff', 'hex')).update(message).digest('base64')
  assert.deepEqual(headers, { 'x-sign': `v1=${expected}`, 'x-time': String(NOW / 1_000) })
  assert.equal(new URL(url).searchParams.get('sig'), expected)
  const plain = signRequest(
    {
      kind: 'hash',
      algorithm: 'sha512',
      message: '{secret}{nonce}',
      headers: { a: '{signature}', n: '{nonce}' },
    },
    lookupFrom({ secret: 's' }),
    request(),
    NOW,
  )
  assert.equal(plain.headers['a'], createHash('sha512').update(`s${plain.headers['n']}`).digest('hex'))
})

test('signatures: a value cannot start another header, and an unusable key is reported without being quoted', () => {
  assert.throws(
    () =>
      signRequest(
        { kind: 'hash', algorithm: 'sha1', message: 'x', headers: { a: '{v}{signature}' } },
        lookupFrom({ v: 'x\r\ny: z' }),
        request(),
        NOW,
      ),
    /line break/,
  )
  assert.throws(
    () =>
      signRequest(
        { kind: 'hmac', algorithm: 'sha1', key: '{v}', key_encoding: 'hex', message: 'x' },
        lookupFrom({ v: 'secret-in-utf8' }),
        request(),
        NOW,
      ),
    (error) => error instanceof UnusableKey && !error.message.includes('secret'),
  )
})
