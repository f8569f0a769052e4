import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test, type TestContext } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import pg from 'pg'
import { testApp } from '#fixtures/app.ts'
import { clonedDatabase } from '#fixtures/clone.ts'
import { TEMPLATE } from '#fixtures/database.ts'
import { temporaryFiles } from '#fixtures/files.ts'
import { until } from '#fixtures/until.ts'
import { createAuthConfig } from '../../contract/auth-configs/index.ts'
import { createConnectedAccount, readConnectedAccount } from '../../contract/connected-accounts/index.ts'
import { executeTool } from '../../contract/tools/index.ts'
import { createWebhook } from '../../contract/webhooks/index.ts'
import { openTenantRole } from '../../platform/db/tenant-role.ts'
import { readConfig } from '../../platform/config.ts'
import { createEncryptor, parseKeyRing } from '../../platform/crypto/index.ts'
import { newKeyLine } from '../../platform/crypto/wrapped-key-file.ts'
import { readMigrations } from '../../platform/db/migrate.ts'
import { sql } from '../../platform/db/sql.ts'
import { enqueue } from '../../platform/jobs/index.ts'
import { createLog } from '../../platform/log.ts'
import { StartupError } from '../../platform/startup-error.ts'
import { localStore } from '../../platform/storage/index.ts'
import { migrateAll } from '../../server/schema.ts'
import { verifyBackup } from './archive-reader.ts'
import { readArguments } from './arguments.ts'
import { type BackupOptions, createBackup } from './create-backup.ts'
import { sortByReferences } from './database-copy.ts'
import { restoreInto } from './restore-command.ts'

const PASSPHRASE = 'correct horse battery staple'

function temporaryDirectory(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'patchbay-backup-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** A server with an account, an execution, an event with a delivery, a file, and a waiting job. */
async function serverWithData(t: TestContext) {
  const keyLine = await newKeyLine(undefined)
  const ring = parseKeyRing(keyLine)
  const files = temporaryFiles(t)
  const s = await testApp(t, { encryptor: createEncryptor(ring), files })
  const subscription = {
    webhook_url: 'http://127.0.0.1:9/hook',
    enabled_events: ['service.connected_account.active'],
  }
  assert.equal((await s.call(createWebhook, { body: subscription as never })).status, 201)
  const { body: made } = await s.call(createAuthConfig, {
    body: {
      toolkit: { slug: 'github' },
      auth_config: { type: 'use_custom_auth', authScheme: 'BEARER_TOKEN' },
    } as never,
  })
  const connection = {
    user_id: 'ada',
    state: { authScheme: 'BEARER_TOKEN', val: { token: 'ghp_secret' } },
  }
  const { body: account } = await s.call(createConnectedAccount, {
    body: { auth_config: { id: made.auth_config.id }, connection } as never,
  })
  const execute = () =>
    s.call(executeTool, {
      params: { tool_slug: 'UTILITIES_GENERATE_UUIDS' },
      body: { arguments: {} } as never,
    })
  await execute()
  const bytes = randomBytes(100_000)
  const spooled = await files.spool.take(Readable.from([bytes]), 1_000_000)
  await files.store.put('results/report.bin', spooled)
  for (const [id, key] of [
    ['f_there', 'results/report.bin'],
    ['f_gone', 'results/gone.bin'],
  ] as const)
    await s.app.db
      .run(sql`insert into files (id, project_id, kind, object_key, toolkit_slug, tool_slug, filename, mimetype,
      md5, size, uploaded_at, expires_at) select ${id}, id, 'result', ${key}, 'x', 'X', 'report.bin',
      'application/octet-stream', 'x', ${bytes.length}::int, now(), now() + interval '1 hour' from projects limit 1`)
  await enqueue(s.app.db, 'test.task', { id: 'a\tb\nc\\' }, { key: 'once', maxAttempts: 3 })
  return { ...s, files, keyLine, ring, account, execute, bytes }
}

type ServerWithData = Awaited<ReturnType<typeof serverWithData>>

const backUp = (s: ServerWithData, file: string, more: Partial<BackupOptions> = {}) =>
  createBackup({
    databaseUrl: s.databaseUrl,
    file,
    ring: s.ring,
    passphrase: undefined,
    store: s.files.store,
    programVersion: '0.0.0-test',
    onStep() {},
    ...more,
  })

/** Backs up, and returns the digests at that moment. Rows of earlier calls, such as their log, are written later. */
const backUpAtRest = (s: ServerWithData, file: string, more: Partial<BackupOptions>) =>
  until('no row to change during a backup', async () => {
    rmSync(file, { force: true })
    const before = await digests(s.databaseUrl)
    const report = await backUp(s, file, more)
    return isDeepStrictEqual(before, await digests(s.databaseUrl)) && { report, before }
  })

/** Settings of an empty installation. A template with the schema saves the time of the migrations. */
async function emptyTarget(t: TestContext, variables: Record<string, string> = {}, template = TEMPLATE) {
  const dataDir = temporaryDirectory(t)
  const databaseUrl = await clonedDatabase(t, template)
  const env = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, LOG_LEVEL: 'silent', ...variables }
  return { dataDir, databaseUrl, config: readConfig(env) }
}

const restore = async (target: Awaited<ReturnType<typeof emptyTarget>>, file: string, passphrase?: string) =>
  restoreInto(target.config, file, await verifyBackup(file), passphrase, () => {})

/** A digest of the rows of every table, and the next value of every identity column. */
async function digests(url: string): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      "select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'migrations' order by 1",
    )
    const found: Record<string, string> = {}
    for (const { name } of rows) {
      const result = await client.query<{ digest: string }>(
        `select count(*) || ' ' || md5(coalesce(string_agg(t::text, E'\\n' order by t::text), '')) as digest
        from "${name}" t`,
      )
      found[name] = result.rows[0]!.digest
    }
    const jobs = await client.query<{ digest: string }>(
      `select string_agg(
        concat_ws('|', t.identifier, j.payload, j.key, j.max_attempts, j.run_at), ';' order by j.key) as digest
      from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id`,
    )
    const next = await client.query<{ digest: string }>(
      'select last_value::text as digest from events_seq_seq',
    )
    return { ...found, jobs: jobs.rows[0]!.digest, events_seq: next.rows[0]!.digest }
  } finally {
    await client.end()
  }
}

const isStartupError = (message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof StartupError, String(error))
  assert.match(error.message, message)
  return true
}

test('backup: a restore into an empty directory has every row, job, file and key, and decrypts', async (t) => {
  const s = await serverWithData(t)
  const draft = {
    name: 'r.txt',
    mimetype: 'text/plain',
    bytes: Buffer.from('salaries'),
    toolkit: 'g',
    tool: 'T',
  }
  const { key } = await s.app.files.save(s.keys.projectId, draft, 60)
  const file = join(temporaryDirectory(t), 'all.backup')
  const { report, before } = await backUpAtRest(s, file, { passphrase: PASSPHRASE })
  assert.equal(report.has_keys, true)
  assert.deepEqual([report.files, report.files_missing, report.jobs], [2, 1, 1])
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.equal(report.bytes, statSync(file).size)
  const plain = gunzipSync(readFileSync(file)).toString('latin1')
  for (const secret of ['ghp_secret', 'salaries', s.keyLine.split(':')[1]!, s.keyLine.slice(0, 12) + ':'])
    assert.ok(!plain.includes(secret), 'the archive has no plain secret')

  const target = await emptyTarget(t, {}, 'template0')
  const restored = await restore(target, file, PASSPHRASE)
  assert.deepEqual([restored.rows, restored.files, restored.jobs], [report.rows, 2, 1])
  assert.deepEqual(await digests(target.databaseUrl), before)
  const keyFile = join(target.dataDir, 'encryption.keys')
  assert.equal(readFileSync(keyFile, 'utf8').trim(), s.keyLine)
  assert.equal(statSync(keyFile).mode & 0o777, 0o600)
  const stored = await localStore(join(target.dataDir, 'files')).read('results/report.bin', s.bytes.length)
  assert.deepEqual(await buffer(stored!), s.bytes)

  const encryptor = createEncryptor(parseKeyRing(readFileSync(keyFile, 'utf8')))
  await openTenantRole(target.databaseUrl, 'required') // as every start of a server does
  const again = await testApp(t, {
    sameDatabaseAs: { ...s, databaseUrl: target.databaseUrl, encryptor },
    files: { ...temporaryFiles(t), store: localStore(join(target.dataDir, 'files')) },
  })
  assert.equal((await again.app.files.read(s.keys.projectId, key)).bytes.toString(), 'salaries')
  const { status, body } = await again.call(readConnectedAccount, { params: { nanoid: s.account.id } })
  assert.equal(status, 200)
  assert.equal(body.status, 'ACTIVE')
})

test('backup: it is of one moment while calls run, and needs the keys that are not in it', async (t) => {
  const s = await serverWithData(t)
  const file = join(temporaryDirectory(t), 'running.backup')
  let isRunning = true
  const calls = Array.from({ length: 4 }, async () => {
    let count = 0
    for (; isRunning; count++) assert.equal((await s.execute()).status, 200)
    return count
  })
  await backUp(s, file)
  isRunning = false
  assert.ok((await Promise.all(calls)).every((count) => count > 0))

  const without = await emptyTarget(t)
  await assert.rejects(
    restore(without, file),
    isStartupError(/encryption keys of this backup are missing: k/),
  )
  const [id] = s.keyLine.split(':')
  const otherKey = `${id}:${randomBytes(32).toString('base64')}`
  await assert.rejects(
    restore(await emptyTarget(t, { ENCRYPTION_KEYS: otherKey }), file),
    isStartupError(/ENCRYPTION_KEYS does not have the encryption keys/),
  )
  assert.deepEqual(readdirSync(without.dataDir), [])

  const target = await emptyTarget(t, { ENCRYPTION_KEYS: `${await newKeyLine(undefined)},${s.keyLine}` })
  await restore(target, file)
  assert.equal(existsSync(join(target.dataDir, 'encryption.keys')), false)
  await assert.rejects(restore(target, file), isStartupError(/has data already/))
  writeFileSync(join(without.dataDir, 'encryption.keys'), `${s.keyLine}\n`, { mode: 0o600 })
  await restore(without, file)
})

test('backup: damage anywhere is detected before anything is restored', async (t) => {
  const s = await serverWithData(t)
  const directory = temporaryDirectory(t)
  const file = join(directory, 'good.backup')
  await backUp(s, file, { passphrase: PASSPHRASE })
  const whole = readFileSync(file)
  const damage = async (bytes: Buffer, message: RegExp) => {
    const path = join(directory, 'damaged.backup')
    writeFileSync(path, bytes)
    await assert.rejects(verifyBackup(path), isStartupError(message))
  }
  for (const part of [0.1, 0.5, 0.9, 0.999])
    await damage(whole.subarray(0, Math.floor(whole.length * part)), /is damaged: its end is missing/)
  for (let at = 20; at < whole.length - 8; at += Math.floor(whole.length / 12)) {
    const flipped = Buffer.from(whole)
    flipped[at]! ^= 0x10
    await damage(flipped, /is damaged: /)
  }
  // A changed byte under a correct gzip checksum: only the checksums of the entries show it.
  const tar = gunzipSync(whole)
  const at = tar.indexOf('\tada\t') + 1
  assert.ok(at > 1)
  tar[at] = 0x65
  await damage(gzipSync(tar), /tables\/\w+\/0\.copy does not have the checksum/)
  await damage(gzipSync(gunzipSync(whole).subarray(0, -4_096 - 1_024)), /is damaged/)
  await damage(Buffer.from('not an archive'), /is not a backup of Patchbay/)
  await damage(gzipSync(Buffer.from('not an archive')), /is damaged|is not a backup/)
  const target = await emptyTarget(t)
  await assert.rejects(
    restore(target, file, 'another passphrase'),
    isStartupError(/passphrase is not the one/),
  )
  await assert.rejects(verifyBackup(join(directory, 'absent')), isStartupError(/There is no file/))
  await assert.rejects(backUp(s, file), isStartupError(/exists already/))
  assert.deepEqual(readFileSync(file), whole)
})

test('backup: a backup of an earlier schema is restored and migrated; one of a later schema is rejected', async (t) => {
  const s = await serverWithData(t)
  const directory = temporaryDirectory(t)
  const migrations = await readMigrations(join(import.meta.dirname, '..', '..', '..', 'migrations'))
  const earlierUrl = await clonedDatabase(t, 'template0')
  await migrateAll(earlierUrl, createLog('silent'), undefined, migrations.slice(0, 13))
  const earlier = new pg.Client({ connectionString: earlierUrl })
  await earlier.connect()
  await earlier.query("insert into organizations (id, name) values ('ok_1', 'one')")
  await earlier.query("insert into projects (id, organization_id, name) values ('pr_1', 'ok_1', 'first')")
  await earlier.end()
  const file = join(directory, 'earlier.backup')
  await backUp(s, file, { databaseUrl: earlierUrl, store: undefined })
  const target = await emptyTarget(t, { ENCRYPTION_KEYS: s.keyLine }, 'template0')
  await restore(target, file)
  const { rows } = await queryAll(target.databaseUrl, "select config from projects where id = 'pr_1'")
  assert.deepEqual(rows, [{ config: { is_2FA_enabled: true } }], 'migration 14 saw the restored project')

  await queryAll(s.databaseUrl, "insert into migrations (name, checksum) values ('9999-later.sql', 'x')")
  const later = join(directory, 'later.backup')
  await backUp(s, later)
  await assert.rejects(
    restore(await emptyTarget(t, { ENCRYPTION_KEYS: s.keyLine }), later),
    isStartupError(/schema is newer than this program: it has the migration 9999-later/),
  )
})

async function queryAll(url: string, text: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await client.query(text)
  } finally {
    await client.end()
  }
}

test('backup: unknown flags, missing files and short passphrases are rejected', async (t) => {
  const short = join(temporaryDirectory(t), 'passphrase')
  writeFileSync(short, 'short\n')
  await assert.rejects(readArguments('backup', []), isStartupError(/needs the name of one file/))
  await assert.rejects(readArguments('backup', ['a', 'b']), isStartupError(/needs the name of one file/))
  await assert.rejects(readArguments('backup', ['a', '--check']), isStartupError(/--check/))
  await assert.rejects(
    readArguments('restore', ['a', '--passphrase-file', short]),
    isStartupError(/has 5 characters; at least 12/),
  )
  assert.equal((await readArguments('restore', ['a', '--check'])).check, true)
})

test('backup: tables follow those that they reference, and a circle is an error', () => {
  const tables = ['a', 'b', 'c'].map((name) => ({ name, columns: [] }))
  const sorted = sortByReferences(tables, [
    { from: 'a', to: 'c' },
    { from: 'c', to: 'b' },
  ])
  assert.deepEqual(
    sorted.map(({ name }) => name),
    ['b', 'c', 'a'],
  )
  assert.throws(
    () =>
      sortByReferences(tables, [
        { from: 'a', to: 'c' },
        { from: 'c', to: 'a' },
      ]),
    /in a circle: a, c/,
  )
})
