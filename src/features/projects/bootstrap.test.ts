import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { clonedDatabase } from '#fixtures/clone.ts'
import { parseKeyRing, createEncryptor } from '../../platform/crypto/index.ts'
import { connect } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import { StartupError } from '../../platform/startup-error.ts'
import { createFirstProject, assertKeyRingMatches } from './bootstrap.ts'

const ringOf = (id: string, byte: number) =>
  createEncryptor(parseKeyRing(`${id}:${Buffer.alloc(32, byte).toString('base64')}`))
const seal = ringOf('one', 1)

async function emptyDatabase(t: TestContext) {
  const db = connect(await clonedDatabase(t), { max: 6 })
  t.after(() => db.close())
  return db
}

test('an empty database gets an organization, a project and a key of each; a second start nothing', async (t) => {
  const db = await emptyDatabase(t)
  const first = await createFirstProject(db, seal, {})
  assert.match(first?.projectApiKey ?? '', /^ak_[A-Za-z0-9]{32}$/)
  assert.match(first?.organizationApiKey ?? '', /^oak_[A-Za-z0-9]{32}$/)
  assert.equal(await createFirstProject(db, seal, { projectApiKey: 'ak_another' }), undefined)
  assert.deepEqual(await db.rows(sql`select kind, name from api_keys order by kind`), [
    { kind: 'organization', name: 'bootstrap' },
    { kind: 'project', name: 'bootstrap' },
  ])
})

test('replicas that start at once on an empty database make one organization', async (t) => {
  const db = await emptyDatabase(t)
  const made = await Promise.all(Array.from({ length: 6 }, () => createFirstProject(db, seal, {})))
  assert.equal(made.filter((keys) => keys !== undefined).length, 1)
  assert.equal((await db.rows(sql`select id from organizations`)).length, 1)
})

test('keys that the administrator sets are the keys', async (t) => {
  const keys = await createFirstProject(await emptyDatabase(t), seal, {
    projectApiKey: 'ak_given_by_operator',
    organizationApiKey: 'oak_given_by_operator',
  })
  assert.deepEqual(
    [keys?.projectApiKey, keys?.organizationApiKey],
    ['ak_given_by_operator', 'oak_given_by_operator'],
  )
})

test('encryption keys that do not open what is stored stop the start, and the message holds no secret', async (t) => {
  const db = await emptyDatabase(t)
  await assertKeyRingMatches(db, seal) // nothing stored yet
  const keys = await createFirstProject(db, seal, {})
  await assertKeyRingMatches(db, seal)
  for (const wrong of [ringOf('one', 2), ringOf('two', 1)]) {
    await assert.rejects(
      assertKeyRingMatches(db, wrong),
      (error: Error) => error instanceof StartupError && !error.message.includes(keys?.projectApiKey ?? '-'),
    )
  }
})
