import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { testApp } from '#fixtures/app.ts'
import { exampleCatalog } from '#fixtures/auth-configs.ts'
import {
  createSavedConfig,
  createSession,
  readSavedConfig,
  readSession,
  sessionConfigHistory,
  updateSession,
} from '../../contract/sessions/index.ts'
import { createDataKeyStore, replaceDataKeys } from '../../features/projects/index.ts'
import { connect } from '../../platform/db/pool.ts'
import { raw, sql } from '../../platform/db/sql.ts'
import { countClear, encryptClearColumn, isClearTarget } from './encrypt-clear-column.ts'
import { ENCRYPTED_COLUMNS, encryptionContext } from './encrypted-columns.ts'

const URL = 'https://app.example.com/done?pass=capability'
const TABLES = ['sessions', 'session_configs', 'saved_session_configs']
const COLUMNS = ENCRYPTED_COLUMNS.filter(isClearTarget).filter(({ table }) => TABLES.includes(table))

/** A session with a former configuration, and a saved configuration. */
async function startSession(t: TestContext) {
  const s = await testApp(t, { catalog: exampleCatalog() })
  const call = s.as({ 'x-api-key': s.keys.projectApiKey }, 'v3.1')
  const { body: made } = await call(createSession, {
    body: { user_id: 'u1', manage_connections: { enable: true, callback_url: URL } },
  })
  const params = { session_id: made.session_id }
  await call(updateSession, { params, body: { manage_connections: { callback_url: `${URL}2` } } as never })
  const { body: saved } = await call(createSavedConfig, {
    body: { name: 'a', config: { tags: { enable: ['readOnlyHint'] } } },
  })
  const read = async () => [
    (await call(readSession, { params })).body,
    (await call(sessionConfigHistory, { params, query: {} as never })).body,
    (await call(readSavedConfig, { params: { config_id: saved.id } })).body,
  ]
  const stored = async () =>
    JSON.stringify(
      await s.app.db.rows(sql`
        select to_jsonb(s) from sessions s union all select to_jsonb(c) from session_configs c
        union all select to_jsonb(v) from saved_session_configs v`),
    )
  return { ...s, read, stored }
}

test('sessions: current, former and saved configurations are in the database only encrypted', async (t) => {
  const s = await startSession(t)
  const [now, history, saved] = (await s.read()).map((body) => JSON.stringify(body))
  assert.match(now!, /pass=capability2/)
  assert.match(history!, /pass=capability"/)
  assert.match(saved!, /readOnlyHint/)
  assert.doesNotMatch(await s.stored(), /capability|readOnlyHint/)
})

test('key rotation: configurations of sessions of an earlier release are read, and --values encrypts them', async (t) => {
  const s = await startSession(t)
  const before = await s.read()
  for (const column of COLUMNS) {
    const table = raw(column.table)
    const rows = await s.app.db.rows<{ id: string; value: Buffer }>(
      sql`select id, encrypted_config as value from ${table}`,
    )
    for (const { id, value } of rows) {
      const config = JSON.stringify(s.encryptor.decrypt(value, encryptionContext(column, { id, number: 0 })))
      await s.app.db.run(
        sql`update ${table} set config = ${config}::jsonb, encrypted_config = null where id = ${id}`,
      )
    }
    assert.ok(rows.length > 0, column.table)
  }
  assert.match(await s.stored(), /capability/)
  assert.deepEqual(await s.read(), before)

  const db = connect(s.databaseUrl, { max: 2 })
  t.after(() => db.close())
  const encryptor = s.encryptor.withStore(createDataKeyStore(db))
  await replaceDataKeys(db, encryptor.newDataKey)
  await encryptor.recheckKeys()
  for (const column of COLUMNS) {
    await encryptClearColumn(db, encryptor, column, { portion: 1, onProgress() {} })
    assert.equal(await countClear(db, column), 0)
  }
  assert.doesNotMatch(await s.stored(), /capability|readOnlyHint/)
  assert.deepEqual(await s.read(), before)
})
