import assert from 'node:assert/strict'
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test, type TestContext } from 'node:test'
import pg from 'pg'
import { StartupError } from '../../startup-error.ts'
import { startEmbedded, type EmbeddedDatabase, type EmbeddedOptions } from './index.ts'
import { findPostmaster, isStopped, killAll, processesIn, signal } from './processes.ts'
import { socketDirectory } from './socket.ts'
import { waitFor } from './wait.ts'

const boundMs = 20_000
const isRoot = process.getuid!() === 0
let template = ''

// One cluster with one row, created once; a copy costs a tenth of a second. Under root the copies lie in a
// directory that only root may enter (mkdtemp makes it so), and the server runs as another user: the hard
// case is the usual one.
before(async () => {
  template = await mkdtemp(join(tmpdir(), 'patchbay-template-'))
  const database = await startEmbedded({ dataDir: template })
  await query(database, "create table kept (word text); insert into kept values ('first')")
  await database.stop()
})
after(() => discard(template))

test('built-in PostgreSQL: a start creates a private database, the next finds its rows, stop ends it', async (t) => {
  const dataDir = await newDirectory(t, { copy: false })
  await chmod(join(dataDir, '..'), 0o711) // As a place that every user may pass.
  const progress: string[] = []
  const waits: string[] = []
  const hasStarted = () => processesIn(join(dataDir, 'postgres')).length > 0
  const onWaiting = () => waits.push(hasStarted() ? 'for the server' : 'for nothing')
  const first = await startEmbedded({
    dataDir,
    onProgress: (text) => progress.push(text),
    onWaiting: () => waits.push('for initdb'),
  })
  assert.deepEqual(waits.splice(0), ['for initdb', 'for initdb'])
  assert.equal(first.adopted, false)
  assert.match(progress.join(), /Creating/)
  const [facts] = await query(
    first,
    `select current_setting('server_version_num')::int / 10000 as major, getdatabaseencoding() as encoding,
    current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
      current_setting('listen_addresses') as tcp,
    current_setting('password_encryption') as password,
      (select rolsuper from pg_roles where rolname = current_user) as superuser`,
  )
  assert.deepEqual(facts, {
    major: 18,
    encoding: 'UTF8',
    fsync: 'on',
    commit: 'on',
    tcp: '',
    password: 'scram-sha-256',
    superuser: false,
  })
  await query(first, "create table kept (word text); insert into kept values ('here')")
  assertSecret(dataDir, first)
  await first.stop()
  await first.stop()
  await assertNothingLeft(dataDir)

  const second = await startEmbedded({ dataDir, onWaiting })
  assert.deepEqual(waits, ['for the server'])
  assert.equal(second.adopted, false)
  assert.equal(second.url, first.url)
  assert.deepEqual(await query(second, 'select word from kept'), [{ word: 'here' }])
  await second.stop()
  await assertNothingLeft(dataDir)
})

test('built-in PostgreSQL: a wrong password and other roles are rejected', async (t) => {
  const database = await startEmbedded({ dataDir: await newDirectory(t) })
  const url = new URL(database.url)
  url.password = 'guess'
  await assert.rejects(query({ url: url.href }, 'select 1'), { code: '28P01' })
  url.username = 'postgres'
  await assert.rejects(query({ url: url.href }, 'select 1'), { code: '28000' })
  await database.stop()
})

test('built-in PostgreSQL: a server whose parent was killed is adopted and can be stopped', async (t) => {
  const dataDir = await newDirectory(t)
  const { child, url } = await startInChild(t, dataDir)
  await query({ url }, "insert into kept values ('second')")
  const { pid } = findPostmaster(join(dataDir, 'postgres'))!
  await kill(child)
  const database = await startEmbedded({ dataDir })
  assert.equal(database.adopted, true)
  assert.equal(findPostmaster(join(dataDir, 'postgres'))!.pid, pid)
  assert.deepEqual(await query(database, 'select word from kept order by word'), [
    { word: 'first' },
    { word: 'second' },
  ])
  await database.stop()
  await assertNothingLeft(dataDir)
})

test('built-in PostgreSQL: a server with other settings is restarted', async (t) => {
  const dataDir = await newDirectory(t)
  await startEmbedded({ dataDir })
  const database = await startEmbedded({ dataDir, settings: { max_connections: '40' } })
  assert.equal(database.adopted, false)
  assert.deepEqual(await query(database, 'show max_connections'), [{ max_connections: '40' }])
  await database.stop()
})

test('built-in PostgreSQL: a server that hangs is replaced', async (t) => {
  const dataDir = await newDirectory(t)
  await startEmbedded({ dataDir })
  const { pid } = findPostmaster(join(dataDir, 'postgres'))!
  signal(pid, 'SIGSTOP')
  assert.ok(await waitFor(() => isStopped(pid), boundMs))
  const database = await startEmbedded({ dataDir })
  assert.equal(database.adopted, false)
  assert.notEqual(findPostmaster(join(dataDir, 'postgres'))!.pid, pid)
  assert.deepEqual(await query(database, 'select word from kept'), [{ word: 'first' }])
  await database.stop()
  await assertNothingLeft(dataDir)
})

test('built-in PostgreSQL: a killed server recovers committed rows', async (t) => {
  const dataDir = await newDirectory(t)
  const directory = join(dataDir, 'postgres')
  const before = await startEmbedded({ dataDir })
  await query(before, "insert into kept values ('second')")
  const busy = query(before, 'select pg_sleep(3600)').catch((error: unknown) => error)
  await waitFor(
    async () =>
      (await query(before, "select 1 from pg_stat_activity where wait_event = 'PgSleep'")).length > 0,
    boundMs,
  )
  signal(findPostmaster(directory)!.pid, 'SIGKILL')
  const database = await startEmbedded({ dataDir })
  assert.ok((await busy) instanceof Error)
  assert.deepEqual(await query(database, 'select word from kept order by word'), [
    { word: 'first' },
    { word: 'second' },
  ])
  await database.stop()
})

test('built-in PostgreSQL: a postmaster.pid with the id of another process is ignored', async (t) => {
  const dataDir = await newDirectory(t)
  const foreign = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
    stdio: 'ignore',
    cwd: join(dataDir, 'postgres'),
  })
  t.after(() => kill(foreign))
  const lines = [
    foreign.pid,
    join(dataDir, 'postgres'),
    1,
    5432,
    join(dataDir, 'postgres'),
    '',
    '  1   1',
    'ready   ',
  ]
  await writeFile(join(dataDir, 'postgres/postmaster.pid'), lines.join('\n'))
  const database = await startEmbedded({ dataDir })
  assert.equal(database.adopted, false)
  assert.equal(foreign.exitCode ?? foreign.signalCode, null)
  await database.stop()
})

test('built-in PostgreSQL: a killed creation starts again from the beginning', async (t) => {
  const dataDir = await newDirectory(t, { copy: false })
  const child = spawnStarter(t, dataDir)
  assert.ok(await waitFor(() => existsSync(join(dataDir, 'postgres.creating/base/1')), boundMs, 2))
  await kill(child)
  assert.equal(existsSync(join(dataDir, 'postgres')), false)
  const database = await startEmbedded({ dataDir })
  assert.equal((await query(database, 'select 1')).length, 1)
  await database.stop()
  assert.deepEqual((await readdir(dataDir)).sort(), [
    'postgres',
    'postgres.log',
    'postgres.password',
    'postgres.tenant-role',
  ])
})

for (const [what, damage] of [
  ['missing', (file: string) => rm(file)],
  ['damaged', (file: string) => writeFile(file, 'half a pass')],
  ['another one', (file: string) => writeFile(file, 'x'.repeat(43))],
] as const) {
  test(`a password file that is ${what} is set right, though the server still runs`, async (t) => {
    const dataDir = await newDirectory(t)
    await startEmbedded({ dataDir })
    await damage(join(dataDir, 'postgres.password'))
    const database = await startEmbedded({ dataDir })
    assert.deepEqual(await query(database, 'select word from kept'), [{ word: 'first' }])
    assertSecret(dataDir, database)
    await database.stop()
  })
}

test('built-in PostgreSQL: a long path gets a private socket directory, which stop removes', async (t) => {
  const dataDir = join(await newDirectory(t, { copy: false }), 'deep-'.repeat(20))
  await mkdir(dataDir)
  execFileSync('cp', ['-a', `${template}/.`, dataDir])
  const sockets = socketDirectory(join(dataDir, 'postgres'))
  t.after(() => discard(dataDir))
  t.after(() => rmSync(sockets, { recursive: true, force: true }))
  const database = await startEmbedded({ dataDir })
  assert.equal(statSync(sockets).mode & 0o777, 0o700)
  assert.deepEqual(await query(database, 'select word from kept'), [{ word: 'first' }])
  await database.stop()
  assert.equal(existsSync(sockets), false)

  await mkdir(sockets)
  await chmod(sockets, 0o777)
  await refused({ dataDir }, /should be a private directory/)
})

test('built-in PostgreSQL: a failed start reports the error of PostgreSQL and leaves nothing', async (t) => {
  const dataDir = await newDirectory(t)
  await refused(
    { dataDir, settings: { shared_buffers: 'plenty' } },
    /invalid value for parameter "shared_buffers"/,
  )
  await assertNothingLeft(dataDir)
})

test('built-in PostgreSQL: a server of another container is not touched', async (t) => {
  const dataDir = await newDirectory(t)
  const hidden = createServer().listen(join(dataDir, 'postgres/.s.PGSQL.5432'))
  t.after(() => hidden.close())
  await refused({ dataDir }, /another container/)
  assert.ok(hidden.listening)
})

test('built-in PostgreSQL: another major version and foreign files are rejected', async (t) => {
  const old = await newDirectory(t)
  await writeFile(join(old, 'postgres/PG_VERSION'), '15\n')
  await refused({ dataDir: old }, /written by PostgreSQL 15/)
  const strange = await newDirectory(t, { copy: false })
  await mkdir(join(strange, 'postgres'))
  await writeFile(join(strange, 'postgres/diary.txt'), '')
  await refused({ dataDir: strange }, /not a PostgreSQL data directory/)
  assert.deepEqual(await readdir(join(strange, 'postgres')), ['diary.txt'])
  await writeFile(join(strange, 'file'), '')
  await refused({ dataDir: join(strange, 'file') }, /cannot be written to/)
  await refused({ dataDir: join(strange, 'file/below') }, /cannot be written to/)
})

test('a read-only data directory is rejected', { skip: isRoot && 'root may write everywhere' }, async (t) => {
  const dataDir = await newDirectory(t, { copy: false })
  await chmod(dataDir, 0o500)
  await refused({ dataDir }, /cannot be written to/)
})

async function newDirectory(t: TestContext, { copy = true } = {}): Promise<string> {
  const outer = await mkdtemp(join(tmpdir(), 'patchbay-embedded-'))
  const dataDir = join(outer, 'data')
  await mkdir(dataDir)
  t.after(async () => {
    await discard(dataDir)
    await rm(outer, { recursive: true, force: true })
  })
  if (copy) execFileSync('cp', ['-a', `${template}/.`, dataDir])
  return dataDir
}

async function discard(dataDir: string): Promise<void> {
  for (const name of ['postgres', 'postgres.creating']) await killAll(join(dataDir, name))
  await rm(dataDir, { recursive: true, force: true })
}

async function query(database: { url: string }, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: database.url, connectionTimeoutMillis: boundMs })
  client.on('error', () => {})
  await client.connect()
  return client
    .query(text)
    .then(({ rows }) => rows as Record<string, unknown>[])
    .finally(() => client.end().catch(() => {}))
}

function spawnStarter(t: TestContext, dataDir: string): ChildProcess {
  const code = `const { startEmbedded } = await import(${JSON.stringify(import.meta.resolve('./index.ts'))})
    console.log((await startEmbedded({ dataDir: process.argv[1] })).url)
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => kill(child))
  return child
}

async function startInChild(t: TestContext, dataDir: string): Promise<{ child: ChildProcess; url: string }> {
  const child = spawnStarter(t, dataDir)
  let text = ''
  child.stdout!.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  assert.ok(await waitFor(() => text.includes('\n'), boundMs))
  return { child, url: text.trim() }
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  assert.ok(await waitFor(() => child.exitCode !== null || child.signalCode !== null, boundMs))
}

async function refused(options: EmbeddedOptions, message: RegExp): Promise<void> {
  await assert.rejects(startEmbedded(options), (error: unknown) => {
    assert.ok(error instanceof StartupError, String(error))
    assert.match(error.message, message)
    assert.notEqual(error.fix, '')
    return true
  })
}

/** The password is in one file only, and in no argument list and no log. */
function assertSecret(dataDir: string, database: EmbeddedDatabase): void {
  const { password } = new URL(database.url)
  assert.ok(password.length >= 43)
  assert.equal(readFileSync(join(dataDir, 'postgres.password'), 'utf8').trim(), password)
  assert.equal(statSync(join(dataDir, 'postgres.password')).mode & 0o777, 0o600)
  assert.equal(statSync(join(dataDir, 'postgres')).mode & 0o777, 0o700)
  assert.equal(statSync(join(dataDir, 'postgres.log')).mode & 0o777, 0o600)
  assert.equal(readFileSync(join(dataDir, 'postgres.log'), 'utf8').includes(password), false)
  const processes = processesIn(join(dataDir, 'postgres'))
  assert.ok(processes.length > 0)
  for (const pid of processes)
    assert.equal(readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(password), false)
}

async function assertNothingLeft(dataDir: string): Promise<void> {
  assert.deepEqual(processesIn(join(dataDir, 'postgres')), [])
  const names = await readdir(join(dataDir, 'postgres'))
  assert.deepEqual(
    names.filter((name) => name === 'postmaster.pid' || name.startsWith('.s.PGSQL')),
    [],
  )
}
