import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { until } from '#fixtures/until.ts'
import {
  readTriggerLog,
  searchTriggerLogs,
  setTriggerStatus,
  type TriggerLogSearch,
} from '../../../contract/triggers/index.ts'

import { createWebhook } from '../../../contract/webhooks/index.ts'
import { sql } from '../../../platform/db/sql.ts'
import { addOrders, startTriggerApp } from '#fixtures/triggers.ts'

async function startLoggedTrigger(t: TestContext) {
  const s = await startTriggerApp(t)
  const account = await s.connect()
  const id = (await s.upsert({ connected_account_id: account })).body.trigger_id
  await s.call(createWebhook, {
    body: { webhook_url: `${s.stub.url}/hooks`, enabled_events: ['service.trigger.message'] },
  })
  const busy = (path: string) => (path === '/hooks' ? { status: 503, text: 'busy' } : undefined)
  s.application.answer = busy
  s.app.startDeliveries()
  s.app.startPolling()
  addOrders(s.orders, { id: 1 }, { id: 2 })
  await s.polled(id)
  await until(
    'a receiver answered',
    async () => (await s.db.one<{ n: number }>(sql`select count(*)::int as n from webhook_attempts`))?.n,
  )
  s.application.answer = (path) =>
    path === '/orders' ? { status: 404, json: { message: 'no 100% such_shelf' } } : busy(path)
  await s.polled(id)
  await s.call(setTriggerStatus, { params: { trigger_id: id }, body: { status: 'disable' } })
  const find = async (body: TriggerLogSearch = {}, call = s.call) =>
    (await call(searchTriggerLogs, { body })).body
  const kinds = async (body: TriggerLogSearch) => (await find(body)).data.map(({ type }) => type)
  const all = ['disabled', 'failure', 'event', 'event'] as const
  return { find, account, s, id, all, kinds }
}

type LoggedTrigger = Awaited<ReturnType<typeof startLoggedTrigger>>

test('trigger log: it has events with deliveries, failures and changes of state, search and pages', async (t) => {
  const logged = await startLoggedTrigger(t)
  const { s, find } = logged
  const first = await checkSearch(logged)
  await checkEntry(logged, first)
  const stranger = await s.otherProject()
  assert.deepEqual(
    [
      (await find({}, stranger)).data,
      (await stranger(readTriggerLog, { params: { id: first?.id ?? '' } })).status,
    ],
    [[], 404],
  )
})

async function checkSearch({ find, account, s, id, all, kinds }: LoggedTrigger) {
  const [disabled, failure, , first] = (await find()).data
  assert.deepEqual(
    [
      first?.type,
      first?.status,
      first?.connectionId,
      first?.clientId,
      first?.entityId,
      first?.appName,
      first?.meta.triggerName,
      first?.meta.triggerNanoId,
    ],
    ['event', 'success', account, s.keys.projectId, 'u1', 'shop', 'SHOP_NEW_ORDER', id],
  )
  assert.deepEqual(
    [
      disabled?.status,
      disabled?.meta.message,
      failure?.status,
      'triggerClientPayload' in (first?.meta ?? {}),
    ],
    ['success', 'user', 'error', false],
  )
  assert.match(failure?.meta.message ?? '', /^404 .*no 100% such_shelf/)
  for (const [body, found] of [
    [{ status: 'error' }, ['failure']],
    [{ status: 'success', limit: 2 }, ['disabled', 'event']],
    [{ search: '100% such_' }, ['failure']],
    [{ search: '1%0' }, []],
    [{ search: id }, all],
    [{ entityId: 'u1', userId: 'u1', integrationId: s.configId }, all],
    [{ integrationId: 'ac_none' }, []],
    [{ time: '5m' }, all],
    [{ to: 1 }, []],
    [{ from: Date.now() + 60_000 }, []],
    [
      {
        search_params: [
          { field: 'type', operation: '!=', value: 'event' },
          { field: 'trigger_name', operation: 'contains', value: 'new_' },
        ],
      },
      ['disabled', 'failure'],
    ],
    [
      { search_params: [{ field: 'event_id', operation: 'not_contains', value: 'evt' }] },
      ['disabled', 'failure'],
    ],
  ] as [TriggerLogSearch, string[]][])
    assert.deepEqual(await kinds(body), found, JSON.stringify(body))
  const pages: string[] = []
  for (let cursor: number | null | undefined; cursor !== null;) {
    const page = await find({ limit: 1, ...(cursor === undefined ? {} : { cursor }) })
    pages.push(...page.data.map(({ type }) => type))
    cursor = page.nextCursor
  }
  assert.deepEqual(pages, all)
  return first
}

async function checkEntry({ s, find }: LoggedTrigger, first: { id: string } | undefined): Promise<void> {
  const log = (await s.call(readTriggerLog, { params: { id: first?.id ?? '' } })).body.log
  assert.deepEqual(
    [
      log.meta.triggerClientPayload,
      (await find({ include_payload: true, search: 'evt_' })).data.map(
        ({ meta }) => meta.triggerClientPayload,
      ),
    ],
    [{ order: 1 }, [{ order: 2 }, { order: 1 }]],
  )
  assert.equal(log.meta.triggerClientResponse, 'busy')
}
