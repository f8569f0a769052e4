import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp, type TestApp } from '#fixtures/app.ts'
import { queryMetrics } from '../../contract/logs/index.ts'
import { readOverview } from '../../contract/overview.ts'
import { createWebhook } from '../../contract/webhooks/index.ts'
import { sql, values } from '../../platform/db/sql.ts'

const HOUR = 3_600_000
let count = 0

/** Inserts an execution that started `ago` milliseconds ago. */
const execution = ({ app, keys }: TestApp, ago: number, more: Record<string, unknown> = {}) =>
  app.db.run(
    sql`insert into tool_executions ${values({
      id: `log_${String(++count).padStart(12, '0')}`,
      project_id: keys.projectId,
      tool_slug: 'SHOP_GET_ORDER',
      toolkit_slug: 'shop',
      version: '20260101_00',
      user_id: 'user-1',
      request_id: 'request-1',
      successful: true,
      duration_ms: 100,
      created_at: new Date(Date.now() - ago),
      ...more,
    })}`,
  )

test('overview: counts executions of the period and the one before, no dry runs or other projects', async (t) => {
  const s = await testApp(t)
  await execution(s, HOUR, { duration_ms: 100 })
  await execution(s, HOUR, { duration_ms: 300, user_id: 'user-2', toolkit_slug: 'mail' })
  await execution(s, HOUR, { successful: false, duration_ms: 500 })
  await execution(s, HOUR, { successful: null, duration_ms: null })
  await execution(s, HOUR, { dry_run: true })
  await execution(s, 30 * HOUR, { duration_ms: 40 })
  await execution(s, 8 * 24 * HOUR)
  const day = (await s.call(readOverview, { query: { range: '24h' } })).body
  assert.deepEqual(day.calls, { total: 4, failed: 1, p50_ms: 300, p95_ms: 480, users: 2 })
  assert.deepEqual(day.previous, { total: 1, failed: 0, p50_ms: 40, p95_ms: 40, users: 1 })
  assert.deepEqual(day.toolkits, [
    { slug: 'shop', calls: 3, failed: 1 },
    { slug: 'mail', calls: 1, failed: 0 },
  ])
  const busy = day.series.filter(({ calls }) => calls > 0)
  assert.deepEqual(
    busy.map(({ calls, failed }) => [calls, failed]),
    [[4, 1]],
  )
  assert.ok(day.series.length >= 24 && day.series.length <= 26, `${day.series.length} steps`)
  assert.equal(Date.parse(busy[0]?.at ?? '') % HOUR, 0)
  assert.equal((await s.call(readOverview, { query: { range: '7d' } })).body.calls.total, 5)
  assert.equal((await s.call(readOverview, { query: { range: '30d' } })).body.calls.total, 6)
  const other = (await (await s.otherProject())(readOverview)).body
  assert.deepEqual(other.calls, { total: 0, failed: 0, p50_ms: null, p95_ms: null, users: 0 })
  assert.equal((await s.call(readOverview, { query: { range: '1y' as never } })).status, 400)
})

test('overview: counts webhooks that fail, and deliveries that failed for good in the period', async (t) => {
  const s = await testApp(t)
  const { body: webhook } = await s.call(createWebhook, {
    body: { webhook_url: 'https://example.com/hooks', enabled_events: ['service.trigger.message'] },
  })
  for (const [n, hours] of [1, 30].entries()) {
    const event = { id: `evt_${n}`, project_id: s.keys.projectId, type: 'trigger.message', data: '{}' }
    await s.app.db.run(sql`insert into events ${values(event)}`)
    await s.app.db.run(sql`
      insert into webhook_deliveries
        (id, project_id, subscription_id, event_id, event_created_at, seq, status, finished_at)
      select ${`dlv_${n}`}, project_id, ${webhook.id}, id, created_at, 1, 'dead',
        now() - make_interval(hours => ${hours}) from events where id = ${event.id}`)
  }
  await s.app.db.run(sql`update webhook_subscriptions set failing_since = now()`)
  const { body } = await s.call(readOverview)
  assert.deepEqual(body.webhooks, { subscriptions: 1, failing: 1, disabled: 0, dead_deliveries: 1 })
  assert.deepEqual(body.accounts, { active: 0, expired: 0, failed: 0, other: 0 })
  assert.deepEqual(
    [body.approvals, body.triggers],
    [{ pending: 0 }, { enabled: 0, stalled: 0, disabled_by_server: 0 }],
  )
})

test('metrics: counts and quantiles in steps, by group, with filters', async (t) => {
  const s = await testApp(t)
  for (const duration of [10, 20, 30, 40]) await execution(s, 2 * HOUR, { duration_ms: duration })
  await execution(s, HOUR, { toolkit_slug: 'mail', successful: false, duration_ms: 7 })
  const query = async (body: object) => {
    const reply = await s.call(queryMetrics, { body: body as never })
    assert.equal(reply.status, 200, JSON.stringify(reply.body))
    return reply.body.series.map(({ key, calls, points }) => ({
      key,
      calls,
      values: points.map(({ value }) => value).filter((value) => value !== 0 && value !== null),
    }))
  }
  assert.deepEqual(await query({ metric: 'calls' }), [{ key: null, calls: 5, values: [4, 1] }])
  assert.deepEqual(await query({ metric: 'latency', quantile: 0.5, group_by: 'toolkit_slug' }), [
    { key: 'shop', calls: 4, values: [25] },
    { key: 'mail', calls: 1, values: [7] },
  ])
  assert.deepEqual(await query({ metric: 'calls', group_by: 'status', limit: 1 }), [
    { key: 'success', calls: 4, values: [4] },
  ])
  const failed = [{ field: 'status', operator: '==', value: 'failed' }]
  assert.deepEqual(await query({ metric: 'errors', filters: failed }), [{ key: null, calls: 1, values: [1] }])
  const to = Date.now()
  for (const [body, field] of [
    [{ metric: 'calls', bucket: '1m', from: to - 30 * 24 * HOUR, to }, 'bucket'],
    [{ metric: 'calls', from: to, to: to - 1 }, 'from'],
    [{ metric: 'errors', quantile: 0.5 }, 'quantile'],
    [{ metric: 'cost' }, 'metric'],
  ] as const) {
    const reply = await s.call(queryMetrics, { body: body as never })
    assert.equal(reply.status, 400)
    assert.match(reply.body.error.message, new RegExp(field))
  }
})
