import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { usageSummary, orgUsageSummary, usageEntity, orgUsageEntity } from '../../contract/logs/index.ts'
import { sql } from '../../platform/db/sql.ts'
import { startConnectedAccountsApp, API_KEY } from '#fixtures/connected-accounts.ts'
import { rows, HOUR } from '#fixtures/log-rows.ts'

async function startCounted(t: TestContext) {
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY] })
  await rows(s, [
    { user_id: 'ann', session_id: 'trs_1' },
    { user_id: 'ann', session_id: 'trs_1' },
    { user_id: 'bob', session_id: 'trs_2', tool_slug: 'SHOP_B' },
    { dry_run: true },
    { user_id: null, created_at: new Date(Date.now() - 40 * 24 * HOUR) },
  ])
  await s.app.db.run(sql`insert into organizations (id, name) values ('org_other', 'Others')`)
  await s.app.db.run(
    sql`insert into projects (id, organization_id, name) values ('proj_other', 'org_other', 'theirs')`,
  )
  await rows(s, [{ id: 'log_theirs', project_id: 'proj_other' }])
  const summed = {
    entities: {
      tool_calls: { unit: 'call', total_quantity: '3', event_count: 3 },
      sessions: { unit: 'session', total_quantity: '2', event_count: 3 },
    },
  }
  return { s, summed }
}

test('usage: executions are counted by project or organization, group and time, without dry runs', async (t) => {
  const { s, summed } = await startCounted(t)
  assert.deepEqual(
    [(await s.call(usageSummary, { body: {} })).body, (await s.org(orgUsageSummary, { body: {} })).body],
    [summed, summed],
  )
  assert.deepEqual(
    Object.keys(
      (await s.call(usageSummary, { body: { entity_types: ['sessions', 'tokens'], from: 0 } })).body.entities,
    ),
    ['sessions'],
  )
  const by = async (params: { entity_type: 'tool_calls' | 'sessions' }, body: Record<string, unknown> = {}) =>
    (await s.call(usageEntity, { params, body: body as never })).body
  const calls = { entity_type: 'tool_calls' } as const
  assert.deepEqual(await by(calls), {
    entity_type: 'tool_calls',
    unit: 'call',
    total_quantity: '3',
    event_count: 3,
    groups: [
      { key: 'SHOP_GET_ORDER', total_quantity: '2', event_count: 2 },
      { key: 'SHOP_B', total_quantity: '1', event_count: 1 },
    ],
  })
  assert.deepEqual(
    (await by(calls, { from: 0, group_by: 'user_id', order_by: 'key', order_direction: 'asc' })).groups.map(
      ({ key, event_count: n }) => [key, n],
    ),
    [
      ['', 1],
      ['ann', 2],
      ['bob', 1],
    ],
  )
  assert.deepEqual(
    (await by(calls, { group_by: 'user_id', order_direction: 'asc', limit: 1 })).groups.map(({ key }) => key),
    ['bob'],
  )
  assert.deepEqual(
    (await by({ entity_type: 'sessions' }, { filters: { user_id: ['ann'], session_id: null } })).groups,
    [{ key: 'ann', total_quantity: '1', event_count: 2 }],
  )
  assert.deepEqual(
    (
      await s.org(orgUsageEntity, {
        params: calls,
        body: { group_by: 'project_id', filters: { project_id: [s.keys.projectId, 'proj_other'] } },
      })
    ).body.groups.map(({ key }) => key),
    [s.keys.projectId],
  )
  assert.equal((await s.call(usageEntity, { params: calls, body: { group_by: 'project_id' } })).status, 400)
  assert.equal(
    (await s.call(usageEntity, { params: { entity_type: 'tokens' as never }, body: {} })).status,
    400,
  )
})
