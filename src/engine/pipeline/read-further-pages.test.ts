import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { sampleTool } from '#fixtures/sample-toolkits.ts'
import {
  API_KEY,
  type Manifest,
  type ConnectedAccountsApp,
  startConnectedAccountsApp,
} from '#fixtures/connected-accounts.ts'
import type { Recorded } from '#fixtures/upstream.ts'

const text = { type: 'string', description: 'Any.' }
const number = { type: 'integer', description: 'Any.' }
const list = (name: string, pagination: Manifest, more: Manifest = {}) =>
  sampleTool({
    slug: `SHOP_${name}`,
    input: {
      type: 'object',
      properties: { q: text, page: number, cursor: text, limit: { ...number, default: 2 } },
    },
    output: { type: 'object', properties: {} },
    request: { method: 'GET', path: `/${name.toLowerCase()}`, query: ['q', 'page', 'cursor', 'limit'] },
    pagination: { items: 'list.items', ...pagination },
    ...more,
  })
const TOOLS = [
  list('CURSOR', { by: 'cursor', argument: 'cursor', next: 'next' }),
  list('LINK', { by: 'link', argument: 'page' }),
  list(
    'PICKED',
    { by: 'page', argument: 'page', items: 'items', size: 'limit' },
    { response: { pick: 'list.items' } },
  ),
  list('FIRST', { by: 'cursor', argument: 'cursor', next: 'next', tool: 'SHOP_CURSOR' }),
  sampleTool(),
]
const COUNT = 7

/** An application with seven orders, two on a page. */
function shop(
  s: Pick<ConnectedAccountsApp, 'stub'>,
  change: (
    request: Recorded,
    reply: { status?: number; headers?: Record<string, string>; json: Record<string, unknown> },
  ) => object = (_request, reply) => reply,
) {
  s.stub.requests.length = 0
  s.stub.answer = (request) => {
    const from = Number(request.query.get('cursor') ?? 0) || (Number(request.query.get('page') ?? 1) - 1) * 2
    const items = Array.from({ length: COUNT }, (_, id) => ({ id })).slice(from, from + 2)
    const isLast = from + 2 >= COUNT
    return change(request, {
      json: { list: { items, of: COUNT }, next: isLast ? null : String(from + 2) },
      headers: isLast ? {} : { link: `<http://elsewhere.example/?page=${from / 2 + 2}>; rel="next"` },
    })
  }
}
const ids = (data: unknown) =>
  (
    (data as { list: { items: { id: number }[] } }).list?.items ?? (data as { items: { id: number }[] }).items
  ).map(({ id }) => id)
const all = Array.from({ length: COUNT }, (_, id) => id)

test('paging: all kinds of pagination read a list to its end; other data is that of the last page', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY], tools: TOOLS })
  await s.addAccount(await s.addAuthConfig('API_KEY'), 'API_KEY', { generic_api_key: 'the-secret-key' })
  for (const name of ['CURSOR', 'LINK', 'PICKED', 'FIRST']) {
    shop(s)
    const { body } = await s.callTool({ arguments: { q: 'x' }, paging: {} }, `SHOP_${name}`)
    assert.deepEqual(
      [name, body.successful, ids(body.data), body.paging],
      [name, true, all, { pages: 4, items: COUNT, complete: true, next: null, stopped_by: null }],
    )
    // Every page has the other arguments, unless another tool reads it; nothing goes where a link leads.
    assert.deepEqual(
      s.stub.requests.map((request) => request.query.get('q')),
      name === 'FIRST' ? ['x', null, null, null] : ['x', 'x', 'x', 'x'],
    )
    assert.equal(new Set(s.stub.requests.map(({ headers }) => headers['x-key'])).size, 1)
  }
  shop(s)
  const plain = await s.callTool({ arguments: {} }, 'SHOP_CURSOR')
  assert.deepEqual([ids(plain.body.data), 'paging' in plain.body, s.stub.requests.length], [[0, 1], false, 1])
})

async function startPagedShop(t: TestContext) {
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY], tools: TOOLS })
  const config = await s.addAuthConfig(
    'API_KEY',
    {},
    {
      tool_access_config: {
        tools_available_for_execution: ['SHOP_CURSOR', 'SHOP_FIRST', 'SHOP_LINK', 'SHOP_GET_ORDER'],
      },
    },
  )
  await s.addAccount(config, 'API_KEY', { generic_api_key: 'the-secret-key' })
  const read = async (paging: object, name = 'CURSOR', args = {}) =>
    (await s.callTool({ arguments: args, paging }, `SHOP_${name}`)).body
  return { s, read }
}

type PagedShop = Awaited<ReturnType<typeof startPagedShop>>

test('paging: reading ends at its limits and returns the arguments of the next page', async (t) => {
  const started = await startPagedShop(t)
  const { s } = started
  await checkLimits(started)
  await checkHostileApplications(started)
  for (const [body, name, reason] of [
    [{ paging: {} }, 'GET_ORDER', /payload.paging: SHOP_GET_ORDER returns no list/],
    [{ paging: { max_pages: 0 } }, 'CURSOR', /paging.max_pages/],
    [{ paging: { max_items: 1e9 } }, 'CURSOR', /paging.max_items/],
  ] as const) {
    const reply = await s.callTool(body, `SHOP_${name}`)
    assert.equal(reply.status, 400)
    assert.match(reply.body.error.errors[0]!, reason)
  }
})

async function checkLimits({ s, read }: PagedShop): Promise<void> {
  shop(s)
  const two = await read({ max_pages: 2 })
  assert.deepEqual(
    [ids(two.data), two.paging],
    [[0, 1, 2, 3], { pages: 2, items: 4, complete: false, next: { cursor: '4' }, stopped_by: 'max_pages' }],
  )
  assert.deepEqual(ids((await read({}, 'CURSOR', two.paging!.next as object)).data), [4, 5, 6])
  assert.deepEqual((await read({ max_items: 3 })).paging, {
    pages: 2,
    items: 4,
    complete: false,
    next: { cursor: '4' },
    stopped_by: 'max_items',
  })
}

async function checkHostileApplications({ s, read }: PagedShop): Promise<void> {
  // An application that names the same page again and again, one that fails, one that sends more than fits.
  shop(s, (_request, { json }) => ({ json: { ...json, next: '2' } }))
  assert.deepEqual([(await read({})).paging?.stopped_by, s.stub.requests.length], ['repetition', 2])
  shop(s, (request, reply) =>
    request.query.get('cursor') === '4'
      ? { status: 403, json: { message: 'not for you: the-secret-key' } }
      : reply,
  )
  const cut = await read({})
  assert.deepEqual(
    [cut.successful, ids(cut.data), cut.paging],
    [
      true,
      [0, 1, 2, 3],
      {
        pages: 2,
        items: 4,
        complete: false,
        next: { cursor: '4' },
        stopped_by: 'error',
        error: '403 Client Error: Forbidden - not for you: [secret]',
      },
    ],
  )
  shop(s, (_request, { json }) => ({
    json: { ...json, filler: 'x'.repeat(6_000_000), next: String(Math.random()) },
  }))
  assert.deepEqual([(await read({})).paging?.stopped_by, s.stub.requests.length], ['size', 2])
  shop(s, () => ({ status: 400, json: { message: 'Bad' } }))
  const refused = await read({})
  assert.deepEqual([refused.successful, 'paging' in refused], [false, false])
}

test('paging: a tool that the auth config does not allow reads no further pages', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY], tools: TOOLS })
  await s.addAccount(
    await s.addAuthConfig(
      'API_KEY',
      {},
      { tool_access_config: { tools_available_for_execution: ['SHOP_FIRST'] } },
    ),
    'API_KEY',
    { generic_api_key: 'k' },
  )
  shop(s)
  const { body } = await s.callTool({ arguments: {}, paging: {} }, 'SHOP_FIRST')
  assert.deepEqual(
    [ids(body.data), body.paging?.stopped_by, body.paging?.next, s.stub.requests.length],
    [[0, 1], 'not_allowed', { cursor: '2' }, 1],
  )
})
