import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { catalogFromSources, findCompiledScheme } from '../../catalog/index.ts'
import { sampleSource, sampleTool } from '#fixtures/sample-toolkits.ts'
import type { ConnectionContext } from '../index.ts'
import { readCodeWebhook } from './code-webhook.ts'

type Parts = Record<string, unknown>
const SECRET = 'client-secret-1'
const SIGNATURE = { header: 'X-Hook-Signature', algorithm: 'sha256', key: '{client_secret}' }

function setup(signature: Parts = {}, callback: Parts = {}, more: Parts = {}): ConnectionContext {
  const auth = {
    scheme: 'OAUTH2',
    authorize: { url: 'https://a.example/authorize' },
    token: { url: 'https://a.example/token' },
    refresh: { rotates: 'never' },
    callback: {
      source: 'webhook',
      webhook: {
        code: 'data.code',
        match: 'data.uuid',
        match_param: 'installation',
        signature: { ...SIGNATURE, ...signature },
      },
      ...callback,
    },
    ...more,
  }
  const scheme = findCompiledScheme(
    catalogFromSources([
      sampleSource({ base_url: 'https://api.example', auth: [auth] }, [sampleTool()]),
    ]).toolkit('shop')!,
    'OAUTH2',
  )!
  return {
    scheme,
    authConfigCredentials: { client_id: 'c', client_secret: SECRET },
    sharedCredentials: {},
    credentials: {},
    redirectUri: 'https://int.example/cb',
  }
}
const BODY = JSON.stringify({ data: { code: 'c-1', uuid: 'u-1' } })
const mac = (body: string | Buffer, algorithm = 'sha256', encoding: 'hex' | 'base64' = 'hex') =>
  createHmac(algorithm, SECRET).update(body).digest(encoding)
const send = (made: ConnectionContext, body: string | Buffer, signature: string | string[] | undefined) =>
  readCodeWebhook(made, { body: Buffer.from(body), headers: { 'x-hook-signature': signature } })

test('code webhook: a signed webhook supplies its code and the matching value', () => {
  assert.deepEqual(send(setup(), BODY, mac(BODY)), { code: 'c-1', match: 'u-1' })
  assert.deepEqual(
    send(
      setup({ algorithm: 'sha512', encoding: 'base64', prefix: 'v1=' }),
      BODY,
      `v1=${mac(BODY, 'sha512', 'base64')}`,
    ),
    { code: 'c-1', match: 'u-1' },
  )
  const numbers = '{ "data": {"code": "c", "uuid": 77} }\n'
  assert.deepEqual(
    send(setup(), numbers, mac(numbers)),
    { code: 'c', match: '77' },
    'over the bytes as they came',
  )
})

test('code webhook: any other signature is rejected', () => {
  const right = mac(BODY)
  for (const [what, body, signature] of [
    ['none', BODY, undefined],
    ['empty', BODY, ''],
    ['twice', BODY, [right, right]],
    ['cut', BODY, right.slice(0, -1)],
    ['longer', BODY, `${right}0`],
    ['of another body', BODY, mac(`${BODY} `)],
    ['over what JSON would make of it', `${BODY}\n`, right],
    ['of another hash', BODY, mac(BODY, 'sha1')],
    ['otherwise written', BODY, mac(BODY, 'sha256', 'base64')],
    ['with NUL', BODY, `${right.slice(0, -1)}\0`],
  ] as const)
    assert.throws(
      () => send(setup(), body, signature as string),
      { name: 'GrantRejected', code: 'invalid_signature' },
      what,
    )
  const unset = { ...setup(), credentials: { client_id: 'c', client_secret: '' } }
  assert.throws(
    () => send(unset, BODY, createHmac('sha256', '').update(BODY).digest('hex')),
    'a client without a secret signs nothing',
  )
})

test('code webhook: a signed body without a code or matching value is rejected with a message', () => {
  for (const body of [
    '',
    'null',
    '[]',
    '7',
    '{',
    '{"data":{}}',
    '{"data":{"code":"c"}}',
    '{"data":{"code":"","uuid":"u"}}',
    '{"data":{"code":{"a":1},"uuid":"u"}}',
    '{"data":{"code":["c"],"uuid":"u"}}',
    '{"data":{"code":"c","uuid":true}}',
    '{"__proto__":{"data":{"code":"c","uuid":"u"}}}',
    JSON.stringify({ data: { code: 'c'.repeat(5_000), uuid: 'u' } }),
    Buffer.from([0xff, 0xfe, 0x00]),
  ]) {
    assert.throws(
      () => send(setup(), body, mac(body)),
      { name: 'ProviderUnavailable' },
      String(body).slice(0, 60),
    )
  }
})

test('manifest: a code webhook without a secret signature is rejected', () => {
  for (const [signature, callback, reason] of [
    [{ key: 'a-text' }, {}, /must use only secret, required fields of the auth config: client_secret/],
    [{ key: '{client_id}' }, {}, /must use only secret/],
    [{ key: '{access_token}' }, {}, /must use only secret/],
    [{ key: "{client_secret||'x'}" }, {}, /must use only secret/],
    [{ key: '{client_secret?}' }, {}, /must use only secret/],
    [{ algorithm: 'md5' }, {}, /algorithm: must be sha256, sha512, sha1/],
    [{}, { source: undefined }, /must have both `source: webhook` and `webhook`/],
    [{}, { webhook: undefined }, /must have both `source: webhook` and `webhook`/],
  ] as const)
    assert.throws(() => setup(signature, callback), reason)
  assert.throws(
    () =>
      setup(
        {},
        {},
        { authorize: { url: 'https://a.example/c', flow: 'admin_consent' }, refresh: { with: 'client' } },
      ),
    /returns no code/,
  )
})
