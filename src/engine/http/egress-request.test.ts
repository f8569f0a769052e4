import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleTool } from '#fixtures/sample-toolkits.ts'
import { executeTool } from '../../contract/tools/index.ts'
import {
  startConnectedAccountsApp,
  API_KEY,
  type ConnectedAccountsApp,
  BASIC,
} from '#fixtures/connected-accounts.ts'
import { ready, tool, call, sent } from '#fixtures/shop-requests.ts'

const text = (description = 'Any.') => ({ type: 'string', description })

test('arguments: invalid arguments are a failure of the tool that names them, and nothing is sent', async (t) => {
  const input = {
    type: 'object',
    required: ['id'],
    properties: {
      id: text('Id.'),
      size: { type: 'integer', minimum: 1, description: 'Size.' },
      kind: { enum: ['a', 'b'], description: 'Kind.' },
      pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], description: 'Pair.' },
      when: { type: 'string', format: 'date-time', description: 'When.' },
    },
  }
  const s = await startConnectedAccountsApp(t, {
    auth: [API_KEY],
    tools: [
      sampleTool({
        input,
        request: { method: 'GET', path: '/orders/{id}', query: ['size', 'kind', 'pair', 'when'] },
      }),
    ],
  })
  await ready(s)
  for (const [args, message] of [
    [{}, 'Invalid arguments: id: is required'],
    [{ id: 7 }, 'Invalid arguments: id: must be string'],
    [{ id: '7', sise: 1 }, 'Invalid arguments: sise: is not a known field'],
    [{ id: '7', kind: 'c' }, 'Invalid arguments: kind: must be one of a, b'],
    [{ id: '7', size: 0, kind: 'c' }, 'Invalid arguments: size: must be >= 1; kind: must be one of a, b'],
    [{ id: '7', pair: ['x', 'y'] }, 'Invalid arguments: pair.1: must be integer'],
    [{ id: '7', when: 'soon' }, 'Invalid arguments: when: must match format "date-time"'],
  ] as const) {
    const { status, body } = await s.callTool({ arguments: args })
    assert.deepEqual(
      [status, body.successful, body.error, body.data],
      [200, false, message, { status_code: null, message }],
    )
  }
  const many = await s.callTool({ arguments: { id: '7', pair: Array.from({ length: 60_000 }, () => 1) } })
  assert.equal(many.body.error, 'Invalid arguments: pair.0: must be string')
  assert.ok((await s.callTool({ arguments: { ['x'.repeat(9_000)]: 1 } })).body.error!.length <= 4_000)
  assert.deepEqual(s.stub.requests, [])
})

test('arguments: defaults are filled in; text and arguments together are rejected', async (t) => {
  const s = await startConnectedAccountsApp(t, {
    auth: [API_KEY],
    tools: [
      tool(
        'LIST',
        { size: { type: 'integer', default: 20, description: 'Size.' } },
        { method: 'GET', path: '/list', query: ['size'] },
      ),
    ],
  })
  await ready(s)
  await call(s, 'LIST')
  assert.equal(sent(s).url, '/list?size=20')
  for (const [body, status, code] of [
    [{ text: 'do it', arguments: {} }, 400, 10400],
    [{ text: 'do it', arguments: undefined }, 501, 1860],
  ] as const) {
    const reply = await s.callTool(body, 'SHOP_LIST')
    assert.deepEqual(
      [reply.status, reply.body.error.code, reply.headers['x-should-retry']],
      [status, code, 'false'],
    )
  }
  const withHeader = (header: string) =>
    s.as({ 'x-api-key': s.keys.projectApiKey, 'x-llm-gateway-headers': header })(executeTool, {
      params: { tool_slug: 'SHOP_LIST' },
      body: { user_id: 'u1', arguments: {} },
    })
  for (const header of ['{', '[]', '"x"']) assert.equal((await withHeader(header)).status, 400)
  assert.deepEqual((await s.callTool({ text: 'a', arguments: {} }, 'SHOP_LIST')).body.error.errors, [
    "Error in payload.text.arguments: Only one of 'text' or 'arguments' must be provided",
  ])
  assert.equal(s.stub.requests.length, 1)
})

const list = { type: 'array', items: { type: 'string' }, description: 'List.' }

const tools = [
  tool('GET', { id: text() }, { method: 'GET', path: '/o/{id}/x' }),
  tool('FILE', { path: text() }, { method: 'GET', path: '/f/{+path}' }),
  tool(
    'QUERY',
    { a: list, b: list, c: list, d: text() },
    { method: 'GET', path: '/q', query: ['a', 'b', 'c', 'd'], query_style: { a: 'comma', c: 'brackets' } },
  ),
  tool('HEAD', { v: text() }, { method: 'GET', path: '/h', headers: { 'X-V': { $: 'v' } } }),
  tool('JSON', { a: text(), b: list }, { method: 'POST', path: '/j', body: ['a', 'b'] }),
  tool(
    'FORM',
    { a: text(), b: list, c: { type: ['string', 'null'], description: 'C.' } },
    { method: 'PUT', path: '/form', body: ['a', 'b', 'c'], body_type: 'form' },
  ),
  tool('TEXT', { a: text() }, { method: 'PATCH', path: '/t', body: { $: 'a' }, body_type: 'text' }),
]

const SENT_REQUESTS = [
  ['GET', { id: 'a/b ?#%ü' }, (r) => r.url, '/o/a%2Fb%20%3F%23%25%C3%BC/x'],
  ['FILE', { path: 'a/b c' }, (r) => r.url, '/f/a/b%20c'],
  [
    'QUERY',
    { a: ['1', '2'], b: ['1', '2'], c: ['1', '2'], d: 'x&y=z' },
    (r) => r.url,
    '/q?a=1,2&b=1&b=2&c%5B%5D=1&c%5B%5D=2&d=x%26y%3Dz',
  ],
  ['QUERY', {}, (r) => r.url, '/q'],
  ['HEAD', { v: 'one' }, (r) => r.headers['x-v'], 'one'],
  ['HEAD', {}, (r) => 'x-v' in r.headers, false],
  [
    'JSON',
    { a: 'x', b: ['y'] },
    (r) => [r.headers['content-type'], JSON.parse(r.body)],
    ['application/json', { a: 'x', b: ['y'] }],
  ],
  [
    'FORM',
    { a: 'x y', b: ['1', '2'], c: null },
    (r) => [r.headers['content-type'], r.body],
    ['application/x-www-form-urlencoded', 'a=x+y&b=1&b=2'],
  ],
  [
    'TEXT',
    { a: 'plain "text"' },
    (r) => [r.method, r.headers['content-type'], r.body],
    ['PATCH', 'text/plain; charset=utf-8', 'plain "text"'],
  ],
] as [
  string,
  Record<string, unknown>,
  (r: ConnectedAccountsApp['stub']['requests'][number]) => unknown,
  unknown,
][]

test('request: arguments are encoded for the path, query, header or body where the manifest puts them', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY], tools })
  await ready(s)
  for (const [name, args, look, expected] of SENT_REQUESTS) {
    assert.deepEqual(
      [name, (await call(s, name, args)).body.successful, look(sent(s))],
      [name, true, expected],
    )
  }
  const before = s.stub.requests.length
  for (const [name, args, message] of [
    ['GET', { id: '..' }, /`\.` or `\.\.`/],
    ['FILE', { path: 'a/../../admin' }, /`\.` or `\.\.`/],
    ['HEAD', { v: 'a\r\nx-evil: 1' }, /line break/],
  ] as const) {
    const { status, body } = await call(s, name, args)
    assert.deepEqual([name, status, body.successful], [name, 200, false])
    assert.match(String(body.error), message)
  }
  assert.equal(s.stub.requests.length, before)
})

test('request: credentials are where the scheme puts them; missing optional values are left out', async (t) => {
  const fields = [
    { name: 'team', display_name: 'Team', description: 'Team.', required: false },
    { name: 'host', display_name: 'Host', description: 'Host.', required: false },
  ]
  const s = await startConnectedAccountsApp(t, {
    auth: (url) => [
      {
        scheme: 'API_KEY',
        base_url: `${url}/v2/`,
        apply: {
          headers: { 'X-Key': '{generic_api_key}', 'x-team': '{team?}' },
          query: { key: '{generic_api_key}', team: '{team?}' },
          body: { token: '{generic_api_key}' },
        },
        fields: { connected_account_initiation: fields },
      },
      { ...BASIC, apply: { basic: { username: '{username}/token', password: '{password}' } } },
    ],
    toolkit: { request: { headers: { 'x-version': '7', 'x-call': '{uuid}' } } },
    tools: [tool('POST', { a: text() }, { method: 'POST', path: '/p', body: ['a'] })],
  })
  const custom = (authScheme: string, val: Record<string, unknown>) =>
    s.callTool(
      { arguments: { a: '1' }, custom_connection_data: { authScheme, toolkitSlug: 'shop', val } },
      'SHOP_POST',
    )
  assert.equal((await custom('API_KEY', { generic_api_key: 'k 1' })).body.successful, true)
  assert.deepEqual(
    [
      sent(s).url,
      sent(s).headers['x-key'],
      'x-team' in sent(s).headers,
      sent(s).headers['x-version'],
      JSON.parse(sent(s).body),
    ],
    ['/v2/p?key=k%201', 'k 1', false, '7', { a: '1', token: 'k 1' }],
  )
  assert.match(String(sent(s).headers['x-call']), /^[0-9a-f-]{36}$/)
  await custom('API_KEY', { generic_api_key: 'k', team: 'T' })
  assert.deepEqual([sent(s).url, sent(s).headers['x-team']], ['/v2/p?key=k&team=T', 'T'])
  for (const [password, pair] of [
    ['pw', 'ann/token:pw'],
    ['', 'ann/token:'],
  ] as const) {
    await custom('BASIC', { username: 'ann', password })
    assert.equal(sent(s).headers['authorization'], `Basic ${Buffer.from(pair).toString('base64')}`)
  }
})

test('request: the base URL comes from the connection, and no value can lead to another host', async (t) => {
  const fields = [{ name: 'server', display_name: 'Server', description: 'Server.' }]
  const s = await startConnectedAccountsApp(t, {
    auth: [{ ...API_KEY, fields: { connected_account_initiation: fields } }],
    toolkit: { base_url: '{server}' },
  })
  const ask = (server: string) =>
    s.callTool({
      custom_connection_data: {
        authScheme: 'API_KEY',
        toolkitSlug: 'shop',
        val: { generic_api_key: 'k', server },
      },
    })
  assert.equal((await ask(`${s.stub.url}/base/`)).body.successful, true)
  assert.equal(sent(s).url, '/base/orders/7')
  for (const bad of ['http://user:pw@127.0.0.1', 'http://127.0.0.1/?x=', 'ftp://127.0.0.1', '127.0.0.1'])
    assert.equal((await ask(bad)).body.successful, false)
  for (const [server, status, code, message] of [
    ['http://10.1.2.3:8080', 502, 1840, /allow it with EGRESS_ALLOW=10\.1\.2\.3:8080\./],
    ['http://169.254.169.254', 502, 1840, /allow it with EGRESS_ALLOW\./],
    ['http://127.0.0.1:1', 502, 1840, /refused/],
    ['http://no-such-name.invalid', 502, 1840, /does not resolve|cannot be resolved/],
  ] as const) {
    const reply = await ask(server)
    assert.deepEqual([server, reply.status, reply.body.error.code], [server, status, code])
    assert.match(reply.body.error.message, message)
  }
  assert.equal(s.stub.requests.length, 1)
})

test('limits: arguments and responses have a size limit; properties are renamed or left out as declared', async (t) => {
  const tools = [
    tool(
      'SMALL',
      { a: text() },
      { method: 'GET', path: '/a', query: ['a'] },
      { limits: { arguments_bytes: 20, response_bytes: 100 } },
    ),
    tool(
      'TIDY',
      { brief: { type: 'boolean', description: 'Brief.' } },
      { method: 'GET', path: '/a' },
      {
        response: {
          omit: { paths: ['_links', 'list[*].url'], asked_by: 'brief' },
          rename: { total_count: 'total' },
        },
      },
    ),
  ]
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY], tools })
  await ready(s)
  assert.equal((await call(s, 'SMALL', { a: 'x'.repeat(12) })).body.successful, true)
  assert.match(
    String((await call(s, 'SMALL', { a: 'x'.repeat(13) })).body.error),
    /larger than 20 bytes of JSON, the limit of SHOP_SMALL/,
  )
  assert.equal(s.stub.requests.length, 1)
  s.stub.answer = () => ({
    json: { list: [{ id: 1, url: 'u' }], _links: {}, total_count: 1, filler: 'x'.repeat(60) },
  })
  const large = await call(s, 'SMALL', {})
  assert.deepEqual(
    [large.status, large.body.data['status_code' as never], large.body.error],
    [200, 413, 'The response of the application is larger than 100 bytes. Request less at once.'],
  )
  s.stub.answer = () => ({ json: { list: [{ id: 1, url: 'u' }], _links: {}, total_count: 1 } })
  assert.deepEqual((await call(s, 'TIDY', { brief: true })).body.data, { list: [{ id: 1 }], total: 1 })
  assert.deepEqual((await call(s, 'TIDY')).body.data, { list: [{ id: 1, url: 'u' }], _links: {}, total: 1 })
})

test('find tool: a renamed tool runs by its old slug; the error of a removed tool has its replacement', async (t) => {
  const tools = [
    sampleTool({ aliases: ['SHOP_READ_ORDER'] }),
    tool(
      'OLD',
      {},
      { method: 'GET', path: '/old' },
      { deprecated: { gone: true, replaced_by: 'SHOP_GET_ORDER' } },
    ),
  ]
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY], tools })
  const config = await s.addAuthConfig(
    'API_KEY',
    {},
    { tool_access_config: { tools_available_for_execution: ['SHOP_READ_ORDER'] } },
  )
  await s.addAccount(config, 'API_KEY', { generic_api_key: 'the-secret-key' })
  for (const slug of ['SHOP_READ_ORDER', 'shop_get_order'])
    assert.equal((await s.callTool({}, slug)).body.successful, true)
  assert.deepEqual(
    (await s.executionRows()).map((row) => row['tool_slug']),
    ['SHOP_GET_ORDER', 'SHOP_GET_ORDER'],
  )
  const { status, body, headers } = await s.callTool({ arguments: {} }, 'SHOP_OLD')
  assert.deepEqual(
    [status, body.error.code, body.error.message, headers['x-should-retry']],
    [410, 1830, 'Shop no longer offers what SHOP_OLD does. Use SHOP_GET_ORDER.', 'false'],
  )
})
