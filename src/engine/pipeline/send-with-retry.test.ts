import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { client } from '#fixtures/client.ts'
import { temporaryCache, temporaryFiles } from '#fixtures/files.ts'
import { until } from '#fixtures/until.ts'
import { createApp } from '../../app/create-app.ts'
import { sampleTool } from '#fixtures/sample-toolkits.ts'
import { executeTool } from '../../contract/tools/index.ts'
import { createEgress, parseAllowRules } from '../../platform/egress/index.ts'
import { createLog } from '../../platform/log.ts'
import {
  API_KEY,
  type Manifest,
  type ConnectedAccountsApp,
  startConnectedAccountsApp,
} from '#fixtures/connected-accounts.ts'
import type { Answer } from '#fixtures/upstream.ts'

const ANY = { type: 'object', properties: {} }
const tool = (name: string, method: string, more: Manifest = {}) =>
  sampleTool({
    slug: `SHOP_${name}`,
    effect: method === 'GET' ? 'read' : method === 'DELETE' ? 'delete' : 'create',
    input: ANY,
    request: { method, path: `/${name.toLowerCase()}`, ...(method === 'POST' ? { body: { a: 1 } } : {}) },
    ...more,
  })
const TOOLS = [
  tool('READ', 'GET'),
  tool('WRITE', 'POST'),
  tool('REMOVE', 'DELETE'),
  tool('SET', 'POST', { idempotent: true }),
  tool('APPEND', 'GET', { effect: 'update', idempotent: true }),
  tool('HEADER', 'POST', { idempotency_key: { header: 'X-Idem' } }),
  tool('BODY', 'POST', { idempotency_key: { body: 'order.key', format: 'hex' } }),
  tool('ARGUMENT', 'POST', {
    idempotency_key: { argument: 'key' },
    input: { type: 'object', properties: { key: { type: 'string', description: 'Key.' } } },
    request: { method: 'POST', path: '/argument', body: ['key'] },
  }),
]

/** Waits are counted; nobody waits. */
async function waiting(
  t: Parameters<typeof startConnectedAccountsApp>[0],
  more: Partial<Parameters<typeof startConnectedAccountsApp>[1]> = {},
) {
  const waits: number[] = []
  const time = { now: Date.now() }
  const clock = { now: () => time.now }
  const s = await startConnectedAccountsApp(t, {
    auth: [API_KEY],
    tools: TOOLS,
    app: {
      clock,
      wait: async (ms: number, signal: AbortSignal) => {
        signal.throwIfAborted()
        waits.push(ms)
        time.now += ms
      },
    },
    ...more,
  })
  const account = async (user_id = 'u1') =>
    s.addAccount(
      await s.addAuthConfig('API_KEY'),
      'API_KEY',
      { generic_api_key: `the-secret-key-of-${user_id}` },
      { user_id },
    )
  await account()
  const run = async (name: string, body: Record<string, unknown> = {}) => {
    waits.length = 0
    s.stub.requests.length = 0
    return s.callTool({ arguments: {}, ...body }, `SHOP_${name}`)
  }
  return { ...s, waits, time, run, account }
}
/** Answers these in turn, the last one for ever. */
const inTurn = (s: Pick<ConnectedAccountsApp, 'stub'>, ...answers: Answer[]) => {
  let n = 0
  s.stub.answer = () => answers[Math.min(n++, answers.length - 1)]!
}

test('retry: reads are repeated after transient failures, ever later, writes only if declared', async (t) => {
  const s = await waiting(t)
  for (const [name, answers, requests, successful] of [
    ['READ', [{ status: 503 }, { status: 500 }, { json: {} }], 3, true],
    ['READ', [{ cut: true }, { json: {} }], 2, true],
    ['READ', [{ status: 502 }], 5, false],
    ['READ', [{ status: 404 }], 1, false],
    ['WRITE', [{ status: 503 }, { json: {} }], 1, false],
    ['WRITE', [{ status: 429 }, { json: {} }], 1, false],
    ['SET', [{ status: 503 }, { json: {} }], 2, true],
    ['APPEND', [{ status: 500 }, { json: {} }], 1, false],
    ['REMOVE', [{ status: 504 }, { status: 204 }], 2, true],
    ['HEADER', [{ status: 503 }, { cut: true }, { json: {} }], 3, true],
    ['BODY', [{ status: 503 }, { json: {} }], 2, true],
    ['ARGUMENT', [{ status: 503 }, { json: {} }], 2, true],
  ] as [string, Answer[], number, boolean][]) {
    inTurn(s, ...answers)
    const { status, body } = await s.run(name)
    assert.deepEqual(
      [name, status, body.successful, s.stub.requests.length],
      [name, 200, successful, requests],
    )
    s.waits.forEach((ms, n) =>
      assert.ok(ms >= 125 * 2 ** n && ms <= 250 * 2 ** n, `${name}: wait ${n} is ${ms} ms`),
    )
  }
  inTurn(s, { cut: true })
  assert.deepEqual([(await s.run('WRITE')).body.error.code, s.stub.requests.length], [1840, 1])
})

test('retry: each attempt has the same idempotency key, each call another; a key of the caller stays', async (t) => {
  const s = await waiting(t)
  const keysOf = async (
    name: string,
    read: (request: ConnectedAccountsApp['stub']['requests'][number]) => unknown,
    args = {},
  ) => {
    inTurn(s, { status: 503 }, { status: 503 }, { json: {} })
    await s.run(name, { arguments: args })
    const keys = s.stub.requests.map(read)
    assert.deepEqual([keys.length, new Set(keys).size], [3, 1], name)
    return String(keys[0])
  }
  const body = (request: { body: string }) =>
    JSON.parse(request.body) as { order?: { key: string }; key?: string }
  for (const [name, read, form] of [
    [
      'HEADER',
      (r) => r.headers['x-idem'],
      /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    ],
    ['BODY', (r) => body(r).order?.key, /^[0-9a-f]{32}$/],
    ['ARGUMENT', (r) => body(r).key, /^[0-9a-f-]{36}$/],
  ] as [string, Parameters<typeof keysOf>[1], RegExp][]) {
    const [first, second] = [await keysOf(name, read), await keysOf(name, read)]
    assert.match(first, form)
    assert.notEqual(first, second)
  }
  assert.equal(await keysOf('ARGUMENT', (r) => body(r).key, { key: 'mine' }), 'mine')
  inTurn(s, { json: {} })
  await s.run('WRITE')
  assert.equal('x-idem' in s.stub.requests[0]!.headers, false)
})

const rate_limit = {
  wait: [
    { header: 'x-reset', unit: 'timestamp' },
    { body: 'retry_in', unit: 'seconds' },
  ],
}

async function startLimitedShop(t: TestContext) {
  const s = await waiting(t, { toolkit: { rate_limit } })
  return { s }
}

type LimitedShop = Awaited<ReturnType<typeof startLimitedShop>>

test('retry: a call waits as long as a rate limit says, or fails with the time if that is too long', async (t) => {
  const limitedShop = await startLimitedShop(t)
  const { s } = limitedShop
  for (const [answer, least] of [
    [() => ({ headers: { 'retry-after': '7' } }), 7_000],
    [() => ({ headers: { 'x-reset': String(Math.ceil(s.time.now / 1_000) + 9) } }), 9_000],
    [() => ({ json: { retry_in: 2.5 } }), 2_500],
    [() => ({ headers: { 'retry-after': new Date(s.time.now + 12_000).toUTCString() } }), 11_000],
  ] as [() => Answer, number][]) {
    inTurn(s, { status: 429, ...answer() }, { json: { ok: 1 } })
    const { body } = await s.run('READ')
    assert.equal(body.successful, true)
    // The pause itself is waited out once, by the attempt that met it.
    assert.ok(s.waits[0]! >= least && s.waits[0]! <= least * 1.1 + 1_001, `${s.waits}`)
  }
  inTurn(s, { status: 429, headers: { 'retry-after': '90' }, json: { message: 'Slow down' } })
  const limited = await s.run('READ')
  assert.deepEqual(
    [limited.status, limited.body.successful, s.waits, limited.body.data],
    [
      200,
      false,
      [],
      {
        http_error: '429 Client Error: Too Many Requests',
        status_code: 429,
        message: 'Slow down',
        limiter: 'application',
        retry_after_seconds: 90,
      },
    ],
  )
  // Until then nobody asks, neither for a write.
  for (const name of ['READ', 'WRITE']) {
    const { status, body } = await s.run(name)
    assert.deepEqual(
      [
        status,
        s.stub.requests.length,
        body.successful,
        body.data['status_code' as never],
        body.data['limiter' as never],
        body.data['retry_after_seconds' as never],
      ],
      [200, 0, false, 429, 'application', 90],
    )
    assert.match(
      String(body.error),
      /^Shop accepts no more calls of this account for 90 s, as it said after an earlier call\. Nothing was sent/,
    )
  }
  await checkEndOfCooldown(limitedShop)
})

async function checkEndOfCooldown({ s }: LimitedShop): Promise<void> {
  s.time.now += 45_000
  inTurn(s, { json: { ok: 1 } })
  assert.deepEqual(
    [(await s.run('WRITE')).body.successful, s.stub.requests.length, s.waits.length],
    [true, 1, 1],
  )
  // Another account is not concerned, nor is this one any more.
  inTurn(s, { status: 429, headers: { 'retry-after': '3000' } })
  await s.run('READ')
  await s.account('u2')
  inTurn(s, { json: { ok: 1 } })
  assert.equal((await s.run('READ', { user_id: 'u2' })).body.successful, true)
}

test('cooldown: a limit per tool or bucket stops only that; a used-up limit causes a wait', async (t) => {
  const s = await waiting(t, {
    toolkit: {
      rate_limit: { remaining: { header: 'x-left', reset: { header: 'x-reset', unit: 'seconds' } } },
    },
    tools: [
      tool('READ', 'GET'),
      tool('FIND', 'GET', { limits: { bucket: 'search' } }),
      tool('LOOK', 'GET', { limits: { bucket: 'search' } }),
    ],
  })
  inTurn(s, { json: {}, headers: { 'x-left': '0', 'x-reset': '300' } })
  assert.equal((await s.run('FIND')).body.successful, true)
  assert.deepEqual(
    [(await s.run('LOOK')).body.data['retry_after_seconds' as never], s.stub.requests.length],
    [300, 0],
  )
  inTurn(s, { json: {}, headers: { 'x-left': '1', 'x-reset': '300' } })
  for (let n = 0; n < 2; n++) assert.equal((await s.run('READ')).body.successful, true)
})

test('cooldown: other servers receive a cooldown at once, and a server that starts later loads it', async (t) => {
  const s = await waiting(t)
  // One hears the announcement, the other reads what is there when it starts.
  const other = await secondServer(t, s)
  inTurn(s, { status: 429, headers: { 'retry-after': '2000' } })
  await s.run('READ')
  const paused = async (server: Awaited<ReturnType<typeof secondServer>>) => {
    const { body } = await server({
      params: { tool_slug: 'SHOP_READ' },
      body: { user_id: 'u1', arguments: {} },
    })
    return body.data['status_code' as never] === 429 && body.data['limiter' as never] === 'application'
  }
  s.stub.answer = () => ({ json: {} })
  await until('the other server knows', () => paused(other))
  const late = await secondServer(t, s)
  await until('the late server knows', () => paused(late))
})

async function secondServer(t: TestContext, s: Awaited<ReturnType<typeof waiting>>) {
  const app = await createApp({
    databaseUrl: s.databaseUrl,
    databasePoolMax: 2,
    publicUrl: 'http://localhost:3900',
    wireBrand: 'service',
    rateLimitPerMinute: 0,
    catalog: s.catalog,
    encryptor: s.encryptor,
    egress: createEgress({ allow: parseAllowRules('127.0.0.1') }),
    files: temporaryFiles(t),
    cacheDir: temporaryCache(t),
    clock: { now: () => s.time.now },
    log: createLog('silent'),
    version: '0',
  })
  t.after(() => app.close())
  const call = client(app.http, { 'x-api-key': s.keys.projectApiKey })
  return (request: object) => call(executeTool, request as never)
}

test('retry: the failure of a repeated write says that the write may have been carried out', async (t) => {
  const s = await waiting(t)
  inTurn(s, { cut: true }, { status: 404, json: { message: 'No such order' } })
  const { body } = await s.run('REMOVE')
  assert.deepEqual([body.successful, s.stub.requests.length], [false, 2])
  assert.match(
    String(body.error),
    /^404 Client Error: Not Found - No such order \(An earlier attempt of this call received no response and may have been carried out/,
  )
})

test('retry: the failure of a write after server errors does not speak of a missing response', async (t) => {
  const s = await waiting(t)
  s.stub.answer = () => ({ status: 500, json: { message: 'Out of paper' } })
  const { body } = await s.run('REMOVE')
  assert.equal(body.successful, false)
  assert.match(
    String(body.error),
    /^500 Server Error: .+ - Out of paper \(An earlier attempt of this call failed with a server error, too, and may have/,
  )
})

test('retry: a call ends after five attempts, after three without a connection, and at its deadline', async (t) => {
  const s = await waiting(t)
  s.stub.answer = () => {
    s.time.now += 21_000
    return { status: 503 }
  }
  const slow = await s.run('READ')
  assert.deepEqual([slow.body.successful, s.stub.requests.length], [false, 3])
  const nowhere = await s.run('WRITE', { custom_auth_params: { base_url: 'http://127.0.0.1:1' } })
  assert.deepEqual([nowhere.status, nowhere.body.error.code, s.waits.length], [502, 1840, 2])
})
