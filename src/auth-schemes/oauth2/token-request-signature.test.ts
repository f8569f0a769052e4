import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import type { Recorded } from '#fixtures/upstream.ts'
import { catalogFromSources } from '../../catalog/index.ts'
import { sampleSource, sampleTool } from '#fixtures/sample-toolkits.ts'
import { type Change, NOW, provider } from '#fixtures/oauth2-provider.ts'

const hmac = (text: string, encoding: 'hex' | 'base64' = 'hex') =>
  createHmac('sha256', 'secret+1').update(text).digest(encoding)
const signed = (more: object, token: object = {}): Change => ({
  token: { ...token, sign: { kind: 'hmac', algorithm: 'sha256', key: '{client_secret}', ...more } },
})

test('signed token request: the signature covers exactly what is sent, with the clock of the server', async (t) => {
  const p = await provider(t)
  const change = signed(
    { message: '{body}{timestamp_ms}', headers: { timestamp: '{timestamp_ms}', sign: '{signature}' } },
    { body: 'json' },
  )
  const isSigned = ({ body, headers }: Recorded) => {
    assert.match(body, /"grant_type":/)
    assert.deepEqual(
      [headers['timestamp'], headers['sign'], headers['content-type']],
      [String(NOW), hmac(`${body}${NOW}`), 'application/json'],
    )
  }
  isSigned((await p.exchange(change)).request)
  isSigned((await p.refresh(change)).request)
})

test('signed token request: a signature in the query can use the URL, its parameters and the grant', async (t) => {
  const p = await provider(t)
  const { request } = await p.exchange(
    signed(
      { message: '{method} {path}?{query} {code}', encoding: 'base64', query: { sig: '{signature}' } },
      { method: 'GET' },
    ),
  )
  const query = request.url.slice(request.url.indexOf('?') + 1, request.url.lastIndexOf('&sig='))
  assert.match(query, /^grant_type=authorization_code&code=c-1&/)
  assert.equal(request.query.get('sig'), hmac(`GET /token?${query} c-1`, 'base64'))
})

test('signed token request: a signing failure is reported without quoting the key', async (t) => {
  const p = await provider(t)
  const pem = {
    kind: 'http_message_signature',
    algorithm: 'ed25519',
    key: '{client_secret}',
    key_id: 'k',
    components: ['@method'],
  }
  for (const [sign, why] of [
    [
      { message: '{body}', key_encoding: 'hex', headers: { s: '{signature}' } },
      /signed: the key is not encoded as hex/,
    ],
    [pem, /signed: the key is not a private key/],
  ] as const) {
    await assert.rejects(p.exchange(signed(sign)), (error: Error) => {
      assert.match(error.message, why)
      return error.name === 'ProviderUnavailable' && !error.message.includes('secret+1')
    })
  }
  assert.equal(p.stub.requests.length, 0)
})

test('manifest: a signature with unknown values, or without a place for it, is rejected', () => {
  const errors = (sign: unknown): string => {
    const auth = {
      scheme: 'OAUTH2',
      authorize: { url: 'https://a.example/authorize' },
      token: { url: 'https://a.example/token', sign },
    }
    try {
      catalogFromSources([sampleSource({ base_url: 'https://a.example', auth: [auth] }, [sampleTool()])])
      return ''
    } catch (error) {
      return (error as Error).message
    }
  }
  const sound = {
    kind: 'hmac',
    algorithm: 'sha256',
    key: '{client_secret}',
    message: '{body}',
    headers: { s: '{signature}' },
  }
  assert.equal(errors(sound), '')
  for (const [sign, reason] of [
    [
      { ...sound, key: '{nothing}' },
      /token\/sign\/key: no field, token or captured value is named `nothing`/,
    ],
    [{ ...sound, message: '{boby}' }, /token\/sign\/message/],
    [{ ...sound, headers: {} }, /does not use `\{signature\}`/],
    [{ ...sound, algorithm: 'md5' }, /algorithm/],
    [{ ...sound, kind: 'magic' }, /token\/sign/],
    ['hmac', /token\/sign/],
    [null, /token\/sign/],
    [[], /token\/sign/],
  ] as const)
    assert.match(errors(sign), reason)
})
