import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTriggerApp } from '#fixtures/triggers.ts'
import { deleteTrigger } from '../../contract/triggers/index.ts'
import { createDataKeyStore, replaceDataKeys } from '../../features/projects/index.ts'
import { clearConfigHash } from '../../features/triggers/index.ts'
import { connect } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import { countClear, encryptClearColumn, isClearTarget } from './encrypt-clear-column.ts'
import { ENCRYPTED_COLUMNS } from './encrypted-columns.ts'

const CONFIG = { section: 'section-of-the-user', interval: 15, status: 'any' }

test('key rotation: --values encrypts configurations of triggers, and equal ones are found with the new key', async (t) => {
  const s = await startTriggerApp(t)
  const account = await s.connect()
  const upsert = () =>
    s.upsert({ connected_account_id: account, trigger_config: { section: CONFIG.section } })
  const { trigger_id: id } = (await upsert()).body
  await s.db.run(sql`
    update trigger_instances set config = ${JSON.stringify(CONFIG)}::jsonb, encrypted_config = null,
      config_hash = ${clearConfigHash(CONFIG)}`)
  const db = connect(s.databaseUrl, { max: 2 })
  t.after(() => db.close())
  const encryptor = s.encryptor.withStore(createDataKeyStore(db))
  await replaceDataKeys(db, encryptor.newDataKey)
  await encryptor.recheckKeys()
  const column = ENCRYPTED_COLUMNS.filter(isClearTarget).find(({ table }) => table === 'trigger_instances')!
  assert.equal(await encryptClearColumn(db, encryptor, column, { portion: 1, onProgress() {} }), 1)
  assert.equal(await countClear(db, column), 0)
  const rows = await s.db.rows(sql`select to_jsonb(i) from trigger_instances i`)
  assert.doesNotMatch(JSON.stringify(rows), /section-of-the-user/)
  assert.equal((await upsert()).body.trigger_id, id)
  assert.deepEqual((await s.listed())[0]!.trigger_config, CONFIG)
})

test('key rotation: --values leaves no plain hash of a trigger, also of a deleted one and of one that has an equal one', async (t) => {
  const s = await startTriggerApp(t)
  const account = await s.connect()
  const upsert = async () =>
    (await s.upsert({ connected_account_id: account, trigger_config: { section: CONFIG.section } })).body
      .trigger_id
  const former = await upsert()
  const plain = clearConfigHash(CONFIG)
  await s.db.run(sql`update trigger_instances set config_hash = 'an equal one is not found'`)
  const found = await upsert()
  await s.db.run(sql`
    insert into trigger_instances select (jsonb_populate_record(i,
      to_jsonb(i) || jsonb_build_object('id', 'ti_deleted', 'uuid', gen_random_uuid(), 'deleted_at', now()))).*
    from trigger_instances i where id = ${former}`)
  await s.db.run(sql`
    update trigger_instances set config = ${JSON.stringify(CONFIG)}::jsonb, encrypted_config = null,
      config_hash = ${plain} where id <> ${found}`)
  const db = connect(s.databaseUrl, { max: 2 })
  t.after(() => db.close())
  const encryptor = s.encryptor.withStore(createDataKeyStore(db))
  const column = ENCRYPTED_COLUMNS.filter(isClearTarget).find(({ table }) => table === 'trigger_instances')!
  // A row that an earlier run encrypted without a new hash.
  await encryptClearColumn(
    db,
    encryptor,
    { ...column, clear: { column: 'config' } },
    { portion: 1, onProgress() {} },
  )
  await encryptClearColumn(db, encryptor, column, { portion: 1, onProgress() {} })
  const hashes = await s.db.rows<{ hash: string }>(
    sql`select distinct config_hash as hash from trigger_instances`,
  )
  assert.equal(hashes.length, 3)
  for (const { hash } of hashes) assert.match(hash, /^keyed:[0-9a-f]{64}$/)
  assert.equal(await upsert(), found, 'the equal one is still found')
})

test('trigger: a deleted instance keeps no hash of its configuration', async (t) => {
  const s = await startTriggerApp(t)
  const account = await s.connect()
  const { trigger_id: id } = (
    await s.upsert({ connected_account_id: account, trigger_config: { section: CONFIG.section } })
  ).body
  await s.call(deleteTrigger, { params: { trigger_id: id } })
  assert.deepEqual(await s.db.rows(sql`select config_hash from trigger_instances`), [
    { config_hash: `deleted:${id}` },
  ])
})
