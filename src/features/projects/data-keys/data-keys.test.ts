import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#fixtures/app.ts'
import { until } from '#fixtures/until.ts'
import { createProject } from '../../../contract/projects/index.ts'
import { createSession } from '../../../contract/sessions/index.ts'
import { createWebhook } from '../../../contract/webhooks/index.ts'
import { createEncryptor, parseKeyRing } from '../../../platform/crypto/index.ts'
import { sql } from '../../../platform/db/sql.ts'
import { destroyDataKeys } from './store.ts'

/** Processes with the same key ring, and data keys of their own in memory. */
const newEncryptor = () => createEncryptor(parseKeyRing(`k:${Buffer.alloc(32, 9).toString('base64')}`))

test('data keys: a project has its data key from its creation', async (t) => {
  const s = await testApp(t, { encryptor: newEncryptor() })
  const { id } = (await s.org(createProject, { body: { name: 'other' } })).body
  const rows = await s.app.db.rows<{ project_id: string }>(
    sql`select project_id from project_data_keys where replaced_at is null order by created_at`,
  )
  assert.deepEqual(
    rows.map((row) => row.project_id),
    [s.keys.projectId, id],
  )
})

test('data keys: two processes create one key for a project of an earlier release, and read values of each other', async (t) => {
  const s = await testApp(t, { encryptor: newEncryptor() })
  const { projectId } = s.keys
  await s.app.db.run(sql`delete from project_data_keys`)
  await s.encryptor.forgetProject(projectId)
  const other = await testApp(t, { sameDatabaseAs: s, encryptor: newEncryptor() })
  const own = await Promise.all([s.encryptor.ofProject(projectId), other.encryptor.ofProject(projectId)])
  const rows = await s.app.db.rows(sql`select id from project_data_keys where project_id = ${projectId}`)
  assert.equal(rows.length, 1)
  const [mine, theirs] = own.map((encryptor) => encryptor.encrypt('value', 'here'))
  assert.equal(s.encryptor.decrypt(theirs!, 'here'), 'value')
  assert.equal(other.encryptor.decrypt(mine!, 'here'), 'value')
})

test('data keys: a project that was deleted and erased gets no data key again', async (t) => {
  const s = await testApp(t, { encryptor: newEncryptor() })
  const { projectId } = s.keys
  await s.app.db.begin(async (tx) => {
    await tx.run(sql`
      insert into project_deletions (id, organization_id, project_id, status, finished_at)
      select 'pdl_1', organization_id, id, 'done', now() from projects`)
    await destroyDataKeys(tx, projectId)
  })
  await until('the process forgot the key', () =>
    s.encryptor.ofProject(projectId).then(
      () => false,
      (error: Error) => /has no data key/.test(error.message),
    ),
  )
  await assert.rejects(s.encryptor.ofProject('proj_unknown'), /has no data key/)
  assert.deepEqual(await s.app.db.rows(sql`select 1 from project_data_keys`), [])
})

test('data keys: a copy of the rows of a deleted project cannot be decrypted with the key ring', async (t) => {
  const s = await testApp(t, { encryptor: newEncryptor() })
  const { db } = s.app
  const { projectId } = s.keys
  await s.call(createSession, { body: { user_id: 'u' } })
  await s.call(createWebhook, {
    body: { webhook_url: 'https://example.com/hook', enabled_events: ['service.trigger.message'] },
  })
  const row = sql`select id, secret from webhook_subscriptions`
  const copy = (await db.one<{ id: string; secret: Buffer }>(row))!
  const context = `webhook_subscriptions:${copy.id}:secret`
  assert.ok(s.encryptor.decrypt<string>(copy.secret, context).length > 20)
  await db.begin((tx) => destroyDataKeys(tx, projectId))
  // Another process, with the same key ring, on the database with the copied row.
  const other = await testApp(t, { sameDatabaseAs: s, encryptor: newEncryptor() })
  await until('the notification arrived', () => {
    try {
      s.encryptor.decrypt(copy.secret, context)
      return false
    } catch {
      return true
    }
  })
  const read = (await other.app.db.one<{ secret: Buffer }>(row))!
  assert.throws(() => other.encryptor.decrypt(read.secret, context), /The data key "dk_\w+" does not exist/)
})
