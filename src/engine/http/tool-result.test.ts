import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { ToolFailure } from '../../catalog/index.ts'
import { sampleTool } from '#fixtures/sample-toolkits.ts'
import { startConnectedAccountsApp, API_KEY } from '#fixtures/connected-accounts.ts'
import { tool, ready, call, sent } from '#fixtures/shop-requests.ts'

const ANY = { type: 'object', properties: {} }

test('result: data is an object for every response', async (t) => {
  const tools = [
    tool('ANY', {}, { method: 'GET', path: '/any' }),
    tool('PICK', {}, { method: 'GET', path: '/any' }, { response: { pick: 'data.list', wrap: 'orders' } }),
  ]
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY], tools })
  await ready(s)
  for (const [what, answer, data, name = 'ANY'] of [
    ['an object', { json: { a: 1 } }, { a: 1 }],
    ['a list', { json: [1, 2] }, { items: [1, 2] }],
    ['a number', { json: 7 }, { value: 7 }],
    ['null', { json: null }, {}],
    ['nothing', { status: 204 }, {}],
    ['text', { text: 'hello' }, { value: 'hello' }],
    [
      'text that says it is JSON',
      { text: '{oops', headers: { 'content-type': 'application/json' } },
      { value: '{oops' },
    ],
    ['JSON that says it is text', { text: '{"a":1}' }, { a: 1 }],
    [
      'lines of JSON',
      { text: '1\n2', headers: { 'content-type': 'application/x-ndjson' } },
      { value: '1\n2' },
    ],
    ['an SVG', { text: '<svg/>', headers: { 'content-type': 'image/svg+xml' } }, { value: '<svg/>' }],
    ['TEXT', { text: 'x', headers: { 'content-type': 'TEXT/Plain' } }, { value: 'x' }],
    ['a part', { json: { data: { list: [1] } } }, { orders: [1] }, 'PICK'],
    ['a part that is an object', { json: { data: { list: { a: 1 } } } }, { a: 1 }, 'PICK'],
    ['a part that is not there', { json: {} }, {}, 'PICK'],
  ] as [string, object, unknown, string?][]) {
    s.stub.answer = () => answer
    const { status, body } = await call(s, name)
    assert.deepEqual(
      [what, status, body.successful, body.error, body.data, body.session_info],
      [what, 200, true, null, data, null],
    )
    assert.match(body.log_id, /^log_[0-9a-z]{5}[A-Za-z0-9]{12}$/)
  }
})

test('result: an error of the provider is 200 with successful false, its status and its text', async (t) => {
  const s = await startConnectedAccountsApp(t, {
    auth: [API_KEY],
    toolkit: { error_message: ['errors[0].text'] },
  })
  await ready(s)
  for (const [answer, http_error, message] of [
    [
      { status: 404, json: { errors: [{ text: 'No such order' }], message: 'other' } },
      '404 Client Error: Not Found',
      'No such order',
    ],
    [{ status: 422, json: { message: 'Bad size' } }, '422 Client Error: Unprocessable Entity', 'Bad size'],
    [{ status: 400, json: { error: { message: 'Deep' } } }, '400 Client Error: Bad Request', 'Deep'],
    [{ status: 400, json: { odd: true } }, '400 Client Error: Bad Request', '{"odd":true}'],
    [{ status: 429, text: 'slow down' }, '429 Client Error: Too Many Requests', 'slow down'],
    [
      { status: 500, text: '<html>stack</html>' },
      '500 Server Error: Internal Server Error',
      '500 Server Error: Internal Server Error',
    ],
    [{ status: 503 }, '503 Server Error: Service Unavailable', '503 Server Error: Service Unavailable'],
    [{ status: 599, json: {} }, '599 Server Error: Unknown', '599 Server Error: Unknown'],
    [{ status: 304 }, '304 Not Modified', '304 Not Modified'],
    [
      { status: 400, json: { message: 'x'.repeat(9_000) } },
      '400 Client Error: Bad Request',
      'x'.repeat(2_000),
    ],
  ] as const) {
    s.stub.answer = () => answer as object
    const { status, body } = await s.callTool()
    assert.deepEqual(
      [status, body.successful, body.data],
      [200, false, { http_error, status_code: answer.status, message }],
    )
    assert.equal(body.error, message === http_error ? message : `${http_error} - ${message}`)
  }
})

test('result: success_when of the tool overrides that of the toolkit', async (t) => {
  const s = await startConnectedAccountsApp(t, {
    auth: [API_KEY],
    toolkit: { success_when: { body: { path: 'ok', equals: true } }, error_message: ['error'] },
    tools: [
      tool('A', {}, { method: 'GET', path: '/a' }),
      tool('B', {}, { method: 'GET', path: '/b' }, { success_when: { status: 200 } }),
    ],
  })
  await ready(s)
  s.stub.answer = () => ({ json: { ok: false, error: 'channel_not_found' } })
  const { status, body } = await call(s, 'A')
  assert.deepEqual(
    [status, body.successful, body.error, body.data],
    [200, false, 'channel_not_found', { status_code: 200, message: 'channel_not_found' }],
  )
  assert.equal((await call(s, 'B')).body.successful, true)
})

test('result: the error table of the toolkit decides before the status whether credentials are rejected', async (t) => {
  const errors = [
    { when: { status: 401, header: { name: 'x-limited' } }, meaning: 'rate_limit' },
    { when: { body: { path: 'code', equals: 'dead' } }, meaning: 'reauth' },
    { when: { status: 403 }, meaning: 'permission' },
  ]
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY], toolkit: { errors } })
  const id = await ready(s)
  for (const [answer, counted] of [
    [{ status: 401, headers: { 'x-limited': '1' } }, 0],
    [{ status: 403, json: {} }, 0],
    [{ status: 200, json: { code: 'dead' } }, 1],
    [{ status: 401 }, 2],
    [{ status: 403, json: {} }, 0],
  ] as const) {
    s.stub.answer = () => answer as object
    await s.callTool()
    assert.deepEqual([answer, (await s.accountRow(id))['auth_failures']], [answer, counted])
  }
})

async function startCodeTools(t: TestContext) {
  const run = { run: 'code', request: undefined, input: ANY }
  const s = await startConnectedAccountsApp(t, {
    auth: [API_KEY],
    tools: ['OK', 'FAIL', 'BUG', 'REFUSED', 'AWAY', 'UP', 'NONE', 'LIST'].map((name) => {
      const { request: _, ...rest } = sampleTool({ slug: `SHOP_${name}`, ...run })
      return rest
    }),
    code: {
      code: async () => ({
        SHOP_OK: async (_args, { request, now }) => ({
          now: now(),
          got: await request({
            method: 'POST',
            path: '/x',
            query: { a: [1, 2], b: undefined },
            headers: { 'x-h': 'v' },
            body: { c: 1 },
          }),
        }),
        SHOP_FAIL: () => {
          throw new ToolFailure('The label is unknown', { statusCode: 404 })
        },
        SHOP_BUG: () => {
          throw new TypeError('internal detail the-secret-key')
        },
        SHOP_REFUSED: (_args, { request }) => request({ method: 'GET', path: '/refused' }),
        SHOP_AWAY: (_args, { request }) => request({ method: 'GET', path: 'https://evil.example/' }),
        SHOP_UP: (_args, { request }) => request({ method: 'GET', path: '/a/../../admin' }),
        SHOP_NONE: () => undefined,
        SHOP_LIST: () => [1],
      }),
    },
    answer: ({ path }) =>
      path === '/refused'
        ? { status: 403, json: { message: 'not yours: the-secret-key' } }
        : { json: { ok: 1 } },
  })
  await ready(s)
  return { s }
}

test('code tools: a failure is reported, a defect is hidden, and only the application gets credentials', async (t) => {
  const { s } = await startCodeTools(t)
  const ok = await call(s, 'OK')
  assert.deepEqual(
    [
      ok.body.successful,
      ok.body.data['got' as never],
      sent(s).url,
      sent(s).headers['x-key'],
      sent(s).headers['x-h'],
      sent(s).body,
    ],
    [true, { ok: 1 }, '/x?a=1&a=2', 'the-secret-key', 'v', '{"c":1}'],
  )
  assert.deepEqual(
    [(await call(s, 'NONE')).body.data, (await call(s, 'LIST')).body.data],
    [{}, { items: [1] }],
  )
  const fail = await call(s, 'FAIL')
  assert.deepEqual(
    [fail.status, fail.body.successful, fail.body.error, fail.body.data],
    [200, false, 'The label is unknown', { status_code: 404, message: 'The label is unknown' }],
  )
  const refused = await call(s, 'REFUSED')
  assert.deepEqual(
    [refused.status, refused.body.error, refused.body.data['status_code' as never]],
    [200, '403 Client Error: Forbidden - not yours: [secret]', 403],
  )
  const before = s.stub.requests.length
  for (const name of ['BUG', 'AWAY', 'UP']) {
    const { status, body } = await call(s, name)
    assert.deepEqual(
      [name, status, body.error.code, body.error.message],
      [name, 500, 10500, 'Something went wrong on our side.'],
    )
  }
  assert.equal(s.stub.requests.length, before)
  assert.deepEqual(
    (await s.executionRows()).slice(-3).map((row) => [row['successful'], row['error']]),
    Array.from({ length: 3 }, () => [false, 'Something went wrong on our side.']),
  )
})
