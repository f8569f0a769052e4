import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAllTools } from '../../query/select.ts'
import { renderRequest } from '../../manifest/compile/request/request.ts'
import { lookupFrom } from '../../manifest/compile/template/templates.ts'
import type { Imported } from '../imported.ts'
import { loadImported } from '#fixtures/imported-toolkits.ts'
import { type Json, imported, collection, one, propertiesOf } from '#fixtures/postman-import.ts'

const sent = (made: Imported, args: Json) =>
  renderRequest([...readAllTools(loadImported(made))][0]!.request!, args, lookupFrom({}))

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
    loadImported(made)
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

const importBody = (body: Json, header: unknown = []) => {
  const made = one({ method: 'POST', url: '{{baseUrl}}/x', header, body })
  return { made, properties: propertiesOf(made), request: made.tools[0]!.request! }
}

test('Postman import: the fields of a JSON body become arguments with types and examples', () => {
  const raw = importBody({
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
  const list = importBody({ mode: 'raw', raw: '[{"a": "b"}]' })
  assert.deepEqual(sent(list.made, { body: [{ a: 'c' }] }).body, [{ a: 'c' }])
})

test('Postman import: forms, files, GraphQL and text become arguments, and an empty body becomes none', () => {
  const form = importBody({
    mode: 'urlencoded',
    urlencoded: [
      { key: 'grant', value: 'x' },
      { key: 'off', value: 'x', disabled: true },
    ],
  })
  assert.deepEqual([form.request.body_type, Object.keys(form.properties)], ['form', ['grant']])
  const multipart = importBody({
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
  const graphql = importBody({
    mode: 'graphql',
    graphql: { query: 'query One($id: ID!) { thing(id: $id) { id } }', variables: '{"id": "7"}' },
  })
  assert.deepEqual(Object.keys(graphql.properties), ['variables'])
  assert.deepEqual(sent(graphql.made, { variables: { id: '1' } }).body, {
    query: 'query One($id: ID!) { thing(id: $id) { id } }',
    variables: { id: '1' },
  })
  assert.equal(
    [...readAllTools(loadImported(graphql.made))][0]!.successWhen!({
      status: 200,
      headers: {},
      body: { errors: [{}] },
    }),
    false,
  )
  assert.deepEqual(
    [
      importBody({ mode: 'raw', raw: '<a/>', options: { raw: { language: 'xml' } } }).request.headers,
      importBody({ mode: 'file', file: { src: 'x' } }, 'Content-Type: image/png').request.body_type,
    ],
    [{ 'content-type': 'application/xml' }, 'binary'],
  )
  assert.deepEqual(
    [
      importBody({ mode: 'raw', raw: ' ' }).properties,
      importBody({ mode: 'none' }).properties,
      importBody({ mode: 'raw', raw: '{}', disabled: true }).properties,
      importBody({ mode: 'constructor' }).properties,
    ],
    [{}, {}, {}, {}],
  )
})
