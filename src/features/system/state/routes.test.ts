import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#fixtures/app.ts'
import { readSystem } from '../../../contract/system.ts'
import { describeSettings } from '../../../platform/config/describe-settings.ts'
import { sql } from '../../../platform/db/sql.ts'
import { checkClock, checkDatabase, checkPublicUrl, checkQueues } from './checks.ts'

test('system: returns version, database, settings and checks to the organization only', async (t) => {
  const s = await testApp(t, {
    settings: describeSettings('/nowhere', {
      PORT: '4000',
      DATABASE_URL: 'postgres://u:secret-password@h/d',
      CONSOLE_OIDC_CLIENT_SECRET: 'client-secret',
    }),
  })
  const { status, body } = await s.org(readSystem)
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(body.version, '0.0.0-test')
  assert.ok(body.database.size_bytes > 1_000_000)
  const setting = (name: string) => body.settings.find((one) => one.name === name)
  assert.deepEqual([setting('PORT')?.value, setting('PORT')?.is_set], ['4000', true])
  assert.deepEqual([setting('DATABASE_URL')?.value, setting('DATABASE_URL')?.is_set], [null, true])
  assert.deepEqual([setting('LOG_LEVEL')?.value, setting('LOG_LEVEL')?.is_set], ['info', false])
  assert.doesNotMatch(JSON.stringify(body), /secret-password|client-secret"/)
  assert.deepEqual(
    body.checks.filter(({ status: result }) => result === 'fail'),
    [],
  )
  assert.equal((await s.call(readSystem)).status, 401, 'a key of a project')
})

test('system: counts jobs by task, with the error of the latest failure', async (t) => {
  const s = await testApp(t)
  await s.app.db.run(sql`select graphile_worker.add_job('test.task', '{}'::json, max_attempts := 1)`)
  await s.app.db.run(
    sql`select graphile_worker.add_job('test.task', '{}'::json, run_at := now() + interval '1 hour')`,
  )
  await s.app.db.run(sql`
    update graphile_worker._private_jobs set attempts = max_attempts, last_error = E'first line\\nsecond'
    where max_attempts = 1`)
  const { body } = await s.org(readSystem)
  const job = body.jobs.find(({ task }) => task === 'test.task')
  assert.deepEqual(job, {
    task: 'test.task',
    due: 0,
    running: 0,
    later: 1,
    failed: 1,
    last_error: 'first line',
  })
  assert.equal(body.checks.find(({ name }) => name === 'queues')?.status, 'warn')
})

test('system: checks name the next step', () => {
  const database = {
    version: '18.0',
    versionNumber: 180_000,
    sizeBytes: 1,
    latencyMs: 1,
    clockDifferenceMs: 0,
  }
  assert.equal(checkDatabase(database).status, 'ok')
  assert.match(checkDatabase({ ...database, versionNumber: 140_000 }).fix ?? '', /PostgreSQL 15/)
  assert.match(checkDatabase({ ...database, latencyMs: 500 }).fix ?? '', /near the server/)
  assert.equal(checkClock({ ...database, clockDifferenceMs: -5_000 }).status, 'fail')
  assert.equal(checkPublicUrl('http://localhost:3900').status, 'warn')
  assert.equal(checkPublicUrl('https://patchbay.example.com').status, 'ok')
  assert.equal(checkQueues([], 5_000).status, 'fail')
})
