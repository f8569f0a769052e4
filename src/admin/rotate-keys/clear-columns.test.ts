import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startWebhookApp } from '#fixtures/webhooks.ts'
import { readEvent } from '../../contract/events/index.ts'
import { listWebhooks } from '../../contract/webhooks/index.ts'
import { connect } from '../../platform/db/pool.ts'
import { type Db, raw, sql } from '../../platform/db/sql.ts'
import { createDataKeyStore } from '../../features/projects/index.ts'
import type { Encryptor } from '../../platform/crypto/index.ts'
import { countClear, encryptClearColumn, isClearTarget } from './encrypt-clear-column.ts'
import { ENCRYPTED_COLUMNS, encryptionContext } from './encrypted-columns.ts'

const CLEAR = ENCRYPTED_COLUMNS.filter(isClearTarget)

/** Moves the values of all rows back to the columns in clear, as an earlier release stored them. */
async function storeInClear(db: Db, encryptor: Encryptor): Promise<Set<string>> {
  const filled = new Set<string>()
  for (const column of CLEAR) {
    const quoted = (name: string) => raw(`"${name}"`)
    const [table, id, number] = [quoted(column.table), quoted(column.id), raw(column.number ?? '0')]
    const [encrypted, clear] = [quoted(column.column), quoted(column.clear.column)]
    const rows = await db.rows<{ id: string; number: number; value: Buffer }>(
      sql`select ${id} as id, ${number} as number, ${encrypted} as value from ${table} where ${encrypted} is not null`,
    )
    for (const row of rows) {
      const context = encryptionContext(column, row)
      const value = encryptor.decrypt<unknown>(row.value, context)
      const { data, payload } = value as { data: unknown; payload: unknown }
      const isEvent = column.table === 'events'
      const text = isEvent ? JSON.stringify(data) : typeof value === 'string' ? value : JSON.stringify(value)
      const former = isEvent && payload !== undefined ? encryptor.encryptWithRing(payload, context) : null
      await db.run(sql`
        update ${table} set ${clear} = ${text}, ${encrypted} = ${former}
        where ${id} = ${row.id} and ${number} = ${row.number}`)
      filled.add(`${column.table}.${column.column}`)
    }
  }
  return filled
}

test('key rotation: --values encrypts what an earlier release stored in clear, and it is read as before', async (t) => {
  const s = await startWebhookApp(t)
  await s.subscribe('/hooks')
  s.answer(() => ({ status: 500, text: 'response of the receiver' }))
  await s.publish(['a'])
  await s.tried(1)
  const read = async () => ({
    event: (await s.call(readEvent, { params: { event_id: s.eventId('a') } })).body,
    webhooks: (await s.call(listWebhooks)).body.items,
  })
  const before = await read()
  const filled = await storeInClear(s.db, s.encryptor)
  for (const name of [
    'events.encrypted_payload',
    'webhook_attempts.encrypted_response',
    'webhook_subscriptions.encrypted_webhook_url',
  ])
    assert.ok(filled.has(name), name)
  assert.deepEqual(await read(), before, 'rows of an earlier release are read')
  const db = connect(s.databaseUrl, { max: 2 })
  t.after(() => db.close())
  const encryptor = s.encryptor.withStore(createDataKeyStore(db))
  for (const column of CLEAR) {
    const count = await countClear(db, column)
    const done = await encryptClearColumn(db, encryptor, column, { portion: 1, onProgress() {} })
    assert.deepEqual([done, await countClear(db, column)], [count, 0], column.table)
  }
  assert.deepEqual(await read(), before)
  const dump = await s.db.rows(sql`
    select to_jsonb(e)::text || coalesce((select string_agg(to_jsonb(a)::text, '') from webhook_attempts a), '')
      || (select string_agg(to_jsonb(w)::text, '') from webhook_subscriptions w) as text from events e`)
  assert.doesNotMatch(JSON.stringify(dump), /response of the receiver|subject|\/hooks/)
})
