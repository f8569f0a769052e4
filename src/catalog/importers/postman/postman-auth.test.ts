import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Json, imported, collection, propertiesOf } from '#fixtures/postman-import.ts'

function schemeHelpers() {
  const schemes = (document: Json) => imported(document).toolkit.auth
  const request = { method: 'GET', url: '{{baseUrl}}/a' }
  const with_ = (auth: unknown) => schemes(collection([{ name: 'A', request }], { auth }))
  return { with_, request, schemes }
}

type Schemes = ReturnType<typeof schemeHelpers>

test('Postman import: auth is declared, inherited, removed or inferred from a header', () => {
  const helpers = schemeHelpers()
  const { request } = helpers
  checkDeclaredSchemes(helpers)
  checkInferredSchemes(helpers)
  const result = imported(
    collection([{ name: 'A', request: { ...request, header: [{ key: 'X-Mine', value: '{{x}}' }] } }]),
    { auth: [{ scheme: 'API_KEY', apply: { headers: { 'x-mine': '{generic_api_key}' } } }] },
  )
  assert.deepEqual([result.toolkit.auth.length, propertiesOf(result)], [1, {}])
})

function checkDeclaredSchemes({ with_ }: Schemes): void {
  assert.deepEqual(with_({ type: 'bearer', bearer: [{ key: 'token', value: 'abc' }] }), [
    { scheme: 'BEARER_TOKEN' },
  ])
  assert.deepEqual(with_({ type: 'basic', basic: { username: 'ann', password: 'x' } }), [{ scheme: 'BASIC' }])
  assert.deepEqual(
    with_({
      type: 'apikey',
      apikey: [
        { key: 'key', value: 'X-Shop' },
        { key: 'value', value: 'k' },
      ],
    })[0]!.apply,
    { headers: { 'x-shop': '{generic_api_key}' } },
  )
  assert.deepEqual(with_({ type: 'apikey', apikey: { key: 'k', value: 'v', in: 'query' } })[0]!.apply, {
    query: { k: '{generic_api_key}' },
  })
  assert.deepEqual(
    with_({
      type: 'oauth2',
      oauth2: [
        { key: 'authUrl', value: 'https://shop.example/authorize' },
        { key: 'accessTokenUrl', value: 'https://shop.example/token' },
        { key: 'scope', value: 'read write' },
        { key: 'clientSecret', value: 'hush' },
      ],
    }),
    [
      {
        scheme: 'OAUTH2',
        authorize: { url: 'https://shop.example/authorize' },
        token: { url: 'https://shop.example/token' },
        refresh: { rotates: 'sometimes' },
        scopes: { default: ['read', 'write'] },
      },
    ],
  )
  assert.deepEqual(
    with_({
      type: 'oauth2',
      oauth2: [
        { key: 'grant_type', value: 'client_credentials' },
        { key: 'accessTokenUrl', value: 'https://shop.example/token' },
      ],
    })[0]!.scheme,
    'S2S_OAUTH2',
  )
}

function checkInferredSchemes({ request, schemes }: Schemes): void {
  const mixed = imported(
    collection(
      [
        { name: 'In', auth: { type: 'basic', basic: {} }, item: [{ name: 'A', request }] },
        { name: 'B', request: { ...request, url: '{{baseUrl}}/b', auth: { type: 'noauth' } } },
        { name: 'C', request: { ...request, url: '{{baseUrl}}/c', auth: { type: 'ntlm' } } },
      ],
      { auth: { type: 'bearer' } },
    ),
  )
  assert.deepEqual(
    [
      mixed.toolkit.auth.map(({ scheme }) => scheme),
      mixed.tools.map(({ no_auth: open }) => open),
      mixed.report.refused[0]?.cause,
    ],
    [['BASIC'], [undefined, true], 'unsupported_auth'],
  )
  const authOf = (header: unknown, query: unknown = []) =>
    schemes(
      collection([{ name: 'A', request: { ...request, header, url: { raw: '{{baseUrl}}/a', query } } }]),
    )
  assert.deepEqual(
    [
      authOf([{ key: 'Authorization', value: 'Bearer {{t}}' }]),
      authOf([{ key: 'authorization', value: 'Basic eDp5' }]),
      authOf([{ key: 'Authorization', value: 'token {{t}}' }])[0]!.apply,
    ],
    [[{ scheme: 'BEARER_TOKEN' }], [{ scheme: 'BASIC' }], { headers: { authorization: 'Token {token}' } }],
  )
  assert.deepEqual(
    [
      authOf([{ key: 'X-API-Key', value: 'abc' }])[0]!.apply,
      authOf([], [{ key: 'api_key', value: '{{k}}' }])[0]!.apply,
      authOf([], [{ key: 'token', value: 'next' }]),
    ],
    [
      { headers: { 'x-api-key': '{generic_api_key}' } },
      { query: { api_key: '{generic_api_key}' } },
      [{ scheme: 'NO_AUTH' }],
    ],
  )
}

test('Postman import: secrets and scripts of a collection do not reach the toolkit', () => {
  const hush = [
    'sk_live_abcdefgh',
    'eyJhbGciOiJIUzI1NiJ9.e30.x',
    'hush-hush',
    'ghp_0123456789abcdef',
    'dGhpcyBpcyBhIHNlY3JldCB0b2tlbg1',
    'run-this',
  ]
  const made = imported(
    collection(
      [
        {
          name: 'A',
          event: [{ listen: 'test', script: { exec: ['run-this()'] } }],
          response: [{ code: 200, body: '{"token": "hush-hush", "name": "sk_live_abcdefgh"}', header: [] }],
          request: {
            method: 'POST',
            header: [
              { key: 'Authorization', value: 'Bearer sk_live_abcdefgh' },
              { key: 'Cookie', value: 'a=hush-hush' },
              { key: 'X-Session', value: 'hush-hush' },
              { key: 'X-Odd', value: 'dGhpcyBpcyBhIHNlY3JldCB0b2tlbg1' },
            ],
            url: {
              raw: 'https://x:hush-hush@{{host}}/a/:code?access_token=sk_live_abcdefgh',
              query: [
                { key: 'access_token', value: 'sk_live_abcdefgh' },
                { key: 'q', value: 'ghp_0123456789abcdef' },
              ],
              variable: [{ key: 'code', value: 'sk_live_abcdefgh' }],
            },
            body: {
              mode: 'raw',
              raw:
                '{"password": "hush-hush", "x": "eyJhbGciOiJIUzI1NiJ9.e30.x", "y": {"client_secret": ' +
                '"hush-hush"}, "z": "{{apiToken}}"}',
            },
          },
        },
      ],
      {
        variable: [
          { key: 'host', value: 'api.shop.example' },
          { key: 'apiToken', value: 'hush-hush' },
          { key: 'v', value: 'hush-hush', type: 'secret' },
        ],
        auth: { type: 'bearer', bearer: [{ key: 'token', value: 'hush-hush' }] },
        event: [{ script: { exec: 'run-this' } }],
      },
    ),
  )
  const text = JSON.stringify(made)
  for (const word of hush) assert.equal(text.includes(word), false, word)
  assert.match(made.report.notes[0]!, /^2 scripts/)
  assert.deepEqual(made.tools[0]!.output, {
    type: 'object',
    properties: { token: { type: 'string' }, name: { type: 'string' } },
  })
})
