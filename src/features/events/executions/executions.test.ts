import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { testApp, type TestApp } from '#fixtures/app.ts'
import { openEventStream } from '#fixtures/event-stream.ts'
import { until } from '#fixtures/until.ts'
import { EXECUTION_ENDED, listEvents, streamEvents } from '../../../contract/events/index.ts'
import { createProjectKey } from '../../../contract/projects/index.ts'
import { executeTool } from '../../../contract/tools/index.ts'
import { createWebhook, listEventTypes } from '../../../contract/webhooks/index.ts'
import type { ChangeOn } from '../../../platform/change-bus.ts'
import { sql } from '../../../platform/db/sql.ts'
import { createBranding } from '../../../platform/http/branding/branding.ts'
import { createLog } from '../../../platform/log.ts'
import { publishEvents } from '../outbox.ts'
import { EventStreams } from '../stream/stream.ts'

interface Item {
  event_id: string
  ordering_key: string | null
  payload: { id: string; timestamp: string; type: string; metadata: object; data: Record<string, unknown> }
}

const SECRET = 'text-that-no-reader-may-see'

/** Opens a stream of executions at a server. */
async function openStream(
  app: TestApp,
  query: Record<string, string> = { event_types: EXECUTION_ENDED },
  headers: Record<string, string> = {},
) {
  const items: Item[] = []
  const add = (item: Item) => void items.push(item)
  const stream = await openEventStream(app, '/api/v3.1/events/stream', add, { query, headers })
  return { ...stream, items, logIds: () => items.map(({ payload }) => payload.data['log_id']) }
}

async function execute({ call }: TestApp, body: Record<string, unknown> = {}): Promise<string> {
  const reply = await call(executeTool, {
    params: { tool_slug: 'UTILITIES_CONVERT_CASE' },
    body: {
      user_id: 'user-1',
      version: 'latest',
      arguments: { text: SECRET, to: 'upper' },
      ...body,
    } as never,
  })
  assert.equal(reply.status, 200, JSON.stringify(reply.body))
  return reply.body.log_id
}

const start = (t: TestContext, sameDatabaseAs?: TestApp) =>
  testApp(t, { streamHeartbeatMs: 50, ...(sameDatabaseAs ? { sameDatabaseAs } : {}) })

test('executions on the stream: those of all servers arrive once, without arguments, results or error texts', async (t) => {
  const here = await start(t)
  const there = await start(t, here)
  const streams = [await openStream(here), await openStream(there)]
  const ids = [
    await execute(here),
    await execute(there),
    await execute(there, { arguments: { text: SECRET, to: SECRET } }),
  ]
  for (const stream of streams) {
    await until('all came', () => stream.items.length >= 3)
    assert.deepEqual(stream.logIds().toSorted(), ids.toSorted())
    assert.ok(!stream.text().includes(SECRET))
    const { payload, ...item } = stream.items.find(({ event_id: id }) => id === ids[1])!
    assert.deepEqual(item, { event_id: ids[1], ordering_key: null })
    assert.equal(payload.type, 'service.tool_execution.ended')
    assert.deepEqual(Object.keys(payload.metadata), ['project_id', 'org_id'])
    const {
      duration_ms: duration,
      started_at: startedAt,
      version,
      request_id: requestId,
      ...data
    } = payload.data
    assert.deepEqual(data, {
      log_id: ids[1],
      tool_slug: 'UTILITIES_CONVERT_CASE',
      toolkit_slug: 'utilities',
      user_id: 'user-1',
      connected_account_id: null,
      auth_config_id: null,
      session_id: null,
      dry_run: false,
      successful: true,
      status_code: null,
    })
    assert.deepEqual(
      [duration, startedAt, version, requestId].map((value) => typeof value),
      ['number', 'string', 'string', 'string'],
    )
    assert.equal(stream.items.find(({ event_id: id }) => id === ids[2])?.payload.data['successful'], false)
  }
  for (const stream of streams) stream.leave()
})

test('executions on the stream: they are not stored, not offered to webhooks, and sent only if a stream names them', async (t) => {
  const s = await start(t)
  const reader = await openStream(s, { event_types: `${EXECUTION_ENDED},service.connected_account.expired` })
  const others = [await openStream(s, {}), await openStream(s, { event_types: 'service.trigger.message' })]
  await execute(s)
  const expired = { id: 'evt_x', type: 'connected_account.expired', data: { id: 'ca_1' } } as const
  await publishEvents(s.app.db, s.keys.projectId, [expired])
  await until('both came', () => reader.items.length === 2)
  await until('the stored event came', () => others[0]?.items.length === 1)
  assert.deepEqual(
    others.map(({ items }) => items.map(({ event_id: id }) => id)),
    [['evt_x'], []],
  )
  assert.deepEqual(
    (await s.call(listEvents)).body.items.map(({ id }) => id),
    ['evt_x'],
  )
  assert.ok(!JSON.stringify((await s.call(listEventTypes)).body).includes('tool_execution'))
  const webhook = { webhook_url: 'https://receiver.example', enabled_events: [EXECUTION_ENDED] }
  assert.equal((await s.call(createWebhook, { body: webhook as never })).status, 400)
  for (const stream of [reader, ...others]) stream.leave()
})

test('executions on the stream: their type has the brand of the server', async (t) => {
  const s = await testApp(t, { wireBrand: 'composio' })
  const stream = await openStream(s, { event_types: 'composio.tool_execution.ended' })
  await execute(s)
  await until('it came', () => stream.items.length === 1)
  assert.equal(stream.items[0]?.payload.type, 'composio.tool_execution.ended')
  stream.leave()
})

test('executions on the stream: other projects do not receive them, and keys need read access to logs', async (t) => {
  const s = await start(t)
  await s.otherProject()
  const keyWith = async (permissions: Record<string, string[]>) =>
    (
      await s.org(createProjectKey, {
        params: { nano_id: s.keys.projectId },
        body: { name: 'reader', permissions } as never,
      })
    ).body.key
  const both = await keyWith({ webhooks: ['read'], observability: ['read'] })
  const webhooksOnly = await keyWith({ webhooks: ['read'] })
  const logsOnly = await keyWith({ observability: ['read'] })
  const otherKey = await otherProjectKey(s)
  const types = { event_types: EXECUTION_ENDED }
  assert.deepEqual(
    [
      (await openStream(s, types, { 'x-api-key': webhooksOnly })).response.statusCode,
      (await openStream(s, types, { 'x-api-key': logsOnly })).response.statusCode,
    ],
    [403, 403],
  )
  const [reader, other] = [
    await openStream(s, types, { 'x-api-key': both }),
    await openStream(s, types, { 'x-api-key': otherKey }),
  ]
  const id = await execute(s)
  await until('it came', () => reader.items.length === 1)
  assert.deepEqual([reader.logIds(), other.items], [[id], []])
  await s.app.db.run(sql`update api_keys set permissions = '{"webhooks":["read"]}' where name = 'reader'`)
  await s.app.db.run(sql`select pg_notify('changes', '{"kind":"principals_changed"}')`)
  await reader.ended
  other.leave()
})

async function otherProjectKey({ app, keys }: TestApp): Promise<string> {
  const reply = await app.http.inject({
    method: 'POST',
    url: '/api/v3/org/owner/project/new',
    headers: { 'x-org-api-key': keys.organizationApiKey },
    payload: { name: 'other', should_create_api_key: true },
  })
  return reply.json<{ api_key: string }>().api_key
}

test('executions on the stream: requests that cannot have them are rejected with what to do', async (t) => {
  const s = await start(t)
  const { status, body } = await s.call(streamEvents, { query: { event_types: [EXECUTION_ENDED] } as never })
  assert.equal(status, 400)
  assert.match(JSON.stringify(body), /not stored, so only a stream has it.*text\/event-stream/)
  const { response } = await openStream(s, { event_types: EXECUTION_ENDED, trigger_ids: 'ti_1' })
  assert.equal(response.statusCode, 400)
})

test('executions on the stream: a reader learns that some are missing', async (t) => {
  const s = await start(t)
  const again = await openStream(s, { event_types: EXECUTION_ENDED }, { 'last-event-id': '0' })
  await until('the reader of an earlier stream receives the message', () => again.items.length === 1)
  const missedCount = ({ payload }: Item) => [payload.type, payload.data]
  assert.deepEqual(missedCount(again.items[0]!), ['service.tool_execution.missed', { count: null }])
  const stream = await openStream(s)
  assert.deepEqual(stream.items, [])
  await s.app.db.run(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'patchbay-listen-events'`)
  await until('the lost connection is reported', () => stream.items.length > 0)
  assert.deepEqual(missedCount(stream.items[0]!), ['service.tool_execution.missed', { count: null }])
  await until('the stream sends executions again', async () => {
    await execute(s)
    return stream.items.at(-1)?.payload.type === 'service.tool_execution.ended'
  })
  for (const { leave } of [stream, again]) leave()
})

test('executions on the stream: a reader that is slow receives what fits, and then how many are missing', async (t) => {
  const s = await start(t)
  const projectId = s.keys.projectId
  let report: (change: ChangeOn<'events'>) => void = () => {}
  const streams = new EventStreams({
    ...{ db: s.app.db, brand: createBranding('service'), log: createLog('silent'), now: Date.now },
    listen(onChange) {
      report = onChange
      return { connected: true, confirm: async () => true, close: async () => {} }
    },
  })
  t.after(() => streams.close())
  const reader = streams
    .open({
      position: { projectId, after: 0, types: [], triggerIds: null },
      ...{ includeApprovals: false, signal: AbortSignal.timeout(60_000), checkAccess: async () => {} },
      executions: { organizationId: 'org_1', isContinued: false },
    })
    [Symbol.asyncIterator]()
  await reader.next()
  await reader.next()
  for (let n = 0; n < 12; n++) {
    const executions = Array.from({ length: 100 }, (_, m) => ({
      log_id: `log_${n}_${m}`,
      started_at: '2026-01-01',
    }))
    report({ kind: 'executions_ended', projectId, executions, missed: 0 })
    report({ kind: 'executions_ended', projectId: 'proj_other', executions, missed: 0 })
  }
  const items = String((await reader.next()).value)
    .split('\n\n')
    .filter(Boolean)
    .map((text) => JSON.parse(text.replace('data: ', '')) as Item)
  assert.deepEqual(
    [items.length, items.at(-2)?.event_id, items.at(-1)?.payload.type, items.at(-1)?.payload.data],
    [1_001, 'log_9_99', 'service.tool_execution.missed', { count: 200 }],
  )
})
