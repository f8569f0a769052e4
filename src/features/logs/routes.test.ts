import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sampleTool } from '#fixtures/sample-toolkits.ts'
import {
  searchLogs,
  readLog,
  searchInternalLogs,
  readInternalLog,
  readInternalLogFields,
  usageSummary,
} from '../../contract/logs/index.ts'
import { updateProjectConfig } from '../../contract/projects/index.ts'
import { sql } from '../../platform/db/sql.ts'
import {
  type ConnectedAccountsApp,
  startConnectedAccountsApp,
  API_KEY,
} from '#fixtures/connected-accounts.ts'
import { rows, HOUR } from '#fixtures/log-rows.ts'

const CREATE = sampleTool({
  slug: 'SHOP_CREATE_ORDER',
  effect: 'create',
  input: { type: 'object', properties: {} },
  request: { method: 'POST', path: '/orders', body: {} },
})

const found = async (s: ConnectedAccountsApp, body: Record<string, unknown>) => {
  const reply = await s.call(searchLogs, { body: body as never })
  assert.equal(reply.status, 200, JSON.stringify(reply.body))
  return reply.body.logs.map(({ id }) => Number(id.slice(4)))
}

const filter = (field: string, operator: string, value: string) => ({ field, operator, value })

async function startLoggedCalls(t: TestContext) {
  const s = await startConnectedAccountsApp(t, {
    auth: [API_KEY],
    tools: [sampleTool(), CREATE],
    answer: ({ method }) =>
      method === 'POST' ? { status: 403, json: { message: 'no orders today' } } : { json: { id: '7' } },
  })
  const account = await s.addAccount(await s.addAuthConfig('API_KEY'), 'API_KEY', {
    generic_api_key: 'the-secret-key',
  })
  const call = s.as({ 'x-api-key': s.keys.projectApiKey, 'x-request-id': 'request-1' })
  const good = await s.callTool()
  const bad = await s.callTool({ arguments: {} }, 'SHOP_CREATE_ORDER')
  return { call, bad, good, account }
}

type LoggedCalls = Awaited<ReturnType<typeof startLoggedCalls>>

test('logs: both endpoints find and return an execution with its details', async (t) => {
  const logged = await startLoggedCalls(t)
  await checkLogList(logged)
  await checkInternalLogs(logged)
})

async function checkLogList({ call, bad, good, account }: LoggedCalls): Promise<void> {
  const {
    body: { logs, next_cursor: next },
  } = await call(searchLogs, { body: {} })
  assert.deepEqual(
    [
      next,
      logs.map(({ id, type, status, level, message, parent }) => [id, type, status, level, message, parent]),
    ],
    [
      null,
      [
        [
          bad.body.log_id,
          'tool.execution',
          'failed',
          'error',
          '403 Client Error: Forbidden - no orders today',
          null,
        ],
        [good.body.log_id, 'tool.execution', 'success', 'info', '', null],
      ],
    ],
  )
  const [failed, won] = logs as [(typeof logs)[number], (typeof logs)[number]]
  assert.deepEqual(
    [
      won.metadata.tool_slug,
      won.metadata.toolkit_slug,
      won.metadata.user_id,
      won.metadata.connected_account_id,
      won.metadata.effect,
      failed.metadata.effect,
      failed.metadata.status_code,
    ],
    ['SHOP_GET_ORDER', 'shop', 'u1', account, 'read', 'create', 403],
  )
  assert.ok(
    won.metrics.duration_ms! >= 0 &&
      won.metrics.application_ms! > 0 &&
      won.metrics.requests === 1 &&
      won.metrics.response_bytes === 10,
  )
  const { body: details } = await call(readLog, { params: { id: good.body.log_id } })
  assert.deepEqual(details.data, {
    request: { arguments: { id: '7' } },
    response: { data: { id: '7' }, error: null, successful: true },
  })
  assert.deepEqual(
    [details.context.request_id.length, details.timings!.end_time! - details.timings!.start_time],
    [36, won.metrics.duration_ms],
  )
}

async function checkInternalLogs({ call, good, account, bad }: LoggedCalls): Promise<void> {
  const older = await call(searchInternalLogs, {
    body: { cursor: null, search_params: [{ field: 'tool_key', operation: '==', value: 'shop_get_order' }] },
  })
  assert.deepEqual(
    older.body.data.map(({ id, actionKey, appKey, app, connectedAccountId, entityId, status }) => [
      id,
      actionKey,
      appKey,
      app,
      connectedAccountId,
      entityId,
      status,
    ]),
    [
      [
        good.body.log_id,
        'SHOP_GET_ORDER',
        'shop',
        { name: 'Shop', icon: 'http://localhost:3900/logos/shop.svg' },
        account,
        'u1',
        'success',
      ],
    ],
  )
  const read = await call(readInternalLog, { params: { id: bad.body.log_id } })
  assert.deepEqual(
    [
      read.body.actionLogId,
      read.body.status,
      read.body.error,
      read.body.steps.map(({ type, status }) => [type, status]),
      read.body.payloadReceived,
    ],
    [
      bad.body.log_id,
      'error',
      { message: '403 Client Error: Forbidden - no orders today' },
      [
        ['fetch_connection_details', 'success'],
        ['tool_execution', 'failure'],
      ],
      {},
    ],
  )
  await checkLogFields({ call })
}

async function checkLogFields({ call }: Pick<LoggedCalls, 'call'>): Promise<void> {
  const {
    body: { fields },
  } = await call(readInternalLogFields)
  for (const { id } of fields['tool_execution']!)
    assert.equal(
      (
        await call(searchInternalLogs, {
          body: { cursor: null, search_params: [{ field: id, operation: '!=', value: 'x' }] },
        })
      ).status,
      200,
      id,
    )
  assert.equal(
    (
      await call(searchInternalLogs, {
        body: { cursor: null, search_params: [{ field: 'password', operation: '==', value: 'x' }] },
      })
    ).status,
    400,
  )
}

test('logs: a call without an end has the status started; data that is not stored is empty', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY] })
  await s.addAccount(await s.addAuthConfig('API_KEY'), 'API_KEY', { generic_api_key: 'the-secret-key' })
  await rows(s, [{ successful: null, duration_ms: null, effect: 'create' }])
  const { body } = await s.call(readLog, { params: { id: 'log_000000000000' } })
  assert.deepEqual(
    [body.status, body.level, body.data, body.timings?.end_time],
    ['started', 'warn', {}, undefined],
  )
  assert.match(body.message, /may have had its effect/)
  assert.deepEqual(await found(s, { filters: [filter('status', '==', 'started')] }), [0])
  await s.call(updateProjectConfig, { body: { log_visibility_setting: 'dont_store_data' } })
  const run = await s.callTool()
  assert.deepEqual((await s.call(readLog, { params: { id: run.body.log_id } })).body.data, {})
})

test('logs: filters of one field are alternatives, filters of several fields must all hold', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY] })
  const at = Date.now() - HOUR
  await rows(
    s,
    [
      { tool_slug: 'SHOP_A', user_id: 'ann' },
      { tool_slug: 'SHOP_B', user_id: 'bob', successful: false },
      { tool_slug: 'OTHER_C', toolkit_slug: 'other', user_id: '100%_x', connected_account_id: 'ca_1' },
      { tool_slug: 'SHOP_A', user_id: null, session_id: 'trs_1', auth_config_id: 'ac_1', sandbox_id: 'sb_1' },
    ],
    at,
  )
  const cases: readonly [Record<string, unknown>, number[]][] = [
    [{}, [3, 2, 1, 0]],
    [{ limit: 1 }, [3]],
    [{ filters: [filter('tool_slug', '==', 'shop_a')] }, [3, 0]],
    [{ filters: [filter('tool_slug', '==', 'SHOP_A'), filter('tool_slug', '==', 'SHOP_B')] }, [3, 1, 0]],
    [{ filters: [filter('tool_slug', '==', 'SHOP_A'), filter('user_id', '==', 'ann')] }, [0]],
    [{ filters: [filter('toolkit_slug', '!=', 'SHOP')] }, [2]],
    [{ filters: [filter('user_id', '!=', 'ann')] }, [3, 2, 1]],
    [{ filters: [filter('user_id', 'contains', '%_')] }, [2]],
    [{ filters: [filter('user_id', 'not_contains', 'b')] }, [3, 2, 0]],
    [{ filters: [filter('user_id', '==', 'Ann')] }, []],
    [{ filters: [filter('status', '==', 'failed')] }, [1]],
    [{ filters: [filter('status', '==', 'success'), filter('status', '==', 'failed')] }, [3, 2, 1, 0]],
    [{ filters: [filter('session_id', '==', 'trs_1')] }, [3]],
    [{ filters: [filter('sandbox_id', '==', 'sb_1')] }, [3]],
    [{ filters: [filter('auth_config_id', '==', 'ac_1')] }, [3]],
    [{ filters: [filter('connected_account_id', '==', 'ca_1')] }, [2]],
    [{ filters: [filter('request_id', '==', 'r-1')] }, [1]],
    [{ filters: [filter('log_id', '==', 'log_000000000002')] }, [2]],
    [{ filters: [filter('user_id', '==', "'; drop table tool_executions; --")] }, []],
    [{ time_range: { from: at + 1_000, to: at + 3_000 } }, [2, 1]],
    [{ time_range: { from: 0, to: 8_640_000_000_000_000 } }, [3, 2, 1, 0]],
  ]
  for (const [body, expected] of cases) assert.deepEqual(await found(s, body), expected, JSON.stringify(body))
  const insensitive = await s.call(searchInternalLogs, {
    body: { cursor: null, search_params: [{ field: 'entity_id', operation: '==', value: 'ANN' }] },
  })
  const sensitive = await s.call(searchInternalLogs, {
    body: {
      cursor: null,
      case_sensitive: true,
      search_params: [{ field: 'entity_id', operation: '==', value: 'ANN' }],
    },
  })
  assert.deepEqual([insensitive.body.data.length, sensitive.body.data.length], [1, 0])
  for (const body of [
    { filters: [filter('password', '==', 'x')] },
    { filters: [filter('user_id', '~', 'x')] },
    { cursor: 'x' },
    { cursor: Buffer.from('before-99999999999999999').toString('base64') },
    { time_range: { from: -1, to: 0 } },
    { limit: 0 },
  ]) {
    assert.equal((await s.call(searchLogs, { body: body as never })).status, 400, JSON.stringify(body))
  }
})

test('logs: a long page, which is serialized row by row, has the same logs as short pages', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY] })
  const started = Date.now() - HOUR
  await rows(
    s,
    Array.from({ length: 60 }, (_, n) => ({
      created_at: new Date(started + n),
      ...(n % 3 === 0 ? { successful: false, error: `"${n}" é </script>`, status_code: 500 } : {}),
      ...(n % 4 === 0 ? { timings: { account: 1.5, request: n } } : {}),
    })),
  )
  const read = async (limit: number, cursor?: string | null) =>
    (await s.call(searchLogs, { body: { limit, ...(cursor ? { cursor } : {}) } })).body
  const long = await read(1_000)
  const short: (typeof long)[] = [await read(40)]
  short.push(await read(40, short[0]!.next_cursor))
  assert.equal(long.logs.length, 60)
  assert.deepEqual(
    long.logs,
    short.flatMap(({ logs }) => logs),
  )
  assert.equal(long.next_cursor, null)
  const time_range = { from: started - 1_000, to: started }
  const { body } = await s.call(searchLogs, { body: { limit: 1_000, time_range } })
  assert.deepEqual(body, { logs: [], next_cursor: null })
})

test('logs: pages contain each row once, also if rows start at the same time and new rows arrive', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY] })
  const same = new Date(Date.now() - HOUR)
  await rows(
    s,
    Array.from({ length: 12 }, (_, n) =>
      n > 3 && n < 8 ? { created_at: same } : { created_at: new Date(same.getTime() + n - 6) },
    ),
  )
  for (const limit of [1, 2, 3, 5, 12, 20]) {
    const [seen, older]: [string[], string[]] = [[], []]
    for (let cursor: string | null | undefined; cursor !== null;) {
      const { body } = await s.call(searchLogs, { body: { limit, ...(cursor ? { cursor } : {}) } })
      seen.push(...body.logs.map(({ id }) => id))
      cursor = body.next_cursor
      if (seen.length === limit) await rows(s, [{ id: `log_young${limit}`, created_at: new Date() }])
    }
    for (let cursor: number | null | undefined; cursor !== null;) {
      const { body }: { body: { data: { id: string }[]; nextCursor: number | null } } = await s.call(
        searchInternalLogs,
        { body: { limit, cursor: cursor ?? null } },
      )
      older.push(...body.data.map(({ id }) => id))
      cursor = body.nextCursor
    }
    await s.app.db.run(sql`delete from tool_executions where id like 'log_young%'`)
    assert.deepEqual([seen.length, new Set(seen).size], [12, 12], `limit ${limit}`)
    assert.deepEqual(
      older.filter((id) => !id.startsWith('log_young')).sort(),
      seen.toSorted(),
      `limit ${limit}`,
    )
  }
})

test('logs: another project cannot read a log, and receives the same error as for a missing one', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY] })
  await rows(s, [{}, { parent_id: 'log_000000000000' }])
  const other = await s.otherProject()
  assert.deepEqual(
    (await other(searchLogs, { body: { filters: [filter('log_id', '==', 'log_000000000000')] as never } }))
      .body.logs,
    [],
  )
  assert.deepEqual((await other(searchInternalLogs, { body: { cursor: null } })).body.data, [])
  for (const route of [readLog, readInternalLog]) {
    const [theirs, none] = await Promise.all(
      ['log_000000000000', 'log_999999999999'].map(
        async (id) => (await other(route, { params: { id } })).body.error,
      ),
    )
    assert.deepEqual(
      [theirs!.slug, theirs!.message.replace('log_000000000000', ''), theirs!.status],
      [none!.slug, none!.message.replace('log_999999999999', ''), none!.status],
    )
  }
  assert.deepEqual((await other(usageSummary, { body: {} })).body.entities['tool_calls'], {
    unit: 'call',
    total_quantity: '0',
    event_count: 0,
  })
  const { body } = await s.call(readLog, { params: { id: 'log_000000000001' } })
  assert.deepEqual(body.parent, { log_id: 'log_000000000000', tool_slug: 'SHOP_GET_ORDER' })
})
