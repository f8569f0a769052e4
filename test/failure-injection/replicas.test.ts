import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import { queryOnce } from '../../src/platform/db/check.ts'
import { clonedDatabase } from '../fixtures/clone.ts'
import { endOf, launch, startServer, type ServerProcess } from '../fixtures/server-process.ts'
import { until } from '../fixtures/until.ts'

const ENCRYPTION_KEYS = `a:${Buffer.alloc(32, 1).toString('base64')}`
const hasKeys = (dataDir: string) =>
  readFile(join(dataDir, 'keys.json')).then(
    () => true,
    () => false,
  )

/** A worker has no API, but probes and Prometheus read its monitoring port. */
async function checkMonitoring(worker: ServerProcess): Promise<void> {
  const [, url] = /health and metrics on (http:\S+)/.exec(worker.output()) ?? []
  assert.ok(url, worker.output())
  const read = async (path: string) => {
    const response = await fetch(url + path, { signal: AbortSignal.timeout(10_000) })
    return { status: response.status, text: await response.text() }
  }
  assert.equal((await read('/healthz')).status, 200)
  assert.match((await read('/readyz')).text, /"status":"ready"/)
  assert.match((await read('/metrics')).text, /^patchbay_jobs_waiting \d+$/m)
  assert.equal((await read('/api/v3.1/toolkits')).status, 404)
}

describe('several servers on one database', { concurrency: 2 }, () => {
  test('that start together on an empty one make its keys once, and all work', checkFirstStart)

  test('with different encryption keys do not mix: all but the first are rejected', checkDifferentKeys)

  test(
    'notify each other: a key revoked through one is rejected by the other before its cache expires',
    checkRevokedKey,
  )
})

async function checkFirstStart(t: TestContext): Promise<void> {
  const DATABASE_URL = await clonedDatabase(t, 'template1')
  const [serve, all, work] = await Promise.all(
    ['serve', 'all', 'work'].map((ROLE) =>
      startServer(t, { env: { DATABASE_URL, ENCRYPTION_KEYS, ROLE, MONITORING_PORT: '0' } }),
    ),
  )
  assert.ok(serve && all && work)
  const [counted] = await queryOnce<{ organizations: number; keys: number }>(
    DATABASE_URL,
    'select (select count(*)::int from organizations) as organizations, (select count(*)::int from api_keys) as keys',
  )
  assert.deepEqual(counted, { organizations: 1, keys: 2 })
  const makers = await Promise.all([serve, all, work].map(({ dataDir }) => hasKeys(dataDir)))
  assert.equal(makers.filter(Boolean).length, 1, 'one of them has the file')
  assert.equal(makers[2], false, 'and it is not the worker, which nobody asks')
  const { project_api_key: key } = await (makers[0] ? serve : all).keys()
  for (const server of [serve, all]) {
    assert.equal(server.output().includes('shown only once'), server === (makers[0] ? serve : all))
    assert.equal(
      (await server.call('GET', '/api/v3/auth_configs', undefined, { 'x-api-key': key })).status,
      200,
    )
  }
  await checkMonitoring(work)
  // Only the worker is left to do jobs.
  assert.equal((await all.stop()).code, 0)
  await queryOnce(DATABASE_URL, `select graphile_worker.add_job('connectedAccounts.removeOldFlows', '{}')`)
  await until(
    'the worker does a job',
    async () => (await queryOnce(DATABASE_URL, 'select 1 from graphile_worker._private_jobs')).length === 0,
  )
  for (const server of [serve, work]) assert.equal((await server.stop()).code, 0)
}

async function checkDifferentKeys(t: TestContext): Promise<void> {
  const DATABASE_URL = await clonedDatabase(t, 'template1')
  const servers = await Promise.all(
    [1, 2, 3].map((byte) =>
      launch(t, {
        env: { DATABASE_URL, ENCRYPTION_KEYS: `k${byte}:${Buffer.alloc(32, byte).toString('base64')}` },
      }),
    ),
  )
  const refused: string[] = []
  for (const server of servers)
    void endOf(server).then(
      ({ output }) => refused.push(output),
      () => {},
    )
  await until(
    'two are rejected and one is ready',
    () => refused.length === 2 && servers.some((server) => server.output().includes('✓ ready')),
  )
  for (const output of refused) assert.match(output, /The encryption keys do not match the database/)
}

async function checkRevokedKey(t: TestContext): Promise<void> {
  const DATABASE_URL = await clonedDatabase(t, 'template1')
  const first = await startServer(t, { env: { DATABASE_URL, ENCRYPTION_KEYS, ROLE: 'serve' } })
  const second = await startServer(t, { env: { DATABASE_URL, ENCRYPTION_KEYS, ROLE: 'serve' } })
  const { project_api_key: key, project_id: id, organization_api_key: organization } = await first.keys()
  const atSecond = () => second.call('GET', '/api/v3/auth_configs', undefined, { 'x-api-key': key })
  for (let i = 0; i < 3; i++) assert.equal((await atSecond()).status, 200)
  const renewed = await first.call('POST', `/api/v3/org/owner/project/${id}/regenerate_api_key`, undefined, {
    'x-org-api-key': organization,
  })
  assert.equal(renewed.status, 200, JSON.stringify(renewed.body))
  await until('the old key is rejected', async () => (await atSecond()).status === 401, 5_000)
}
