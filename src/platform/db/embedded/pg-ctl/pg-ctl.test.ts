import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import pg from 'pg'
import { findFreePort } from '../../../free-port.ts'
import { StartupError } from '../../../startup-error.ts'
import { findBinaries } from '../binaries.ts'
import type { EmbeddedDatabase } from '../index.ts'
import { chooseRunner } from '../run-program.ts'
import { chooseUser } from '../user.ts'
import { runningUrlOfPgCtl, startWithPgCtl, type PgCtlOptions } from './index.ts'

// `pg_ctl` of this platform does what that of Windows does: it starts and stops the server without sockets or signals
// of this program.

type Start = (options?: Partial<PgCtlOptions>) => Promise<EmbeddedDatabase>

async function startedInFolder(t: TestContext): Promise<{ dataDir: string; start: Start }> {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-pg-ctl-'))
  await chmod(folder, 0o711) // Under root, another user runs PostgreSQL.
  const dataDir = join(folder, 'data')
  const binaries = await findBinaries()
  const user = await chooseUser(join(dataDir, 'postgres'))
  let last: EmbeddedDatabase | undefined
  t.after(async () => {
    await last?.stop(2_000)
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  const start: Start = async (options = {}) => {
    const runner = await chooseRunner(binaries, '/', user)
    last = await startWithPgCtl({ dataDir, binaries, runner, ...options })
    return last
  }
  return { dataDir, start }
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows as unknown[]
  } finally {
    await client.end()
  }
}

const portOf = (url: string) => new URL(url).port

test('PostgreSQL by pg_ctl: a start creates a private database, the next finds its rows, stop ends it', async (t) => {
  const { dataDir, start } = await startedInFolder(t)
  const progress: string[] = []
  const first = await start({ onProgress: (text) => progress.push(text) })
  assert.equal(first.adopted, false)
  assert.match(progress.join(), /Creating/)
  assert.equal(await runningUrlOfPgCtl(dataDir), first.url)
  const [facts] = await query(
    first.url,
    `select current_setting('listen_addresses') as tcp, current_setting('fsync') as fsync,
      current_setting('password_encryption') as password, getdatabaseencoding() as encoding,
      (select rolsuper from pg_roles where rolname = current_user) as superuser,
      pg_has_role('patchbay_tenant', 'member') as "isMemberOfTenant"`,
  )
  assert.deepEqual(facts, {
    tcp: '127.0.0.1',
    fsync: 'on',
    password: 'scram-sha-256',
    encoding: 'UTF8',
    superuser: false,
    isMemberOfTenant: true,
  })
  await query(first.url, "create table kept (word text); insert into kept values ('here')")
  await first.stop(8_000.5)
  await assert.rejects(query(first.url, 'select 1'), { code: 'ECONNREFUSED' })
  const second = await start()
  assert.equal(second.adopted, false)
  assert.deepEqual(await query(second.url, 'select word from kept'), [{ word: 'here' }])
})

test('PostgreSQL by pg_ctl: a server of an earlier process is adopted, unless the settings have changed', async (t) => {
  const { start } = await startedInFolder(t)
  const first = await start()
  const adopted = await start()
  assert.deepEqual([adopted.adopted, adopted.url], [true, first.url])
  const settings = { work_mem: '8MB', search_path: `"it's", public` }
  const restarted = await start({ settings })
  assert.equal(restarted.adopted, false)
  assert.deepEqual(await query(restarted.url, 'show work_mem'), [{ work_mem: '8MB' }])
  assert.deepEqual(await query(restarted.url, 'show search_path'), [{ search_path: `"it's", public` }])
  assert.equal((await start({ settings })).adopted, true)
  await assert.rejects(start({ settings: { 'work_mem = 1; x': '1' } }), StartupError)
})

test('PostgreSQL by pg_ctl: only the role of the program may connect, and only with its password', async (t) => {
  const { dataDir, start } = await startedInFolder(t)
  const { url } = await start()
  const as = (user: string, password: string, database = 'patchbay') =>
    query(`postgres://${user}:${password}@127.0.0.1:${portOf(url)}/${database}`, 'select 1')
  await assert.rejects(as('patchbay', 'guess'), { code: '28P01' })
  await assert.rejects(as('postgres', 'guess', 'postgres'), { code: '28P01' })
  const superuserPassword = readFileSync(join(dataDir, 'postgres.superuser-password'), 'utf8').trim()
  await assert.rejects(as('postgres', superuserPassword), { code: '28000' }, 'not to this database')
})

test('PostgreSQL by pg_ctl: a replaced password is set again, with the password of the superuser', async (t) => {
  const { dataDir, start } = await startedInFolder(t)
  await (await start()).stop()
  await rm(join(dataDir, 'postgres.password'))
  const database = await start()
  assert.deepEqual(await query(database.url, 'select 1 as one'), [{ one: 1 }])
  await database.stop()
  await rm(join(dataDir, 'postgres.password'))
  await writeFile(join(dataDir, 'postgres.superuser-password'), `${'x'.repeat(43)}\n`)
  await assert.rejects(start(), /rejects the password in postgres\.superuser-password/)
})

test('PostgreSQL by pg_ctl: a server that was killed runs again with the URL that pools have', async (t) => {
  const { dataDir, start } = await startedInFolder(t)
  const { url } = await start()
  const [pid = ''] = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')
  process.kill(Number(pid), 'SIGKILL')
  const again = await start({ formerUrl: url })
  assert.deepEqual([again.adopted, again.url], [false, url])
  assert.deepEqual(await query(url, 'select 1 as one'), [{ one: 1 }])
})

test('PostgreSQL by pg_ctl: another port is used if one is in use, and the reason is shown if all are', async (t) => {
  const { start } = await startedInFolder(t)
  const blocker = createServer().listen(0, '127.0.0.1')
  t.after(() => blocker.close())
  await new Promise((resolve) => blocker.once('listening', resolve))
  const { port } = blocker.address() as AddressInfo
  let calls = 0
  const findPort = async () => (calls++ === 0 ? port : findFreePort())
  const database = await start({ findPort })
  assert.equal(calls, 2)
  assert.notEqual(portOf(database.url), String(port))
  await database.stop()
  await assert.rejects(
    start({ findPort: async () => port }),
    /PostgreSQL did not start: .*could not create any TCP\/IP sockets/,
  )
})
