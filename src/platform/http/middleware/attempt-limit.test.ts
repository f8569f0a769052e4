import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clonedDatabase } from '#fixtures/clone.ts'
import { connect } from '../../db/pool.ts'
import { sql } from '../../db/sql.ts'
import { createAttemptLimit } from './attempt-limit.ts'
import { TooManyRequests } from './rate-limit.ts'

test('attempts: replicas count together, concurrent attempts count, and accounts are stored as hashes', async (t) => {
  const db = connect(await clonedDatabase(t), { max: 4 })
  t.after(() => db.close())
  let now = 1_800_000_000_000
  const clock = { now: () => now }
  const replicas = [createAttemptLimit(db, clock), createAttemptLimit(db, clock)]
  const attempt = (index: number, account = 'Ada@example.com', ip = '192.0.2.1') =>
    replicas[index % 2]!.start(account, ip)
  const results = await Promise.allSettled(Array.from({ length: 30 }, (_, index) => attempt(index)))
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 10)
  await assert.rejects(
    attempt(0, 'ada@EXAMPLE.com', '192.0.2.2'),
    TooManyRequests,
    'the same account from elsewhere',
  )
  await attempt(1, 'grace@example.com', '192.0.2.2')

  const stored = await db.rows<{ subject: string }>(sql`select subject from rate_limit_windows`)
  assert.ok(stored.length >= 4 && stored.every(({ subject }) => !/ada|grace|192/i.test(subject)))

  now += 15 * 60_000
  await attempt(0)
  for (let count = 0; count < 9; count++) await attempt(count)
  await replicas[0]!.succeed('ada@example.com')
  await attempt(1)

  for (let person = 0; person < 100; person++)
    await attempt(0, `p${person}@example.com`, '198.51.100.7').catch((error: unknown) => {
      assert.ok(error instanceof TooManyRequests)
      assert.ok(person >= 50)
    })
  await assert.rejects(
    attempt(0, 'someone@example.com', '198.51.100.7'),
    TooManyRequests,
    'one source, many accounts',
  )
})
