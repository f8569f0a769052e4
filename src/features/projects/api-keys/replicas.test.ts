import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { temporaryCache, temporaryFiles } from '#fixtures/files.ts'
import { setImmediate } from 'node:timers/promises'
import { testApp } from '#fixtures/app.ts'
import { client, type Client } from '#fixtures/client.ts'
import { createApp } from '../../../app/create-app.ts'
import { sampleSource } from '#fixtures/sample-toolkits.ts'
import { until } from '#fixtures/until.ts'
import { catalogFromSources } from '../../../catalog/index.ts'
import {
  createProject,
  createProjectKey,
  deleteProject,
  deleteProjectKey,
  readProjectConfig,
  regenerateProjectKey,
  updateProjectConfig,
} from '../../../contract/projects/index.ts'
import { parseKeyRing, createEncryptor } from '../../../platform/crypto/index.ts'
import { CHANGES_CONNECTION, countReplicas } from '../../../platform/db/replicas.ts'
import { publishChange } from '../../../platform/change-bus.ts'
import { sql } from '../../../platform/db/sql.ts'
import { createEgress } from '../../../platform/egress/index.ts'
import { createLog } from '../../../platform/log.ts'

/** Less than the time for which a replica remembers a key that no notification removes. */
const WITHIN_MS = 5_000

test('a replica remembers keys, and forgets them when the database says so', async (t) => {
  const { app, keys, databaseUrl } = await testApp(t)
  await until('one replica is counted', async () => (await countReplicas(app.db)) === 1)
  const there = await replica(t, databaseUrl)
  await until('two replicas are counted', async () => (await countReplicas(app.db)) === 2)
  const call = there({ 'x-api-key': keys.projectApiKey })
  assert.equal((await call(readProjectConfig)).status, 200)
  await app.db.run(sql`update api_keys set deleted_at = now() where project_id = ${keys.projectId}`)
  assert.equal((await call(readProjectConfig)).status, 200, 'remembered: nobody announced the change')
  await publishChange(app.db, { kind: 'principals_changed' })
  await until('the key is rejected', async () => (await call(readProjectConfig)).status === 401, WITHIN_MS)
})

test('a key that one replica regenerates, revokes or deletes stops on another when it is notified', async (t) => {
  const { keys, org, databaseUrl } = await testApp(t)
  const there = await replica(t, databaseUrl)
  const params = { nano_id: keys.projectId }
  const { body: extra } = await org(createProjectKey, { params, body: {} })
  const { body: other } = await org(createProject, { body: { name: 'other', should_create_api_key: true } })
  const stops = async (key: string, change: () => Promise<{ status: number }>) => {
    const call = there({ 'x-api-key': key })
    assert.equal((await call(readProjectConfig)).status, 200)
    assert.equal((await change()).status, 200)
    await until('the key is rejected', async () => (await call(readProjectConfig)).status === 401, WITHIN_MS)
  }
  await stops(extra.key, () => org(deleteProjectKey, { params: { ...params, key_id: extra.id } }))
  await stops(keys.projectApiKey, () => org(regenerateProjectKey, { params }))
  await stops(other.api_key ?? '', () => org(deleteProject, { params: { nano_id: other.id } }))
})

test('a setting that one replica changes holds on another when it is notified', async (t) => {
  const { call, keys, databaseUrl } = await testApp(t)
  const there = (await replica(t, databaseUrl))({ 'x-api-key': keys.projectApiKey })
  assert.equal((await there(readProjectConfig)).body.display_name, null)
  await call(updateProjectConfig, { body: { display_name: 'Billing' } })
  await until(
    'the other replica has the change',
    async () => (await there(readProjectConfig)).body.display_name === 'Billing',
    WITHIN_MS,
  )
})

/** A second application on the same database, once it listens to what the first announces. */
async function replica(
  t: TestContext,
  databaseUrl: string,
): Promise<(headers: Record<string, string>) => Client> {
  const app = await createApp({
    databaseUrl,
    databasePoolMax: 2,
    publicUrl: 'http://localhost:3901',
    wireBrand: 'service',
    rateLimitPerMinute: 0,
    catalog: catalogFromSources([sampleSource()]),
    encryptor: createEncryptor(parseKeyRing(`other:${Buffer.alloc(32).toString('base64')}`)),
    egress: createEgress({ allow: [] }),
    files: temporaryFiles(t),
    cacheDir: temporaryCache(t),
    clock: { now: Date.now },
    log: createLog('silent'),
    version: '0.0.0-test',
  } as Parameters<typeof createApp>[0])
  t.after(() => app.close())
  const listening = sql`select pid from pg_stat_activity where datname = current_database()
      and application_name = ${CHANGES_CONNECTION} and state = 'idle' and query ~* '^(listen|select 1)'`
  await until('both connections listen', async () => (await app.db.rows(listening)).length === 2)
  await setImmediate()
  return (headers) => client(app.http, headers)
}
