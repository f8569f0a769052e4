import assert from 'node:assert/strict'
import { test } from 'node:test'
import { losesSessions, queryOnce } from '../../src/platform/db/check.ts'
import { clonedDatabase } from '../fixtures/clone.ts'
import { startPgBouncer } from '../fixtures/pgbouncer.ts'
import { runToEnd, startServer } from '../fixtures/server-process.ts'
import { until } from '../fixtures/until.ts'

const ENCRYPTION_KEYS = `a:${Buffer.alloc(32, 1).toString('base64')}`
const CALLS = 120
const POOL_SIZE = 4
const EXECUTE = '/api/v3.1/tools/execute/UTILITIES_GENERATE_UUIDS'

const IMPORT = {
  openapi: '3.1.0',
  info: { title: 'Weather', version: '1' },
  servers: [{ url: 'https://weather.example' }],
  paths: {
    '/now': {
      get: { operationId: 'now', summary: 'Weather now', responses: { 200: { description: 'ok' } } },
    },
  },
}

test('PgBouncer in transaction mode: migrations, calls, jobs, locks and notifications work', async (t) => {
  const direct = await clonedDatabase(t, 'template1')
  const bouncer = await startPgBouncer(t, direct, { poolSize: POOL_SIZE })
  const env = { DATABASE_URL: bouncer.url, DATABASE_DIRECT_URL: direct, ENCRYPTION_KEYS }
  const first = await startServer(t, { env: { ...env, ROLE: 'serve' } })
  assert.match(first.output(), /, through 127\.0\.0\.1:\d+/)
  const { project_api_key: key } = await first.keys()
  const headers = { 'x-api-key': key }
  const second = await startServer(t, { env })
  const replies = await Promise.all(
    Array.from({ length: CALLS }, (_, n) =>
      (n % 2 ? first : second).call('POST', EXECUTE, { user_id: 'u', arguments: {} }, headers),
    ),
  )
  assert.deepEqual(
    replies.filter(({ status, body }) => status !== 200 || body['successful'] !== true),
    [],
  )
  const [rows] = await queryOnce<{ count: number }>(
    direct,
    'select count(*)::int as count from tool_executions where successful',
  )
  assert.equal(rows?.count, CALLS, 'each call has its log row')
  const imported = await first.call(
    'POST',
    '/api/v3.1/toolkits/import',
    { slug: 'weather', content: IMPORT },
    headers,
  )
  assert.ok(imported.status < 300, JSON.stringify(imported.body))
  await until('the other server knows the toolkit', async () => {
    const { status } = await second.call('GET', '/api/v3.1/toolkits/weather', undefined, headers)
    return status === 200
  })
  await queryOnce(
    direct,
    "select graphile_worker.add_job('connectedAccounts.removeOldFlows', '{}', job_key := 'test')",
  )
  await until('the job ran', async () => {
    const left = await queryOnce(direct, "select 1 from graphile_worker.jobs where key = 'test'")
    return left.length === 0
  })
  const pools = await bouncer.console('show pools')
  const used = pools.filter(({ database }) => database !== 'pgbouncer')
  const connections = used.reduce((sum, pool) => sum + Number(pool['sv_active']) + Number(pool['sv_idle']), 0)
  assert.ok(connections <= POOL_SIZE, `${connections} connections`)
})

test('PgBouncer: a pooler of another database is an error at the start', async (t) => {
  const [direct, other] = await Promise.all([clonedDatabase(t), clonedDatabase(t)])
  const bouncer = await startPgBouncer(t, other)
  const { code, output } = await runToEnd(t, {
    env: { DATABASE_URL: bouncer.url, DATABASE_DIRECT_URL: direct, ENCRYPTION_KEYS },
  })
  assert.equal(code, 1)
  assert.match(output, /DATABASE_URL \(.*\) and DATABASE_DIRECT_URL \(.*\) are different databases/)
})

test('settings: DATABASE_DIRECT_URL without DATABASE_URL is an error at the start', async (t) => {
  const { code, output } = await runToEnd(t, { env: { DATABASE_DIRECT_URL: 'postgres://localhost/x' } })
  assert.equal(code, 1)
  assert.match(output, /DATABASE_DIRECT_URL is set, and DATABASE_URL is not/)
})

test('PgBouncer: a pooler in transaction mode without the URL of PostgreSQL itself is an error at the start', async (t) => {
  const direct = await clonedDatabase(t)
  const { url } = await startPgBouncer(t, direct)
  for (const [env, reason, hint] of [
    [
      { DATABASE_URL: url },
      /DATABASE_URL \(.*\) leads to a connection pooler in transaction mode/,
      /Set DATABASE_DIRECT_URL to PostgreSQL itself\./,
    ],
    [
      { DATABASE_URL: url, DATABASE_DIRECT_URL: url },
      /DATABASE_DIRECT_URL \(.*\) leads to a connection pooler in transaction mode/,
      /not to the pooler/,
    ],
  ] as const) {
    const { code, output } = await runToEnd(t, { env: { ...env, ENCRYPTION_KEYS } })
    assert.equal(code, 1)
    assert.match(output, reason)
    assert.match(output, hint)
  }
  assert.equal(await losesSessions(url), true)
  assert.equal(await losesSessions(direct), false)
})
