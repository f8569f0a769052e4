import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#fixtures/app.ts'
import {
  createDataKeyStore,
  destroyReplacedDataKeys,
  replaceDataKeys,
} from '../../features/projects/index.ts'
import { EncryptionError } from '../../platform/crypto/index.ts'
import { connect } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import { ENCRYPTED_COLUMNS } from './encrypted-columns.ts'
import { reencryptColumn, withDataKeys } from './reencrypt-column.ts'

const FILE = { name: 'r.txt', mimetype: 'text/plain', bytes: Buffer.from('content'), toolkit: 'g', tool: 'T' }

test('key rotation: files are read with the new data key, their bytes stay, and are lost with the last key', async (t) => {
  const s = await testApp(t)
  const { key } = await s.app.files.save(s.keys.projectId, FILE, 60)
  const read = async () => (await s.app.files.read(s.keys.projectId, key)).bytes.toString()
  const db = connect(s.databaseUrl, { max: 2 })
  t.after(() => db.close())
  const encryptor = s.encryptor.withStore(createDataKeyStore(db))
  await replaceDataKeys(db, encryptor.newDataKey)
  // The server of this test has the same keys in memory, and may not have been notified yet.
  await encryptor.recheckKeys()
  const column = ENCRYPTED_COLUMNS.find(({ table }) => table === 'files')!
  const { done } = await reencryptColumn(db, withDataKeys(encryptor), column, {
    portion: 10,
    onProgress() {},
  })
  assert.equal(done, 1)
  assert.equal(await destroyReplacedDataKeys(db), 1)
  await s.encryptor.recheckKeys()
  assert.equal(await read(), 'content')

  await db.run(sql`delete from project_data_keys`)
  await s.encryptor.recheckKeys()
  await assert.rejects(read(), EncryptionError)
  assert.equal((await s.app.db.rows(sql`select 1 from files`)).length, 1)
})
