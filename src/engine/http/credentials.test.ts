import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { jwtVerify } from 'jose'
import { catalogFromSources, findCompiledScheme } from '../../catalog/index.ts'
import { sampleSource, sampleTool } from '#fixtures/sample-toolkits.ts'
import { renderToolRequest } from '../pipeline/build-request.ts'
import { createEgressRequest } from './egress-request.ts'
import { mintRequestTokens } from './request-tokens.ts'
import type { ToolConnection } from '../types.ts'

const NOW = Date.UTC(2026, 1, 3, 9, 30)
const ARGUMENTS = ['authorization', 'x-sign', 'key', 'x_key', 'id', 'more']
const input = {
  type: 'object',
  properties: Object.fromEntries(ARGUMENTS.map((name) => [name, { description: 'Anything.' }])),
}
/** A tool that lets its caller fill everything that the credentials go into. */
const GREEDY = sampleTool({
  input,
  request: {
    method: 'POST',
    path: '/orders/{id}',
    query: ['key', 'more'],
    headers: { Authorization: '{authorization}', 'X-Sign': '{x-sign}', 'x-key': { $: 'x_key' } },
    body: { key: { $: 'key' }, more: { $: 'more' } },
  },
})
const APPLY = {
  mint: { jwt: { algorithm: 'HS256', key: '{generic_api_key}', lifetime_seconds: 60 } },
  headers: { authorization: 'Bearer {jwt}', 'X-Key': '{generic_api_key}' },
  query: { key: '{generic_api_key}' },
  body: { key: '{generic_api_key}' },
  sign: {
    kind: 'hmac',
    algorithm: 'sha256',
    key: '{generic_api_key}',
    message: '{method}\n{url}\n{body}\n{timestamp}',
    headers: { 'X-Sign': '{signature}' },
  },
}

function stageOf(auth: Record<string, unknown>, val: Record<string, unknown>, tool: unknown = GREEDY) {
  const catalog = catalogFromSources([
    sampleSource({ base_url: 'https://shop.example', auth: [auth] }, [tool]),
  ])
  const found = catalog.tool('SHOP_GET_ORDER', 'latest')!
  const scheme = findCompiledScheme(found.toolkit, String(auth['scheme']))!
  const connection: ToolConnection = {
    kind: 'custom',
    context: {
      scheme,
      credentials: val,
      sharedCredentials: {},
      authConfigCredentials: {},
      redirectUri: '',
    },
  }
  return async (args: Record<string, unknown>) =>
    createEgressRequest(
      found,
      renderToolRequest(found, args, connection),
      connection,
      NOW,
      await mintRequestTokens(connection, NOW),
    )
}

test('credentials: no argument can replace them, and the signature covers the request as it is sent', async () => {
  const build = stageOf({ scheme: 'API_KEY', apply: APPLY }, { generic_api_key: 'the-key' })
  const text = fc.string({ unit: 'grapheme' }).filter((value) => !/[\0\r\n]/.test(value))
  const hostile = fc.oneof(
    text,
    fc.constant('Bearer stolen'),
    fc.constant('/../x'),
    fc.integer(),
    fc.array(text),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.record(Object.fromEntries(ARGUMENTS.map((name) => [name, hostile])), { requiredKeys: [] }),
      fc.stringMatching(/^[a-z0-9]{1,8}$/),
      async (args, id) => {
        const { url, headers = {}, body, sensitiveHeaders } = await build({ ...args, id })
        await jwtVerify(headers['authorization']!.slice('Bearer '.length), Buffer.from('the-key'), {
          currentDate: new Date(NOW),
        })
        assert.equal(headers['x-key'], 'the-key')
        assert.deepEqual(new URL(url).searchParams.getAll('key'), ['the-key'])
        assert.equal(JSON.parse(String(body)).key, 'the-key')
        assert.equal(
          headers['x-sign'],
          createHmac('sha256', 'the-key')
            .update(`POST\n${new URL(url).href}\n${String(body)}\n${NOW / 1_000}`)
            .digest('hex'),
        )
        assert.ok(sensitiveHeaders?.includes('x-sign') && sensitiveHeaders.includes('x-key'))
        assert.equal(new URL(url).origin, 'https://shop.example')
      },
    ),
    { numRuns: 200 },
  )
})

test('credentials: a tool can use another token of the connection; without that token nothing is sent', async () => {
  const oauth = {
    scheme: 'OAUTH2',
    authorize: { url: 'https://shop.example/a' },
    token: { url: 'https://shop.example/t', secondary: { access_token: 'user.token' } },
  }
  const val = { access_token: 'bot', authed_user: { access_token: 'user' } }
  const tool = sampleTool({ use_token: 'user_access_token' })
  assert.equal((await stageOf(oauth, val, tool)({ id: '7' })).headers?.['authorization'], 'Bearer user')
  assert.equal(
    (await stageOf(oauth, val, sampleTool())({ id: '7' })).headers?.['authorization'],
    'Bearer bot',
  )
  await assert.rejects(stageOf(oauth, { access_token: 'bot' }, tool)({ id: '7' }), /lacks a value/)
  assert.throws(
    () => stageOf(oauth, val, sampleTool({ use_token: 'other_token' })),
    /not a value of a connection/,
  )
})

test('credentials: a manifest with a signature or token that cannot be made is rejected', () => {
  const assertRejected = (apply: unknown, pattern: RegExp) =>
    assert.throws(() => stageOf({ scheme: 'API_KEY', apply }, {}), pattern)
  assertRejected(
    { sign: { ...APPLY.sign, message: '{nothing}' } },
    /no field, token or captured value is named `nothing`/,
  )
  assertRejected({ sign: { ...APPLY.sign, headers: { a: 'b' } } }, /does not use `\{signature\}`/)
  assertRejected({ sign: { kind: 'oauth1' } }, /no field, token or captured value is named `consumer_key`/)
  assertRejected({ sign: { kind: 'other' } }, /sign/)
  assertRejected(
    { mint: { jwt: { ...APPLY.mint.jwt, key: '{nothing}' } } },
    /no field, token or captured value is named `nothing`/,
  )
  assertRejected({ mint: { jwt: { ...APPLY.mint.jwt, key_encoding: 'pem' } } }, /needs a secret/)
})

test('credentials: the error for a key that cannot sign does not contain the key', async () => {
  const build = stageOf(
    {
      scheme: 'API_KEY',
      apply: {
        mint: { jwt: { algorithm: 'RS256', key: '{generic_api_key}', lifetime_seconds: 60 } },
        headers: { authorization: '{jwt}' },
      },
    },
    { generic_api_key: 'the-key' },
  )
  await assert.rejects(
    build({ id: '7' }),
    (error: Error) => /not a private key/.test(error.message) && !error.message.includes('the-key'),
  )
})
