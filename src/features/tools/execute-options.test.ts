import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { sampleTool } from '#fixtures/sample-toolkits.ts'
import { updateProjectConfig } from '../../contract/projects/index.ts'
import type { ReplyOf } from '../../contract/route.ts'
import { executeTool, readResponsePage } from '../../contract/tools/index.ts'
import { sql } from '../../platform/db/sql.ts'
import {
  API_KEY,
  CLIENT,
  oauth,
  requestsTo,
  startConnectedAccountsApp,
  type ConnectedAccountsApp,
} from '#fixtures/connected-accounts.ts'

const input = { type: 'object', properties: { item: { type: 'string' } } }
const CREATE = sampleTool({
  slug: 'SHOP_CREATE_ORDER',
  effect: 'create',
  input,
  request: { method: 'POST', path: '/orders', query: { q: '{item}' }, body: { item: '{item}' } },
})
const QUERY_KEY = {
  scheme: 'BASIC',
  apply: { query: { who: '{username}' }, headers: { authorization: 'Secret {password}' } },
}

const keyed = (s: ConnectedAccountsApp, user = 'u1') =>
  s
    .addAuthConfig('API_KEY')
    .then((id) => s.addAccount(id, 'API_KEY', { generic_api_key: 'the-secret-key' }, { user_id: user }))
const withKey = (s: ConnectedAccountsApp, key: string, more: Record<string, string> = {}) =>
  s.as({ 'x-api-key': s.keys.projectApiKey, 'idempotency-key': key, ...more }, 'v3.1')
const create = (
  by: ReturnType<ConnectedAccountsApp['as']>,
  item = 'tea',
  more: Record<string, unknown> = {},
) =>
  by(executeTool, {
    params: { tool_slug: 'SHOP_CREATE_ORDER' },
    body: { user_id: 'u1', arguments: { item }, ...more } as never,
  })

async function startDryRuns(t: TestContext) {
  const s = await startConnectedAccountsApp(t, {
    auth: (url) => [API_KEY, QUERY_KEY, oauth(url)],
    tools: [CREATE],
  })
  await keyed(s)
  await s.addAccount(
    await s.addAuthConfig('BASIC'),
    'BASIC',
    { username: 'ann-the-user', password: 'pass-word-1' },
    { user_id: 'u2' },
  )
  await s.addAccount(
    await s.addAuthConfig('OAUTH2', CLIENT),
    'OAUTH2',
    { status: 'ACTIVE', access_token: 'access-token-1', refresh_token: 'refresh-token-1', expires_in: 60 },
    { user_id: 'u3' },
  )
  s.clock.advance(61_000)
  s.stub.requests.length = 0
  const dry = async (more: Record<string, unknown>) =>
    (
      await s.callTool(
        { arguments: { item: 'a b' }, response: { dry_run: true }, ...more },
        'SHOP_CREATE_ORDER',
      )
    ).body
  return { dry, s }
}

type DryRuns = Awaited<ReturnType<typeof startDryRuns>>

test('dry run: returns the request without credentials, sends nothing and refreshes no token', async (t) => {
  const started = await startDryRuns(t)
  const { dry, s } = started
  const dryRun = await checkDryRun(started)
  const [basic, renewed, custom, wrong] = [
    await dry({ user_id: 'u2' }),
    await dry({ user_id: 'u3' }),
    await dry({
      custom_auth_params: {
        parameters: [
          { name: 'x-mine', in: 'header', value: 'header-secret-1' },
          { name: 'mine', in: 'query', value: 'query-secret-1' },
        ],
        body: { pin: 'body-secret-1' },
      },
    }),
    await dry({ arguments: { items: 'x' } }),
  ]
  assert.equal((renewed.data as { credentials: string }).credentials, 'would be refreshed first')
  assert.deepEqual((custom.data as { request: { body: unknown } }).request.body, {
    item: 'a b',
    pin: '[secret]',
  })
  assert.deepEqual(
    [wrong.successful, /items/.test(String(wrong.error))],
    [false, true],
    'arguments are checked all the same',
  )
  for (const secret of [
    'the-secret-key',
    'ann-the-user',
    'pass-word-1',
    'access-token-1',
    'header-secret-1',
    'query-secret-1',
    'body-secret-1',
  ])
    assert.ok(!JSON.stringify([dryRun, basic, renewed, custom]).includes(secret), secret)
  assert.deepEqual(s.stub.requests, [])
  assert.ok((await s.executionRows()).every((row) => row['dry_run'] && row['requests'] === 0))
  assert.equal(
    (await s.callTool({ response: { dryrun: true } as never }, 'SHOP_CREATE_ORDER')).status,
    400,
    'a misspelt option runs nothing',
  )
  assert.deepEqual(s.stub.requests, [])
})

async function checkDryRun({ dry, s }: DryRuns) {
  const dryRun = await dry({})
  assert.deepEqual(
    [dryRun.successful, dryRun.error, dryRun.data],
    [
      true,
      null,
      {
        dry_run: true,
        credentials: 'would be used as they are',
        request: {
          method: 'POST',
          url: `${s.stub.url}/orders?q=a%20b`,
          headers: {
            accept: 'application/json',
            'user-agent': 'patchbay/0.1',
            'x-key': '[secret]',
            'content-type': 'application/json',
          },
          body: { item: 'a b' },
        },
      },
    ],
  )
  return dryRun
}

const ROWS = Array.from({ length: 60 }, (_, id) => ({ id, name: `row ${id}`, text: 'x'.repeat(100) }))

async function startLargeResponse(t: TestContext) {
  const s = await startConnectedAccountsApp(t, {
    auth: [API_KEY],
    answer: () => ({ json: { total: 60, rows: ROWS } }),
  })
  await keyed(s)
  return { s }
}

type LargeResponse = Awaited<ReturnType<typeof startLargeResponse>>

test('response options: a reply has the requested fields and at most the requested tokens; pages follow', async (t) => {
  const started = await startLargeResponse(t)
  const { s } = started
  await checkSelection(started)
  const { ask, response } = await checkPages(started)
  await s.app.db.run(sql`update response_pages set expires_at = now() - interval '1 second'`)
  assert.equal(await ask(s.call, response.id!), 'ActionExecute_ResponseNotFound')
  await s.app.schedules.find(({ task }) => task === 'tools.removeOld')!.run()
  assert.deepEqual(await s.app.db.rows(sql`select id from response_pages`), [])
  await checkUnstoredPages(started)
})

async function checkSelection({ s }: LargeResponse): Promise<void> {
  const selected = await s.callTool({ response: { fields: ['rows.id', 'nope'] } })
  assert.deepEqual(
    [selected.body.data, selected.body.response],
    [{ rows: ROWS.map(({ id }) => ({ id })) }, { missing_fields: ['nope'] }],
  )
  const whole = await s.callTool({ response: { max_tokens: 100_000 } })
  assert.deepEqual(
    [whole.body.data, whole.body.response?.next_page, whole.body.response?.pages],
    [{ total: 60, rows: ROWS }, null, 1],
  )
}

async function checkPages({ s }: LargeResponse) {
  const {
    body: { data: first, response },
  } = await s.callTool({ response: { max_tokens: 500, fields: ['rows'] } })
  assert.ok(
    response?.id &&
      response.pages! > 2 &&
      response.total_tokens! > 1_500 &&
      Date.parse(response.expires_at!) > Date.now(),
  )
  const rows = [...(first as { rows: unknown[] }).rows]
  for (let page = response.next_page; page;) {
    const { body }: { body: ReplyOf<typeof readResponsePage> } = await s.call(readResponsePage, {
      params: { response_id: response.id },
      query: { page },
    })
    assert.equal(body.response.begins_at, `rows[${rows.length}]`)
    rows.push(...(body.data as { rows: unknown[] }).rows)
    page = body.response.next_page
  }
  assert.deepEqual(rows, ROWS)
  const ask = async (call: ConnectedAccountsApp['call'], id: string, page = 2) =>
    (await call(readResponsePage, { params: { response_id: id }, query: { page } })).body.error?.slug
  assert.deepEqual(
    [
      await ask(s.call, response.id, 99),
      await ask(s.call, 'rsp_000000000000'),
      await ask(await s.otherProject(), response.id),
    ],
    Array(3).fill('ActionExecute_ResponseNotFound'),
  )
  assert.ok(
    !JSON.stringify(
      await s.app.db.rows(sql`select encode(encrypted_payload, 'escape') as text from response_pages`),
    ).includes('row 59'),
    'sealed at rest',
  )
  return { ask, response }
}

async function checkUnstoredPages({ s }: LargeResponse): Promise<void> {
  await s.call(updateProjectConfig, { body: { log_visibility_setting: 'dont_store_data' } })
  const unkept = await s.callTool({ response: { max_tokens: 500 } })
  assert.deepEqual(
    [
      unkept.body.response!.id,
      unkept.body.response!.next_page,
      unkept.body.response!.pages! > 2,
      await s.app.db.rows(sql`select id from response_pages`),
    ],
    [undefined, null, true, []],
  )
}

test('idempotency key: a call is made once, repetitions get its reply, another call is rejected', async (t) => {
  let orders = 0
  const s = await startConnectedAccountsApp(t, {
    auth: [API_KEY],
    tools: [CREATE],
    answer: () => ({ status: 201, json: { order: ++orders } }),
  })
  await keyed(s)
  orders = 0
  const first = await create(withKey(s, 'order-1'))
  const again = await create(withKey(s, 'order-1', { 'x-request-id': 'second' }))
  assert.deepEqual(
    [first.body.data, again.body.data, again.body.log_id, again.body.response, orders],
    [{ order: 1 }, { order: 1 }, first.body.log_id, { replayed: true }, 1],
  )
  for (const other of [
    await create(withKey(s, 'order-1'), 'coffee'),
    await create(withKey(s, 'order-1'), 'tea', { user_id: 'u2' }),
    await withKey(s, 'order-1')(executeTool, { params: { tool_slug: 'SHOP_NONE' }, body: {} }),
  ]) {
    assert.deepEqual(
      [other.status, other.body.error.slug, other.headers['x-should-retry']],
      [409, 'ActionExecute_IdempotencyKeyReused', 'false'],
    )
  }
  assert.equal((await create(withKey(s, 'order-2'))).body.data['order' as never], 2)
  const theirs = await create(await s.otherProject())
  assert.equal(theirs.status, 404)
  const racing = await Promise.all(Array.from({ length: 8 }, () => create(withKey(s, 'order-3'))))
  assert.deepEqual(
    [
      orders,
      racing
        .filter(({ status }) => status !== 200)
        .every(({ body }) => body.error.slug === 'ActionExecute_IdempotentCallUnderWay'),
    ],
    [3, true],
  )
  await s.app.db.run(sql`update idempotency_keys set expires_at = now() - interval '1 second'`)
  assert.equal(
    (await create(withKey(s, 'order-1'), 'coffee')).body.data['order' as never],
    4,
    'after a day the key is free',
  )
  for (const wrong of ['', 'a b', 'é', 'x'.repeat(256)])
    assert.equal((await create(withKey(s, wrong))).status, 400, wrong)
  assert.ok(
    !JSON.stringify(
      await s.app.db.rows(sql`select id, encode(encrypted_payload, 'escape') from idempotency_keys`),
    ).includes('order-1'),
  )
  await s.app.db.run(sql`update idempotency_keys set expires_at = now() - interval '1 second'`)
  await s.app.schedules.find(({ task }) => task === 'tools.removeOld')!.run()
  assert.deepEqual(await s.app.db.rows(sql`select id from idempotency_keys`), [])
})

test('idempotency key: only a call that may have had an effect uses its key', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY], tools: [CREATE] })
  const by = withKey(s, 'order-1')
  assert.equal((await create(by)).status, 404, 'no account yet')
  await keyed(s)
  let sent = 0
  s.stub.answer = () => {
    sent++
    return { status: 500, json: { message: 'half of it is done' } }
  }
  const failed = await create(by)
  const again = await create(by)
  assert.deepEqual(
    [failed.body.successful, again.body.error, again.body.log_id],
    [false, failed.body.error, failed.body.log_id],
  )
  assert.ok(sent >= 1)
  const before = requestsTo(s, '/orders').length
  s.stub.answer = () => {
    throw new Error('never asked')
  }
  assert.equal((await create(by)).body.log_id, failed.body.log_id)
  assert.equal(requestsTo(s, '/orders').length, before)
})

test('idempotency key: a call whose server ended is repeated only if nothing was sent', async (t) => {
  let orders = 0
  const s = await startConnectedAccountsApp(t, {
    auth: [API_KEY],
    tools: [CREATE],
    answer: () => ({ status: 201, json: { order: ++orders } }),
  })
  await keyed(s)
  orders = 0
  const { body } = await create(withKey(s, 'order-1'))
  const died = (lease: string) =>
    s.app.db.run(
      sql`update idempotency_keys set status = 'running', lease_until = now() + ${lease}::interval`,
    )
  await died('1 minute')
  assert.equal((await create(withKey(s, 'order-1'))).body.error.slug, 'ActionExecute_IdempotentCallUnderWay')
  await died('-1 minute')
  await s.app.db.run(
    sql`update tool_executions set successful = null, duration_ms = null where id = ${body.log_id}`,
  )
  const unknown = await create(withKey(s, 'order-1'))
  assert.deepEqual(
    [unknown.status, unknown.body.error.slug, unknown.body.error.message.includes(body.log_id)],
    [409, 'ActionExecute_IdempotentOutcomeUnknown', true],
  )
  await s.app.db.run(sql`delete from tool_executions where id = ${body.log_id}`)
  assert.deepEqual((await create(withKey(s, 'order-1'))).body.data, { order: 2 }, 'nothing had been sent')
  await s.call(updateProjectConfig, { body: { log_visibility_setting: 'dont_store_data' } })
  assert.deepEqual((await create(withKey(s, 'order-9'))).body.data, { order: 3 })
  assert.equal((await create(withKey(s, 'order-9'))).body.error.slug, 'ActionExecute_IdempotentResultNotKept')
  assert.equal(orders, 3)
})
