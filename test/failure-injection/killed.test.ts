import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import { queryOnce } from '../../src/platform/db/check.ts'
import { findPostmaster } from '../../src/platform/db/embedded/processes.ts'
import { startEmbedded } from '../../src/platform/db/embedded/index.ts'
import { clonedDatabase } from '../fixtures/clone.ts'
import { launch, type ServerProcess, startServer, temporaryDirectory } from '../fixtures/server-process.ts'
import { until } from '../fixtures/until.ts'

const ROUNDS = 3
const WRITERS = 4

interface Acknowledged {
  configs: string[]
  executions: string[]
}

/** Writes until the server is gone, and remembers what was acknowledged. */
async function write(server: ServerProcess, acknowledged: Acknowledged): Promise<void> {
  try {
    for (;;) {
      const made = await server.call('POST', '/api/v3/auth_configs', {
        toolkit: { slug: 'parse' },
        auth_config: { type: 'use_custom_auth', authScheme: 'API_KEY', name: 'kept', credentials: {} },
      })
      if (made.status === 201) acknowledged.configs.push((made.body['auth_config'] as { id: string }).id)
      const ran = await server.call('POST', '/api/v3.1/tools/execute/UTILITIES_GET_CURRENT_TIME', {
        arguments: { timezone: 'UTC' },
      })
      if (ran.status === 200) acknowledged.executions.push(ran.body['log_id'] as string)
    }
  } catch {
    // It was killed: what was under way was not acknowledged.
  }
}

async function assertKept(dataDir: string, { configs, executions }: Acknowledged): Promise<void> {
  const database = await startEmbedded({ dataDir })
  try {
    const ids = async (table: string) =>
      new Set((await queryOnce<{ id: string }>(database.url, `select id from ${table}`)).map(({ id }) => id))
    const [keptConfigs, keptExecutions] = [await ids('auth_configs'), await ids('tool_executions')]
    assert.deepEqual(
      configs.filter((id) => !keptConfigs.has(id)),
      [],
    )
    assert.deepEqual(
      executions.filter((id) => !keptExecutions.has(id)),
      [],
    )
  } finally {
    await database.stop()
  }
}

describe('kill -9 of the server', { concurrency: 2 }, () => {
  test(
    'at any moment under load loses nothing that was acknowledged; the PostgreSQL that survives is adopted',
    checkLoad,
  )

  test('together with its PostgreSQL loses no row that was acknowledged', checkKilledTogether)

  test(
    'at any moment of the first start leaves a directory that the next start brings up, with keys that open it',
    checkFirstStart,
  )

  test('between the making of the first keys and the writing of their file loses no keys', checkFirstKeys)
})

async function checkLoad(t: TestContext): Promise<void> {
  const dataDir = join(await temporaryDirectory(t), 'data')
  const acknowledged: Acknowledged = { configs: [], executions: [] }
  let adopted = 0
  for (let round = 0; round < ROUNDS; round++) {
    const server = await startServer(t, { dataDir })
    adopted += Number(server.output().includes('which was still running after its server was killed'))
    const before = acknowledged.executions.length
    const writers = Array.from({ length: WRITERS }, () => write(server, acknowledged))
    await until('writes are acknowledged', () => acknowledged.executions.length > before + randomInt(20, 120))
    server.kill('SIGKILL')
    await Promise.all(writers)
    assert.ok(findPostmaster(join(dataDir, 'postgres')), 'PostgreSQL outlives the server')
  }
  assert.equal(adopted, ROUNDS - 1)
  const last = await startServer(t, { dataDir })
  assert.equal((await last.call('GET', '/api/v3/auth_configs')).status, 200)
  assert.equal((await last.stop()).code, 0)
  await assertKept(dataDir, acknowledged)
}

async function checkKilledTogether(t: TestContext): Promise<void> {
  const server = await startServer(t)
  const acknowledged: Acknowledged = { configs: [], executions: [] }
  const writers = Array.from({ length: WRITERS }, () => write(server, acknowledged))
  await until('writes are acknowledged', () => acknowledged.configs.length > 20)
  const postmaster = findPostmaster(join(server.dataDir, 'postgres'))
  assert.ok(postmaster)
  server.kill('SIGKILL')
  process.kill(postmaster.pid, 'SIGKILL')
  await Promise.all(writers)
  const next = await startServer(t, { dataDir: server.dataDir })
  assert.equal((await next.stop()).code, 0)
  // Rows of the execution log may be committed a fraction of a second after they were acknowledged; only
  // rows are promised here.
  await assertKept(server.dataDir, { ...acknowledged, executions: [] })
}

async function checkFirstStart(t: TestContext): Promise<void> {
  const moments: [string, (server: ServerProcess) => boolean | Promise<boolean>][] = [
    ['while it creates the cluster', (server) => server.output().includes('Creating the database')],
    ['when the schema is there', (server) => server.output().includes('✓ schema')],
    ['when first keys may have been made', (server) => server.output().includes('✓ catalogue')],
  ]
  await Promise.all(
    moments.map(async ([moment, reached]) => {
      const server = await launch(t)
      await until(moment, () => reached(server))
      server.kill('SIGKILL')
      await server.ended
      const next = await startServer(t, { dataDir: server.dataDir })
      assert.equal((await next.call('GET', '/api/v3/auth_configs')).status, 200, moment)
      const { organization_api_key: organization } = await next.keys()
      assert.equal(
        (
          await next.call('GET', '/api/v3/org/owner/project/list', undefined, {
            'x-org-api-key': organization,
          })
        ).status,
        200,
        moment,
      )
      assert.equal((await next.stop()).code, 0)
    }),
  )
}

async function checkFirstKeys(t: TestContext): Promise<void> {
  const env = { DATABASE_URL: await clonedDatabase(t, 'template1') }
  const first = await startServer(t, { env })
  const { project_api_key: key, ...rest } = await first.keys()
  first.kill('SIGKILL')
  await first.ended
  // As such a crash leaves it: the keys under their provisional name only.
  await rename(join(first.dataDir, 'keys.json'), join(first.dataDir, 'keys.json.first'))
  const second = await startServer(t, { env, dataDir: first.dataDir })
  assert.deepEqual(await second.keys(), {
    ...rest,
    project_api_key: key,
    url: second.url.replace('127.0.0.1', 'localhost'),
  })
  assert.equal((await second.stop()).code, 0)
  // And a file that its reader removed is not made again.
  await rm(join(first.dataDir, 'keys.json'))
  const third = await startServer(t, { env, dataDir: first.dataDir })
  await assert.rejects(third.keys(), { code: 'ENOENT' })
  assert.equal((await third.stop()).code, 0)
}
