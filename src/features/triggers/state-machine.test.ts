import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { deleteAuthConfig } from '../../contract/auth-configs/index.ts'
import {
  deleteConnectedAccount,
  setConnectedAccountStatus,
  updateConnectedAccount,
} from '../../contract/connected-accounts/index.ts'
import { createIncident } from '../../contract/incidents.ts'
import { deleteTrigger, setTriggerStatus } from '../../contract/triggers/index.ts'
import { sql } from '../../platform/db/sql.ts'
import { setAccountStatus, startTriggerApp } from '#fixtures/triggers.ts'

/** The application with one account and one polling trigger for it. */
async function startWithTrigger(t: TestContext) {
  const s = await startTriggerApp(t)
  const account = await s.connect()
  const id = (await s.upsert({ connected_account_id: account })).body.trigger_id
  const nextRun = async () => (await s.poll(id))?.['next_run'] as Date | null | undefined
  return {
    ...s,
    account,
    id,
    /** Why the trigger is disabled, and whether it is polled. */
    state: async () => {
      const row = await s.db.one<{ reason: string | null; isDeleted: boolean }>(sql`
        select disabled_reason as reason, deleted_at is not null as "isDeleted" from trigger_instances
          where id = ${id}`)
      return { ...row, isPolled: (await nextRun()) instanceof Date }
    },
    eventTypes: async () => (await s.events()).map(({ type }) => type),
  }
}

const ENABLED = { reason: null, isDeleted: false, isPolled: true }
const disabled = (reason: string) => ({ reason, isDeleted: false, isPolled: false })
const DELETED = { isDeleted: true, isPolled: false }

test('trigger: its user disables and enables it, and the polling state starts anew', async (t) => {
  const s = await startWithTrigger(t)
  const set = (status: 'enable' | 'disable') =>
    s.call(setTriggerStatus, { params: { trigger_id: s.id }, body: { status } })
  await set('disable')
  await set('disable')
  assert.deepEqual(await s.state(), disabled('user'))
  await set('enable')
  assert.deepEqual([await s.state(), (await s.poll(s.id))?.['state']], [ENABLED, null])
  assert.deepEqual(
    (await s.logs()).map(({ kind, message }) => [kind, message]),
    [
      ['disabled', 'user'],
      ['enabled', 'user'],
    ],
  )
  assert.deepEqual(await s.eventTypes(), [])
})

test('trigger: deleting it removes its poll and writes no log row', async (t) => {
  const s = await startWithTrigger(t)
  await s.call(deleteTrigger, { params: { trigger_id: s.id } })
  assert.deepEqual({ ...(await s.state()), reason: undefined }, { ...DELETED, reason: undefined })
  assert.deepEqual(await s.logs(), [])
})

test('trigger: an account that its user disables and enables disables and enables its triggers', async (t) => {
  const s = await startWithTrigger(t)
  const set = (enabled: boolean) =>
    s.call(setConnectedAccountStatus, { params: { nanoid: s.account }, body: { enabled } })
  await set(false)
  assert.deepEqual(await s.state(), disabled('connection_inactive'))
  await set(true)
  assert.deepEqual(await s.state(), ENABLED)
})

test('trigger: one that its user disabled stays disabled when its account is ACTIVE again', async (t) => {
  const s = await startWithTrigger(t)
  await s.call(setTriggerStatus, { params: { trigger_id: s.id }, body: { status: 'disable' } })
  await setAccountStatus(s.db, s.account, 'EXPIRED')
  await setAccountStatus(s.db, s.account, 'ACTIVE')
  assert.deepEqual(await s.state(), disabled('user'))
})

test('trigger: an expired account publishes trigger.disabled, and new credentials enable its triggers', async (t) => {
  const s = await startWithTrigger(t)
  await setAccountStatus(s.db, s.account, 'EXPIRED')
  assert.deepEqual(
    [await s.state(), await s.eventTypes()],
    [disabled('connection_expired'), ['trigger.disabled']],
  )
  const connection = { state: { authScheme: 'API_KEY' as const, val: { generic_api_key: 'other-key' } } }
  const { status } = await s.call(updateConnectedAccount, {
    params: { nanoid: s.account },
    body: { connection },
  })
  assert.deepEqual([status, await s.state()], [200, ENABLED])
})

test('trigger: a deleted account deletes its triggers', async (t) => {
  const s = await startWithTrigger(t)
  await s.call(deleteConnectedAccount, { params: { nanoid: s.account } })
  assert.deepEqual({ ...(await s.state()), reason: undefined }, { ...DELETED, reason: undefined })
})

test('trigger: a deleted auth config disables the triggers of its accounts', async (t) => {
  const s = await startWithTrigger(t)
  const { status } = await s.call(deleteAuthConfig, { params: { nanoid: s.configId } })
  assert.deepEqual([status, await s.state()], [200, disabled('connection_inactive')])
})

test('trigger: an incident disables the triggers of the accounts that it freezes', async (t) => {
  const s = await startWithTrigger(t)
  const { status } = await s.org(createIncident, { body: { user_id: 'u1' } })
  assert.deepEqual([status, await s.state()], [201, disabled('connection_inactive')])
})

test('trigger: the change of an account leaves the triggers of other accounts as they are', async (t) => {
  const s = await startWithTrigger(t)
  const other = await s.connect('u2')
  const otherId = (await s.upsert({ connected_account_id: other })).body.trigger_id
  await setAccountStatus(s.db, other, 'EXPIRED')
  assert.deepEqual(await s.state(), ENABLED)
  const listed = await s.listed({ show_disabled: true, trigger_ids: [otherId] })
  assert.deepEqual(
    listed.map(({ disabled_reason }) => disabled_reason),
    ['connection_expired'],
  )
})

test('trigger: a change that is rolled back leaves no consequences', async (t) => {
  const s = await startWithTrigger(t)
  await s.db.run(sql`alter table events add constraint no_events check (false) not valid`)
  await assert.rejects(setAccountStatus(s.db, s.account, 'EXPIRED'))
  assert.deepEqual([await s.state(), (await s.logs()).length], [ENABLED, 0])
})
