import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { catalogFromSources } from '../../manifest/load/load.ts'
import { readAllTools } from '../../query/select.ts'
import { renderRequest } from '../../manifest/compile/request/request.ts'
import { lookupFrom } from '../../manifest/compile/template/templates.ts'
import { importPostman } from '../import.ts'
import type { Imported, ImportOptions } from '../imported.ts'
import { ImportRejected } from '../import-rejected.ts'

type Json = Record<string, unknown>
const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'
const collection = (item: unknown[], more: Json = {}): Json => ({
  info: { name: 'Shop API', description: 'Sells things to people who want things.', schema: SCHEMA },
  item,
  variable: [{ key: 'baseUrl', value: 'https://api.shop.example/v1' }],
  ...more,
})
const imported = (document: unknown, options: ImportOptions = {}): Imported =>
  importPostman(JSON.stringify(document), options)
const one = (request: unknown, more: Json = {}, item: Json = {}) =>
  imported(collection([{ name: 'Do it', request, ...item }], more))
const propertiesOf = ({ tools }: Imported, index = 0) =>
  (tools[index]!.input as { properties: Record<string, Json> }).properties
const loaded = ({ toolkit, tools }: Imported) =>
  catalogFromSources([
    {
      slug: toolkit.slug,
      toolkit: {
        ...toolkit,
        created: '2026-01-01',
        releases: [{ version: '20260101_00', changes: 'First.' }],
      },
      tools: { tools: [...tools] },
      icon: '<svg/>',
    },
  ])
const sent = (made: Imported, args: Json) =>
  renderRequest([...readAllTools(loaded(made))][0]!.request!, args, lookupFrom({}))

test('Postman import: folders become tags, names become slugs, and a repeated URL gives several tools', () => {
  const made = imported(
    collection([
      {
        name: 'Users',
        item: [
          { name: 'List', request: { method: 'GET', url: '{{baseUrl}}/users' } },
          { name: 'Delete user', request: { method: 'POST', url: { raw: '{{baseUrl}}/users/:id/delete' } } },
        ],
      },
      {
        name: 'Orders',
        item: [
          { name: 'List', request: { method: 'GET', url: '{{baseUrl}}/orders' } },
          { name: 'Search', request: { method: 'POST', url: '{{baseUrl}}/rpc' } },
          { name: 'Count', request: { method: 'POST', url: '{{baseUrl}}/rpc' } },
          { name: 'https://api.shop.example/v1/x', request: 'https://api.shop.example/v1/x' },
        ],
      },
      { name: 'Docs' },
      5,
      null,
    ]),
  )
  assert.deepEqual(
    made.tools.map(({ slug, effect, tags }) => [slug, effect, tags]),
    [
      ['SHOP_LIST_USERS', 'read', ['Users']],
      ['SHOP_DELETE_USER', 'delete', ['Users']],
      ['SHOP_LIST_ORDERS', 'read', ['Orders']],
      ['SHOP_SEARCH', 'create', ['Orders']],
      ['SHOP_COUNT', 'create', ['Orders']],
      ['SHOP_GET_V1_X', 'read', ['Orders']],
    ],
  )
  assert.deepEqual(Object.keys(made.origins).slice(1, 5), [
    'POST /users/{id}/delete',
    'GET /orders',
    'POST /rpc',
    'POST /rpc (Orders / Count)',
  ])
  assert.deepEqual(
    [made.toolkit.slug, made.toolkit.base_url, made.toolkit.auth],
    ['shop', 'https://api.shop.example/v1', [{ scheme: 'NO_AUTH' }]],
  )
  const again = imported(collection([{ name: 'Renamed', request: '{{baseUrl}}/users' }]), {
    former: new Map(Object.entries(made.origins)),
  })
  assert.equal(again.tools[0]!.slug, 'SHOP_LIST_USERS')
})

test('Postman import: URLs are read with variables, other hosts and no scheme, without their passwords', () => {
  for (const [url, base, path] of [
    ['{{baseUrl}}/users/{{userId}}', 'https://api.shop.example/v1', '/users/{userId}'],
    ['{{baseUrl}}/{{ apiVersion }}/users', 'https://api.shop.example/v1', '/v2/users'],
    ['{{unknown}}/a', '{unknown}', '/a'],
    ['https://{{sub}}.shop.example/a', "https://{sub||'eu'}.shop.example", '/a'],
    ['{{scheme}}://api.shop.example:8443/a', 'https://api.shop.example:8443', '/a'],
    ['api.shop.example/a', 'https://api.shop.example', '/a'],
    ['https://ann:secret@api.shop.example/a', 'https://api.shop.example', '/a'],
    ['https://api.shop.example', 'https://api.shop.example', '/'],
    ['{{chained}}/a', 'https://api.shop.example/v1/more', '/a'],
    [
      {
        protocol: 'https',
        host: ['api', 'shop', 'example'],
        path: ['a', ':id'],
        query: [
          { key: 'x', value: '1' },
          { key: 'off', value: '1', disabled: true },
        ],
      },
      'https://api.shop.example',
      '/a/{id}',
    ],
    [{ host: '{{host}}', path: '/a' }, 'https://api.shop.example', '/a'],
  ] as [unknown, string, string][]) {
    const made = one(
      { method: 'GET', url },
      {
        variable: [
          { key: 'baseUrl', value: 'https://api.shop.example/v1' },
          { key: 'apiVersion', value: 'v2' },
          { key: 'userId', value: '42' },
          { key: 'sub', value: 'eu' },
          { key: 'chained', value: '{{baseUrl}}/more' },
          { key: 'host', value: 'https://api.shop.example' },
          { key: 'token', value: 'x', type: 'secret' },
        ],
      },
    )
    assert.deepEqual([made.toolkit.base_url, made.tools[0]!.request!.path], [base, path], JSON.stringify(url))
    loaded(made)
  }
  const other = imported(
    collection([
      { name: 'A', request: '{{baseUrl}}/a' },
      { name: 'B', request: '{{baseUrl}}/b' },
      { name: 'Upload', request: 'https://uploads.shop.example/c' },
    ]),
  )
  assert.equal(other.tools[2]!.request!.path, 'https://uploads.shop.example/c')
})

test('Postman import: examples become typed arguments, disabled parts are left out, headers are fixed', () => {
  const made = one({
    method: 'GET',
    header: [
      { key: 'X-Version', value: '2026-01' },
      { key: 'X-Trace', value: '{{trace}}' },
      { key: 'X-Off', value: '1', disabled: true },
      { key: 'Content-Type', value: 'application/json' },
    ],
    url: {
      raw: '{{baseUrl}}/users/:id?page=2',
      query: [
        { key: 'page', value: '2', description: 'Which page.' },
        { key: 'all', value: 'true' },
        { key: 'ids[]', value: 'a' },
        { key: 'ids[]', value: 'b' },
        { key: 'q', value: '{{q}}', description: { content: '(Required) What to look for.' } },
        { key: 'zip', value: '01234' },
      ],
      variable: [{ key: 'id', value: '7', description: 'Whose.' }],
    },
  })
  assert.deepEqual(propertiesOf(made), {
    id: { type: 'string', examples: ['7'], description: 'Whose.', minLength: 1 },
    page: { type: 'integer', description: 'Which page.', examples: [2] },
    all: { type: 'boolean', description: 'All.' },
    ids: { type: 'array', items: { type: 'string', examples: ['a'] }, description: 'Ids.' },
    q: { type: 'string', description: '(Required) What to look for.' },
    zip: { type: 'string', description: 'Zip.', examples: ['01234'] },
    'X-Trace': { type: 'string', description: 'X trace.' },
  })
  assert.deepEqual((made.tools[0]!.input as Json)['required'], ['id', 'q'])
  assert.deepEqual(sent(made, { id: 'x', q: 'y', ids: ['1', '2'] }), {
    method: 'GET',
    path: '/users/x',
    query: [
      ['ids[]', '1'],
      ['ids[]', '2'],
      ['q', 'y'],
    ],
    headers: { 'x-version': '2026-01' },
    body: undefined,
    bodyType: 'json',
  })
})

test('Postman import: bodies of every mode become arguments', () => {
  const body = (body: Json, header: unknown = []) => {
    const made = one({ method: 'POST', url: '{{baseUrl}}/x', header, body })
    return { made, properties: propertiesOf(made), request: made.tools[0]!.request! }
  }
  const raw = body({
    mode: 'raw',
    raw:
      '{\n // a comment\n "name": "{{name}}", "id": {{id}}, "count": 3, "price": 5, "on": true, "tags": ' +
      '["a"], "lines": [{"sku": "x"}, {"amount": 2}], "url": "https://x.example", "none": null }',
    options: { raw: { language: 'json' } },
  })
  assert.deepEqual(raw.properties, {
    name: { type: 'string', description: 'Name.' },
    id: { description: 'Id.' },
    count: { type: 'integer', examples: [3], description: 'Count.' },
    price: { type: 'number', examples: [5], description: 'Price.' },
    on: { type: 'boolean', description: 'On.' },
    tags: { type: 'array', items: { type: 'string', examples: ['a'] }, description: 'Tags.' },
    lines: {
      type: 'array',
      items: {
        type: 'object',
        properties: { sku: { type: 'string', examples: ['x'] }, amount: { type: 'number', examples: [2] } },
      },
      description: 'Lines.',
    },
    url: { type: 'string', examples: ['https://x.example'], description: 'Url.' },
    none: { description: 'None.' },
  })
  assert.deepEqual(sent(raw.made, { name: 'n', lines: [{ sku: 's' }] }).body, {
    name: 'n',
    lines: [{ sku: 's' }],
  })
  const list = body({ mode: 'raw', raw: '[{"a": "b"}]' })
  assert.deepEqual(sent(list.made, { body: [{ a: 'c' }] }).body, [{ a: 'c' }])
  const form = body({
    mode: 'urlencoded',
    urlencoded: [
      { key: 'grant', value: 'x' },
      { key: 'off', value: 'x', disabled: true },
    ],
  })
  assert.deepEqual([form.request.body_type, Object.keys(form.properties)], ['form', ['grant']])
  const multipart = body({
    mode: 'formdata',
    formdata: [
      { key: 'file', type: 'file', src: '/etc/passwd' },
      { key: 'note', value: 'hello' },
    ],
  })
  assert.deepEqual(
    [
      multipart.request.body_type,
      multipart.properties['file']!['type'],
      JSON.stringify(multipart.made).includes('passwd'),
    ],
    ['multipart', 'object', false],
  )
  const graphql = body({
    mode: 'graphql',
    graphql: { query: 'query One($id: ID!) { thing(id: $id) { id } }', variables: '{"id": "7"}' },
  })
  assert.deepEqual(Object.keys(graphql.properties), ['variables'])
  assert.deepEqual(sent(graphql.made, { variables: { id: '1' } }).body, {
    query: 'query One($id: ID!) { thing(id: $id) { id } }',
    variables: { id: '1' },
  })
  assert.equal(
    [...readAllTools(loaded(graphql.made))][0]!.successWhen!({
      status: 200,
      headers: {},
      body: { errors: [{}] },
    }),
    false,
  )
  assert.deepEqual(
    [
      body({ mode: 'raw', raw: '<a/>', options: { raw: { language: 'xml' } } }).request.headers,
      body({ mode: 'file', file: { src: 'x' } }, 'Content-Type: image/png').request.body_type,
    ],
    [{ 'content-type': 'application/xml' }, 'binary'],
  )
  assert.deepEqual(
    [
      body({ mode: 'raw', raw: ' ' }).properties,
      body({ mode: 'none' }).properties,
      body({ mode: 'raw', raw: '{}', disabled: true }).properties,
      body({ mode: 'constructor' }).properties,
    ],
    [{}, {}, {}, {}],
  )
})

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

test('Postman import: invalid collections are rejected, and cyclic variables end', () => {
  const refusal = (source: string) => {
    try {
      importPostman(source)
    } catch (error) {
      assert.ok(error instanceof ImportRejected, String((error as Error).stack))
      return error.why
    }
    return undefined
  }
  for (const [source, why] of [
    ['', 'not_readable'],
    ['{}', 'not_postman'],
    ['{"item":5}', 'not_postman'],
    ['{"item":[]}', 'no_operations'],
    ['{"item":[{"name":"A","request":{}}]}', 'no_operations'],
    ['{"requests":[],"order":[]}', 'not_postman'],
    [`{"item":${'[{"item":'.repeat(300)}[]${'}]'.repeat(300)}}`, 'too_large'],
    ['{"item":[{"request":{"url":"https://x.example","method":"BREW"}}]}', 'no_operations'],
  ] as const)
    assert.equal(refusal(source), why, source.slice(0, 60))
  checkLimits()
  const proto = importPostman(
    JSON.stringify(
      collection([
        {
          name: 'A',
          request: {
            method: 'POST',
            url: '{{baseUrl}}/a',
            body: { mode: 'raw', raw: '{"__proto__": {"polluted": 1}, "constructor": 1}' },
          },
        },
        { name: 'B', request: { url: { raw: '{{baseUrl}}/b', query: [{ key: '__proto__', value: '1' }] } } },
      ]),
    ),
  )
  assert.deepEqual(
    [
      Object.keys(propertiesOf(proto)),
      proto.report.refused.map(({ cause }) => cause),
      ({} as Json)['polluted'],
    ],
    [['constructor'], ['unsafe_name'], undefined],
  )
})

function checkLimits(): void {
  const bomb = Array.from({ length: 30 }, (_, n) => ({
    key: `v${n}`,
    value: `{{v${(n + 1) % 30}}}{{v${(n + 1) % 30}}}`,
  }))
  assert.equal(
    one(
      { url: 'https://api.shop.example/{{v0}}', header: [{ key: 'x-v', value: '{{v0}}' }] },
      { variable: bomb },
    ).tools.length,
    1,
  )
  assert.equal(
    importPostman(JSON.stringify({ collection: collection([{ name: 'A', request: '{{baseUrl}}/a' }]) })).tools
      .length,
    1,
    'as the API of Postman answers',
  )
  const slow = `{"a": ${'/*'.repeat(200_000)}${'"\\'.repeat(200_000)}{{${' '.repeat(200_000)}`
  assert.equal(
    one(
      { method: 'POST', url: `{{${' '.repeat(5_000)}x.example`, body: { mode: 'raw', raw: slow } },
      {},
      { name: slow },
    ).tools.length,
    1,
    'no text takes longer than reading it',
  )
}

const document = collection([
  {
    name: 'F',
    auth: { type: 'apikey', apikey: [{ key: 'key', value: 'k' }] },
    item: [
      {
        name: 'A',
        response: [{ code: 200, body: '{"a":1}' }],
        request: {
          method: 'POST',
          header: [{ key: 'h', value: 'v' }],
          url: {
            raw: '{{baseUrl}}/a/:id?q=1',
            host: ['x'],
            path: ['a'],
            query: [{ key: 'q', value: '1' }],
            variable: [{ key: 'id', value: '1' }],
          },
          body: {
            mode: 'urlencoded',
            urlencoded: [{ key: 'a', value: 'b' }],
            graphql: { query: '{ a }' },
            raw: '{"a":1}',
          },
        },
      },
    ],
  },
])

const junk = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(
    null,
    [],
    {},
    '',
    -1,
    '{',
    '{{',
    '}}',
    '{{x}}',
    ':',
    '/:/{{',
    'raw',
    'graphql',
    'formdata',
    'file',
    'https://',
    '//',
    '?',
    '#',
    'a\r\nb',
    true,
  ),
)

test('Postman import: any damaged collection is rejected or gives a toolkit that loads', () => {
  const places: (string | number)[][] = []
  const visit = (value: unknown, at: (string | number)[]) => {
    if (value !== null && typeof value === 'object')
      for (const [key, inner] of Object.entries(value)) {
        places.push([...at, key])
        visit(inner, [...at, key])
      }
  }
  visit(document, [])
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom(...places), junk), { minLength: 1, maxLength: 4 }),
      (spoilt) => {
        const copy = structuredClone(document)
        for (const [path, value] of spoilt) {
          const parent = path
            .slice(0, -1)
            .reduce<unknown>(
              (at, key) => (at !== null && typeof at === 'object' ? (at as Json)[key] : undefined),
              copy,
            )
          if (parent !== null && typeof parent === 'object') (parent as Json)[path.at(-1)!] = value
        }
        try {
          loaded(imported(copy))
        } catch (error) {
          if (!(error instanceof ImportRejected)) throw error
        }
      },
    ),
    { numRuns: 400 },
  )
})
