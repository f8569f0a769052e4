import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTriggerApp } from '#fixtures/triggers.ts'
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
