import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { testApp } from '#fixtures/app.ts'
import { clonedDatabase } from '#fixtures/clone.ts'
import { readProjectConfig } from '../../../contract/projects/index.ts'
import { connect } from '../../db/pool.ts'
import { sql } from '../../db/sql.ts'
import { createRateLimit, type RateLimit, type RateLimits, TooManyRequests } from './rate-limit.ts'

const MINUTE = 60_000

/** Replicas on one database with one clock, which stands unless it is moved. */
async function replicas(t: TestContext, perMinute: number, count = 2, narrower: Partial<RateLimits> = {}) {
  const db = connect(await clonedDatabase(t), { max: 2 })
  const clock = { time: 1_000 * MINUTE, now: () => clock.time }
  const errors: unknown[] = []
  const limits = Array.from({ length: count }, () =>
    createRateLimit(db, clock, { organization: perMinute, project: 0, key: 0, ...narrower }, (error) =>
      errors.push(error),
    ),
  )
  t.after(async () => {
    await Promise.all(limits.map((one) => one.close()))
    await db.close()
  })
  return { db, clock, errors, limits: limits as [RateLimit, RateLimit] }
}

/** How many of so many calls are let through. */
const passing = (
  limit: RateLimit,
  calls: number,
  organizationId = 'org_a',
  projectId?: string,
  keyId?: string,
) =>
  Array.from({ length: calls }, () => {
    try {
      limit.limit({ organizationId, projectId, keyId })
      return 1
    } catch (error) {
      assert.ok(error instanceof TooManyRequests)
      return 0
    }
  }).filter(Boolean).length

test('rate limit: calls up to the limit pass, and the headers count down', async (t) => {
  const {
    limits: [one],
  } = await replicas(t, 3)
  assert.deepEqual(
    [1, 2, 3].map(() => one.limit({ organizationId: 'org_a' })['x-ratelimit-remaining']),
    ['2', '1', '0'],
  )
  assert.throws(
    () => one.limit({ organizationId: 'org_a' }),
    (error: TooManyRequests) => {
      assert.deepEqual(
        [error.status, error.slug, error.message],
        [429, 'HTTP_TooManyRequests', 'Rate limit exceeded. Limit: 3 requests per 1 minutes'],
      )
      assert.deepEqual(error.headers, {
        'x-ratelimit': '3',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-window-size': '60s',
        'retry-after': '60',
      })
      return true
    },
  )
  assert.equal(passing(one, 5, 'org_b'), 3, 'another organization has its own')
})

test('rate limit: a new minute allows calls again, and Retry-After says when', async (t) => {
  const {
    clock,
    limits: [one],
  } = await replicas(t, 1)
  clock.time += 45_500
  assert.equal(passing(one, 2), 1)
  assert.throws(
    () => one.limit({ organizationId: 'org_a' }),
    (error: TooManyRequests) => error.headers['retry-after'] === '15',
  )
  clock.time += 14_499
  assert.equal(passing(one, 1), 0)
  clock.time += 1
  assert.equal(passing(one, 2), 1)
})

test('rate limit: replicas share counts after an exchange', async (t) => {
  const {
    limits: [one, two],
  } = await replicas(t, 10)
  assert.equal(passing(one, 7), 7)
  await one.exchangeCounts()
  assert.equal(passing(two, 1), 1)
  await two.exchangeCounts()
  assert.equal(passing(two, 10), 2)
  await two.exchangeCounts()
  await one.exchangeCounts()
  assert.equal(
    passing(one, 10),
    3,
    'it has nothing new to say, so it has not asked; what it may add is bounded by one second of calls',
  )
})

test('rate limit: exchanged counts add up to the calls', async (t) => {
  const {
    db,
    limits: [one, two],
  } = await replicas(t, 1_000)
  for (let round = 0; round < 3; round++) {
    passing(one, 5)
    passing(two, 7)
    await Promise.all([one.exchangeCounts(), two.exchangeCounts()])
  }
  assert.deepEqual(await db.rows(sql`select subject, used from rate_limit_windows`), [
    { subject: 'org_a', used: 36 },
  ])
  assert.equal(one.limit({ organizationId: 'org_a' })['x-ratelimit'], '1000')
})

test('rate limit: nothing is written for an organization without calls', async (t) => {
  const {
    db,
    clock,
    limits: [one],
  } = await replicas(t, 5)
  await one.exchangeCounts()
  passing(one, 5)
  await one.exchangeCounts()
  const [before] = await db.rows<{ used: number; xmin: string }>(
    sql`select used, xmin::text from rate_limit_windows`,
  )
  assert.equal(passing(one, 5), 0)
  await one.exchangeCounts()
  assert.deepEqual(
    await db.rows(sql`select used, xmin::text from rate_limit_windows`),
    [before],
    'rejected calls send no notification',
  )
  clock.time += MINUTE
  await one.exchangeCounts()
  assert.deepEqual(
    await db.rows(sql`select used, xmin::text from rate_limit_windows`),
    [before],
    'a minute that is over is forgotten',
  )
})

test('rate limit: 0 disables the limit', async (t) => {
  const {
    limits: [one],
  } = await replicas(t, 0)
  assert.deepEqual(one.limit({ organizationId: 'org_a' }), {})
  assert.equal(passing(one, 1_000), 1_000)
})

test('rate limit: without the database each replica counts alone, and no count is lost', async (t) => {
  const {
    db,
    errors,
    limits: [one],
  } = await replicas(t, 5)
  await db.run(sql`alter table rate_limit_windows rename to elsewhere`)
  assert.equal(passing(one, 9), 5)
  await one.exchangeCounts()
  assert.equal(errors.length, 1)
  assert.equal(passing(one, 1), 0)
  await db.run(sql`alter table elsewhere rename to rate_limit_windows`)
  await one.exchangeCounts()
  assert.deepEqual(await db.rows(sql`select used from rate_limit_windows`), [{ used: 5 }])
})

test('rate limit: a rejected call gets the error envelope, the message and the headers', async (t) => {
  const { call, clock, org } = await testApp(t, { rateLimitPerMinute: 2 })
  clock.advance(MINUTE - (clock.now() % MINUTE)) // so that the minute does not end under the test
  const first = await call(readProjectConfig)
  assert.deepEqual(
    [
      first.headers['x-ratelimit'],
      first.headers['x-ratelimit-remaining'],
      first.headers['x-ratelimit-window-size'],
    ],
    ['2', '1', '60s'],
  )
  await call(readProjectConfig)
  const { status, headers, body } = await call(readProjectConfig)
  const message = 'Rate limit exceeded. Limit: 2 requests per 1 minutes'
  assert.deepEqual([status, (body as unknown as { message: string }).message], [429, message])
  assert.deepEqual(
    { ...body.error, request_id: '', suggested_fix: '' },
    {
      message,
      code: 10429,
      slug: 'HTTP_TooManyRequests',
      status: 429,
      request_id: '',
      suggested_fix: '',
      errors: [],
    },
  )
  assert.ok(Number(headers['retry-after']) >= 1 && Number(headers['retry-after']) <= 60)
  assert.equal(
    (await org(readProjectConfig)).status,
    401,
    'a rejected key costs nothing and gets no headers about the limit',
  )
})

test('rate limit: a project cannot use up the limit of its organization, nor a key that of its project', async (t) => {
  const {
    limits: [one, other],
  } = await replicas(t, 10, 2, { project: 6, key: 4 })
  assert.equal(passing(one, 20, 'org_a', 'proj_a', 'key_1'), 4)
  assert.equal(passing(one, 20, 'org_a', 'proj_a', 'key_2'), 2)
  assert.equal(passing(one, 20, 'org_a', 'proj_b', 'key_3'), 4)
  await one.exchangeCounts()
  assert.equal(passing(other, 1, 'org_a', 'proj_a', 'key_1'), 1, 'the counts have not been exchanged')
  await other.exchangeCounts()
  assert.equal(passing(other, 20, 'org_a', 'proj_b', 'key_4'), 0, 'the organization has used its limit')
  assert.equal(passing(other, 20, 'org_b', 'proj_c', 'key_5'), 4)
})

test('rate limit: a project cannot send the calls of a minute in one second', async (t) => {
  const {
    clock,
    limits: [one],
  } = await replicas(t, 1_000, 1, { projectPerSecond: 5 })
  assert.equal(passing(one, 20, 'org_a', 'proj_a'), 5)
  assert.equal(passing(one, 20, 'org_a', 'proj_b'), 5)
  assert.equal(passing(one, 20, 'org_a'), 20, 'calls of the organization itself belong to no project')
  clock.time += 400
  assert.equal(passing(one, 20, 'org_a', 'proj_a'), 2, 'the bucket is filled continuously')
  assert.throws(
    () => one.limit({ organizationId: 'org_a', projectId: 'proj_a' }),
    (error: TooManyRequests) => {
      assert.deepEqual(
        [error.status, error.message],
        [429, 'Rate limit exceeded. Limit: 5 requests per 1 seconds'],
      )
      assert.deepEqual(error.headers, {
        'x-ratelimit': '5',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-window-size': '1s',
        'retry-after': '1',
      })
      return true
    },
  )
  clock.time += 1_000
  assert.equal(passing(one, 20, 'org_a', 'proj_a'), 5)
  clock.time -= MINUTE
  assert.equal(passing(one, 20, 'org_a', 'proj_a'), 5, 'a clock that was set back closes no bucket')
})
