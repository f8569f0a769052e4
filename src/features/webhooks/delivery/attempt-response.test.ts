import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startWebhookApp } from '#fixtures/webhooks.ts'
import { sql } from '../../../platform/db/sql.ts'

test('attack: a dump of the database has no response of a receiver, and the log of events shows it', async (t) => {
  const s = await startWebhookApp(t)
  await s.subscribe('/hooks')
  s.answer(() => ({ status: 400, text: 'token=receiver-secret' }))
  await s.publish(['m1'])
  await s.tried(1)
  const dump = async () =>
    JSON.stringify(
      await s.db.rows(sql`select a.*, encode(encrypted_response, 'escape') as text from webhook_attempts a`),
    )
  assert.match(await dump(), /"status":400/)
  assert.doesNotMatch(await dump(), /receiver-secret/)
  const answers = async () => (await s.show('m1')).deliveries[0]?.log.map(({ answer }) => answer)
  assert.deepEqual(await answers(), ['token=receiver-secret'])

  await s.db.run(sql`update webhook_attempts set response = 'earlier', encrypted_response = null`)
  assert.deepEqual(await answers(), ['earlier'], 'an attempt of an earlier version stays readable')
})

test('delivery: an empty response is shown as empty, and no response as null', async (t) => {
  const s = await startWebhookApp(t)
  await s.subscribe('/hooks')
  s.answer(() => ({ status: 400 }))
  await s.publish(['m1'])
  await s.tried(1)
  s.answer(() => ({ cut: true }))
  await s.makeDue()
  await s.tried(2)
  const log = (await s.show('m1')).deliveries[0]?.log
  assert.deepEqual(
    log?.map(({ status, answer }) => [status, answer]),
    [
      [400, ''],
      [null, null],
    ],
  )
})
