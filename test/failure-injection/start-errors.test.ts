import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmod, mkdir, readdir, writeFile, rename } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import { endsWithin } from '#fixtures/ends-within.ts'
import { processesIn } from '../../src/platform/db/embedded/processes.ts'
import { queryOnce, checkServer } from '../../src/platform/db/check.ts'
import { clonedDatabase } from '../fixtures/clone.ts'
import { findFreePort } from '../../src/platform/free-port.ts'
import { type Ended, runToEnd, startServer, temporaryDirectory } from '../fixtures/server-process.ts'

const key = (byte: number) => Buffer.alloc(32, byte).toString('base64')
/** A process whose user has no rights of its own: root may write everywhere. */
const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : undefined

function refusedWith(ended: Ended, sentence: RegExp): void {
  assert.match(ended.output, sentence)
  assert.match(ended.output, /\n {2}→ [A-Z]/, 'it says what to do')
  assert.doesNotMatch(ended.output, /\n {4}at |bug in Patchbay/, 'and it is no stack trace')
  assert.equal(ended.code, 1)
}

async function listener(t: TestContext, onConnection: () => void = () => {}): Promise<number> {
  const server = createServer(onConnection).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return (server.address() as AddressInfo).port
}

describe('a start that cannot succeed says so and leaves nothing running', { concurrency: 2 }, () => {
  test('a port in use is named, before anything else was started', checkTakenPort)

  test('a failure late in the start stops the database again', checkLateFailure)

  test('a lost key file is named, and no new one takes its place', checkLostKeyFile)

  test(
    'a data directory that may not be written to is named',
    { skip: !nobody && 'needs root to run as another user' },
    checkReadOnlyDirectory,
  )

  test('a file in place of the data directory is named', checkFileAsDirectory)

  testUnreachableDatabases()

  test('a database that rejects the user fails the start at once', checkRejectedUser)

  test('a schema newer than the program is rejected, by start and by migrate', checkNewerSchema)

  test('a schema of the job queue that is newer than the program is rejected', checkNewerQueue)

  testRestrictedDatabases()

  test(
    'every variable that breaks its rule is named with the rule, secrets without their value',
    checkVariables,
  )

  test('an unknown name in .env is named with its file', checkUnknownName)

  test('a second start on the same data directory names the first, which continues to work', checkSecondStart)
})

/** A start waits this long for a database. */
const CHECK_MS_MAX = 10_000

function testUnreachableDatabases(): void {
  for (const [what, reason, address] of [
    ['where nothing listens', 'nothing listens there', async () => `127.0.0.1:${await findFreePort()}`],
    ['that never answers', 'it does not respond', async (t: TestContext) => `127.0.0.1:${await listener(t)}`],
  ] as const) {
    test(`a database ${what} is waited for, at most 10 s, and its password is not printed`, async (t) => {
      const host = await address(t)
      const databaseUrl = `postgres://patchbay:hush-hush@${host}/patchbay`
      const [ended] = await Promise.all([
        runToEnd(t, { env: { DATABASE_URL: databaseUrl } }),
        // Bounded here, where no process has to be started first.
        endsWithin('the check of the database', CHECK_MS_MAX, assert.rejects(checkServer(databaseUrl))),
      ])
      refusedWith(ended, new RegExp(`PostgreSQL at ${host}/patchbay cannot be used: ${reason}`))
      assert.ok(!ended.output.includes('hush-hush'))
    })
  }
}

function testRestrictedDatabases(): void {
  for (const [what, statement, sentence] of [
    [
      'where the user may not create tables',
      'revoke create on schema public from public, pg_database_owner',
      /may not create or change the tables.*permission denied/,
    ],
    [
      'where the user may not use the schema',
      'revoke all on schema public from public, pg_database_owner',
      /may not create or change the tables.*no schema has been selected/,
    ],
    [
      'that is read-only',
      "do $$ begin execute format('alter database %I set default_transaction_read_only = on', " +
        'current_database()); end $$',
      /The database is read-only/,
    ],
  ] as const) {
    test(`a database ${what} is rejected with what to fix`, async (t) => {
      const databaseUrl = await clonedDatabase(t, 'template1')
      await queryOnce(databaseUrl, statement)
      refusedWith(await runToEnd(t, { env: { DATABASE_URL: databaseUrl } }), sentence)
    })
  }
}

async function checkTakenPort(t: TestContext): Promise<void> {
  const port = await listener(t)
  const dataDir = join(await temporaryDirectory(t), 'data')
  refusedWith(
    await runToEnd(t, { dataDir, env: { PORT: String(port) } }),
    new RegExp(`Port ${port} on 127\\.0\\.0\\.1 is in use by another program`),
  )
  assert.deepEqual(processesIn(join(dataDir, 'postgres')), [])
}

async function checkLateFailure(t: TestContext): Promise<void> {
  const dataDir = join(await temporaryDirectory(t), 'data')
  const first = await startServer(t, { dataDir, env: { ENCRYPTION_KEYS: `a:${key(1)}` } })
  assert.equal((await first.stop()).code, 0)
  refusedWith(
    await runToEnd(t, { dataDir, env: { ENCRYPTION_KEYS: `a:${key(2)}` } }),
    /encryption keys do not match the database/,
  )
  assert.deepEqual(processesIn(join(dataDir, 'postgres')), [])
  assert.ok(
    !(await readdir(join(dataDir, 'postgres'))).some((name) => /postmaster\.pid|\.s\.PGSQL/.test(name)),
  )
}

async function checkLostKeyFile(t: TestContext): Promise<void> {
  const dataDir = join(await temporaryDirectory(t), 'data')
  const first = await startServer(t, { dataDir })
  assert.equal((await first.stop()).code, 0)
  await rename(join(dataDir, 'encryption.keys'), join(dataDir, 'kept-elsewhere'))
  refusedWith(await runToEnd(t, { dataDir }), /encryption\.keys is missing[^]*Restore the file/)
  assert.ok(!(await readdir(dataDir)).includes('encryption.keys'))
}

async function checkReadOnlyDirectory(t: TestContext): Promise<void> {
  const parent = await temporaryDirectory(t)
  await mkdir(join(parent, 'data'))
  await chmod(join(parent, 'data'), 0o555)
  refusedWith(
    await runToEnd(t, { dataDir: join(parent, 'data'), user: nobody! }),
    /The data directory .*data cannot be written to/,
  )
}

async function checkFileAsDirectory(t: TestContext): Promise<void> {
  const path = join(await temporaryDirectory(t), 'data')
  await writeFile(path, 'not a directory')
  refusedWith(await runToEnd(t, { dataDir: path }), /The data directory .*data cannot be written to/)
}

async function checkRejectedUser(t: TestContext): Promise<void> {
  const address = new URL(await clonedDatabase(t))
  address.username = 'stranger' // The tests' own user needs no password.
  address.password = 'hush-hush'
  const ended = await runToEnd(t, { env: { DATABASE_URL: address.href } })
  refusedWith(ended, /cannot be used: password authentication failed/)
  assert.ok(!ended.output.includes('hush-hush'))
}

async function checkNewerSchema(t: TestContext): Promise<void> {
  const databaseUrl = await clonedDatabase(t)
  await queryOnce(
    databaseUrl,
    `insert into migrations (name, checksum) values ('9999-from-the-future.sql', 'x')`,
  )
  for (const args of [['start'], ['migrate']]) {
    refusedWith(
      await runToEnd(t, { args, env: { DATABASE_URL: databaseUrl } }),
      /schema is newer than this program: it has the migration 9999-from-the-future\.sql/,
    )
  }
}

async function checkNewerQueue(t: TestContext): Promise<void> {
  const databaseUrl = await clonedDatabase(t)
  await queryOnce(databaseUrl, 'insert into graphile_worker.migrations (id, breaking) values (1000000, true)')
  refusedWith(
    await runToEnd(t, { env: { DATABASE_URL: databaseUrl } }),
    /schema of the job queue is newer than this program/,
  )
}

async function checkVariables(t: TestContext): Promise<void> {
  const ended = await runToEnd(t, {
    env: { PORT: 'http', LOG_LEVEL: 'loud', ENCRYPTION_KEYS: 'a:tooshort', PATCHBAY_PROT: '1' },
  })
  refusedWith(ended, /4 problems/)
  for (const line of [
    /PORT must be a whole number from 0 to 65535, not "http"/,
    /LOG_LEVEL must be one of fatal/,
    /ENCRYPTION_KEYS must be /,
    /PATCHBAY_PROT is not a setting\. Did you mean PATCHBAY_PORT\?/,
  ])
    assert.match(ended.output, line)
  assert.ok(!ended.output.includes('tooshort'))
}

async function checkUnknownName(t: TestContext): Promise<void> {
  const cwd = await temporaryDirectory(t)
  await writeFile(join(cwd, '.env'), 'LOGLEVEL=debug\n')
  refusedWith(await runToEnd(t, { cwd }), /LOGLEVEL in .*\.env is not a setting\. Did you mean LOG_LEVEL\?/)
}

async function checkSecondStart(t: TestContext): Promise<void> {
  const first = await startServer(t)
  const second = await runToEnd(t, { dataDir: first.dataDir })
  refusedWith(
    second,
    new RegExp(
      `Another Patchbay server \\(process ${first.pid}, ` +
        `${first.url.replace('127.0.0.1', 'localhost')}\\) uses the data directory`,
    ),
  )
  const reply = await first.call('POST', '/api/v3.1/tools/execute/UTILITIES_GET_CURRENT_TIME', {
    arguments: { timezone: 'UTC' },
  })
  assert.equal(reply.status, 200)
}
