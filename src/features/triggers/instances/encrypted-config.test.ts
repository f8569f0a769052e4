import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { addOrders, startTriggerApp } from '#fixtures/triggers.ts'
import { type Db, sql } from '../../../platform/db/sql.ts'
import { clearConfigHash } from './stored-config.ts'

const CONFIG = { section: 'section-of-the-user', interval: 15, status: 'any' }

const stored = async (db: Db) =>
  (
    await db.rows<{ row: Record<string, unknown> }>(sql`select to_jsonb(i) as row from trigger_instances i`)
  ).map(({ row }) => row)

/** Stores the configurations of all instances as an earlier release did. */
const storeInClear = (db: Db) =>
  db.run(sql`update trigger_instances set config = ${JSON.stringify(CONFIG)}::jsonb, encrypted_config = null,
    config_hash = ${clearConfigHash(CONFIG)}`)

async function startWithTrigger(t: TestContext) {
  const s = await startTriggerApp(t)
  const account = await s.connect()
  const upsert = async () =>
    (await s.upsert({ connected_account_id: account, trigger_config: { section: CONFIG.section } })).body
      .trigger_id
  return { ...s, account, upsert, id: await upsert() }
}

test('trigger: a configuration is in the database only encrypted, and lists and polls have it', async (t) => {
  const s = await startWithTrigger(t)
  const [row] = await stored(s.db)
  assert.doesNotMatch(JSON.stringify(row), /section-of-the-user/)
  assert.match(String(row!['config_hash']), /^keyed:[0-9a-f]{64}$/)
  assert.equal(row!['interval_minutes'], 15)
  assert.deepEqual((await s.listed())[0]!.trigger_config, CONFIG)
  s.app.startPolling()
  addOrders(s.orders, { id: 1, section: 'another' }, { id: 2, section: CONFIG.section })
  await s.polled(s.id)
  assert.equal((await s.payloads()).length, 1, 'the poll compares items with the configuration')
})

test('trigger: an instance of an earlier release is read, found as equal, and encrypted then', async (t) => {
  const s = await startWithTrigger(t)
  await storeInClear(s.db)
  assert.deepEqual((await s.listed())[0]!.trigger_config, CONFIG)
  assert.equal(await s.upsert(), s.id)
  const rows = await stored(s.db)
  assert.equal(rows.length, 1)
  assert.doesNotMatch(JSON.stringify(rows), /section-of-the-user/)
  assert.deepEqual((await s.listed())[0]!.trigger_config, CONFIG)
})
