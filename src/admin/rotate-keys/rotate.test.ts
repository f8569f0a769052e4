import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { testApp, type TestApp } from '#fixtures/app.ts'
import { createAuthConfig } from '../../contract/auth-configs/index.ts'
import { createConnectedAccount, readConnectedAccount } from '../../contract/connected-accounts/index.ts'
import { executeTool } from '../../contract/tools/index.ts'
import { parseKeyRing, loadOrCreateKeyFile, createEncryptor } from '../../platform/crypto/index.ts'
import { connect } from '../../platform/db/pool.ts'
import { raw, sql } from '../../platform/db/sql.ts'
import { countOutdated, reencryptColumn, withRing } from './reencrypt-column.ts'
import { rotate, type RotateOptions } from './rotate.ts'
import { encryptionContext, ENCRYPTED_COLUMNS } from './encrypted-columns.ts'
import { UNENCRYPTED_COLUMNS } from './unencrypted-columns.ts'

const VAL = ENCRYPTED_COLUMNS.find(
  ({ table, column }) => table === 'connected_accounts' && column === 'credentials',
)!

const ofRing = (keyId: string, ring = RING) => withRing(createEncryptor(ring), keyId)
const RING = parseKeyRing(`any:${Buffer.alloc(32, 2).toString('base64')}`)

/** Stores something in most of the encrypted columns. Returns the ids of the accounts with tokens. */
async function fillColumns(s: TestApp, accounts: number): Promise<string[]> {
  const config = async (slug: string, authScheme: string, credentials: Record<string, string>) =>
    (
      await s.call(createAuthConfig, {
        body: {
          toolkit: { slug },
          auth_config: {
            type: 'use_custom_auth',
            authScheme,
            credentials,
            shared_credentials: { note: 'n' },
            proxy_config: { proxy_url: 'https://egress.example.com', proxy_auth_key: 'p' },
          },
        } as never,
      })
    ).body.auth_config.id
  const token = await config('github', 'BEARER_TOKEN', {})
  const ids: string[] = []
  for (let i = 0; i < accounts; i++)
    ids.push(
      (
        await s.call(createConnectedAccount, {
          body: {
            auth_config: { id: token },
            connection: {
              user_id: `u${i}`,
              state: { authScheme: 'BEARER_TOKEN', val: { token: `token-${i}` } },
            },
          } as never,
        })
      ).body.id,
    )
  await s.call(createConnectedAccount, {
    body: {
      auth_config: { id: await config('github', 'OAUTH2', { client_id: 'c', client_secret: 's' }) },
      connection: { user_id: 'walker' },
    } as never,
  })
  await s.call(executeTool, {
    params: { tool_slug: 'UTILITIES_GENERATE_UUIDS' },
    body: { user_id: 'u', arguments: {} } as never,
  })
  return ids
}

/** Encrypts all values with the key ring, like a release without data keys. */
async function withoutDataKeys({ app: { db, encryptor } }: TestApp): Promise<void> {
  for (const column of ENCRYPTED_COLUMNS.filter(({ project }) => project !== null)) {
    const [table, id, value] = [raw(column.table), raw(column.id), raw(column.column)]
    const number = raw(column.number ?? '0')
    const rows = await db.rows<{ id: string | Buffer; number: number; value: Buffer }>(
      sql`select ${id} as id, ${number} as number, ${value} as value from ${table} where ${value} is not null`,
    )
    for (const row of rows) {
      const context = encryptionContext(column, row)
      const next = encryptor.encryptWithRing(encryptor.decrypt(row.value, context), context)
      await db.run(
        sql`update ${table} set ${value} = ${next} where ${id} = ${row.id} and ${number} = ${row.number}`,
      )
    }
  }
  await db.run(sql`delete from project_data_keys`)
}

/**
 * The application on a key file, with something in most of the encrypted columns. Unless `hasDataKeys`, an earlier
 * release has encrypted it.
 */
async function world(t: TestContext, accounts = 3, hasDataKeys = false) {
  const dataDir = await mkdtemp(join(tmpdir(), 'patchbay-rotate-'))
  t.after(() => rm(dataDir, { recursive: true }))
  const ring = await loadOrCreateKeyFile(dataDir)
  const s = await testApp(t, { encryptor: createEncryptor(ring) })
  const ids = await fillColumns(s, accounts)
  if (!hasDataKeys) await withoutDataKeys(s)
  const db = connect(s.databaseUrl, { max: 2 })
  t.after(() => db.close())
  const options = (more: Partial<RotateOptions> = {}): RotateOptions => ({
    db,
    ring,
    keyFileDir: dataDir,
    retire: false,
    portion: 2,
    settleMs: 0,
    onProgress() {},
    onStep() {},
    ...more,
  })
  const sealedWith = async (key: string) =>
    Object.fromEntries(
      await Promise.all(
        ENCRYPTED_COLUMNS.map(
          async (column) =>
            [`${column.table}.${column.column}`, await countOutdated(db, column, ofRing(key))] as const,
        ),
      ),
    )
  return {
    ...s,
    db,
    ring,
    dataDir,
    ids,
    options,
    sealedWith,
    read: async (id: string) => (await s.call(readConnectedAccount, { params: { nanoid: id } })).status,
  }
}

test('key rotation: the list of encrypted columns has every column of bytes that is not a hash', async (t) => {
  const { db } = await world(t, 0)
  const columns = await db.rows<{ name: string; id: string }>(sql`
    select c.relname || '.' || a.attname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.atttypid = 'bytea'::regtype order by 1`)
  assert.deepEqual(
    columns.map(({ name }) => name).filter((name) => !UNENCRYPTED_COLUMNS.includes(name)),
    ENCRYPTED_COLUMNS.map(({ table, column }) => `${table}.${column}`).sort(),
    'a new column belongs into src/admin/rotate-keys/encrypted-columns.ts: into SEALED_COLUMNS, or, if ' +
      'it is a hash, into NOT_SEALED',
  )
})

test('key rotation: all values are encrypted with a new key, and then the old key is removed', async (t) => {
  const s = await world(t)
  const first = s.ring.encryptionKeyId
  const before = await s.sealedWith('none')
  const [versions] = await s.db.rows(
    sql`select array_agg(credentials_version order by id) as v, array_agg(updated_at order by id) as u
        from connected_accounts`,
  )
  const rotation = await rotate(s.options())
  assert.deepEqual(
    [rotation.isNew, rotation.left, rotation.unreadable, rotation.old, rotation.retired],
    [true, 0, [], [first], []],
  )
  assert.notEqual(rotation.key, first)
  assert.ok(
    [
      'api_keys.encrypted_key',
      'auth_configs.credentials',
      'auth_configs.shared_credentials',
      'auth_configs.proxy_config',
      'connected_accounts.credentials',
      'authorization_flows.secrets',
      'tool_executions.payload',
    ].every((name) => before[name]! > 0),
    JSON.stringify(before),
  )
  assert.ok(Object.values(await s.sealedWith(rotation.key)).every((count) => count === 0))
  assert.deepEqual(
    (
      await s.db.rows(
        sql`select array_agg(credentials_version order by id) as v, array_agg(updated_at order by id) as u
            from connected_accounts`,
      )
    )[0],
    versions,
  )
  const retired = await rotate(s.options({ retire: true }))
  assert.deepEqual(
    [retired.isNew, retired.key, retired.resealed, retired.retired],
    [false, rotation.key, 0, [first]],
  )
  const { decrypt: open } = createEncryptor(await loadOrCreateKeyFile(s.dataDir))
  for (const row of await s.db.rows<{ id: string; credentials: Buffer }>(
    sql`select id, credentials from connected_accounts`,
  ))
    assert.ok(open(row.credentials, `connected_accounts:${row.id}:val`))
  for (const id of s.ids) assert.equal(await s.read(id), 200)
})

test('key rotation: an unfinished rotation continues with the key that it created', async (t) => {
  const s = await world(t)
  const stop = new AbortController()
  const interrupted = rotate(
    s.options({
      portion: 1,
      signal: stop.signal,
      onProgress: (column, done) => {
        if (column === 'connected_accounts.credentials' && done === 1) stop.abort()
      },
    }),
  )
  await assert.rejects(interrupted, { name: 'AbortError' })
  const key = s.ring.encryptionKeyId
  assert.equal((await s.sealedWith(key))['connected_accounts.credentials'], s.ids.length)
  const rotation = await rotate(s.options())
  assert.deepEqual([rotation.isNew, rotation.key, rotation.left, s.ring.ids.length], [false, key, 0, 2])
})

test('key rotation: concurrent writes are not overwritten, and locked rows are skipped', async (t) => {
  const s = await world(t)
  const old = parseKeyRing(`x:${Buffer.alloc(32, 1).toString('base64')}`)
  const [locked, written] = s.ids as [string, string]
  const place = `connected_accounts:${written}:val`
  const racing = ofRing('none', s.ring)
  const fresh = createEncryptor(old).encryptWithRing({ token: 'new' }, place)
  await s.app.db.begin(async (tx) => {
    await tx.run(sql`update connected_accounts set status_reason = 'locked' where id = ${locked}`)
    const db = {
      ...s.db,
      run: async (query: Parameters<typeof s.db.run>[0]) => {
        await s.db.run(
          sql`update connected_accounts set credentials = ${fresh}, credentials_version = 2
              where id = ${written} and credentials <> ${fresh}`,
        )
        return s.db.run(query)
      },
    }
    const { done } = await reencryptColumn(db, racing, VAL, { portion: 100, onProgress() {} })
    assert.equal(done, s.ids.length + 1 - 2)
  })
  const row = await s.db.one<{ credentials: Buffer; credentials_version: number }>(
    sql`select credentials, credentials_version from connected_accounts where id = ${written}`,
  )
  assert.deepEqual([row?.credentials, row?.credentials_version], [fresh, 2])
})

test('key rotation: a value that no key decrypts is reported and keeps the old keys', async (t) => {
  const s = await world(t)
  const foreign = createEncryptor(parseKeyRing(`lost:${Buffer.alloc(32, 1).toString('base64')}`))
  const [id = ''] = s.ids
  await s.db.run(
    sql`update connected_accounts set credentials = ${foreign.encryptWithRing({}, `connected_accounts:${id}:val`)}
        where id = ${id}`,
  )
  const { unreadable, left, retired } = await rotate(s.options({ retire: true }))
  assert.deepEqual([unreadable.length, left, retired, s.ring.ids.length], [1, 0, [], 2])
  assert.match(
    unreadable[0]!,
    new RegExp(`^connected_accounts:${id}:val: The key "lost" is not in the key ring`),
  )
})

test('key rotation: with ENCRYPTION_KEYS the new key must be first, and the error says how', async (t) => {
  const s = await world(t)
  const first = s.ring.encryptionKeyId
  await assert.rejects(
    rotate(s.options({ keyFileDir: undefined })),
    (error: Error & { fix?: string }) =>
      /All values are encrypted with k\w+, the only key in ENCRYPTION_KEYS/.test(error.message) &&
      new RegExp(`ENCRYPTION_KEYS=${first}:<its key>,<new id>:<new key>`).test(error.fix ?? ''),
  )
})

/** Counts the values of projects by the first bytes: the key ring itself, or a data key. */
async function countByKey({ db }: Pick<TestApp['app'], 'db'>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { table, column } of ENCRYPTED_COLUMNS.filter(({ project }) => project !== null))
    for (const { key } of await db.rows<{ key: string }>(sql`
      select case get_byte(${raw(column)}, 0) when 1 then 'ring'
        else convert_from(substring(${raw(column)} from 3 for get_byte(${raw(column)}, 1)), 'UTF8') end as key
      from ${raw(table)} where ${raw(column)} is not null`))
      counts[key] = (counts[key] ?? 0) + 1
  return counts
}

test('key rotation: with data keys, a new key of the ring encrypts the data keys and no value of a project', async (t) => {
  const s = await world(t, 1, true)
  const before = await countByKey(s.app)
  const rows = sql`select id, credentials from connected_accounts order by id`
  const values = await s.db.rows(rows)
  const rotation = await rotate(s.options())
  assert.equal(before['ring'], undefined)
  assert.deepEqual(await countByKey(s.app), before)
  assert.deepEqual(await s.db.rows(rows), values)
  const { count } = (await s.db.one<{ count: number }>(sql`select count(*)::int as count from api_keys`))!
  assert.equal(rotation.resealed, count + 1, 'the API keys and one data key')
  assert.equal(await s.read(s.ids[0]!), 200)
})

test('key rotation: --values gives a project another data key, and destroys the former one', async (t) => {
  const s = await world(t, 2, true)
  const [former] = Object.keys(await countByKey(s.app))
  const number = (await countByKey(s.app))[former!]
  const stop = new AbortController()
  const interrupted = rotate(
    s.options({
      values: true,
      portion: 1,
      signal: stop.signal,
      onProgress: (column, done) => {
        if (column === 'connected_accounts.credentials' && done === 1) stop.abort()
      },
    }),
  )
  await assert.rejects(interrupted, { name: 'AbortError' })
  assert.equal(Object.keys(await countByKey(s.app)).length, 2)
  for (const id of s.ids) assert.equal(await s.read(id), 200, 'both data keys are in use')
  const rotation = await rotate(s.options({ values: true }))
  const after = await countByKey(s.app)
  const [current] = Object.keys(after)
  assert.notEqual(current, former)
  assert.deepEqual([after, rotation.left, rotation.unreadable], [{ [current!]: number }, 0, []])
  assert.equal(rotation.destroyed_data_keys, 1)
  assert.deepEqual(await s.db.rows(sql`select id from project_data_keys`), [{ id: current }])
  for (const id of s.ids) assert.equal(await s.read(id), 200)
})

test('key rotation: --values encrypts values of an earlier release with a data key', async (t) => {
  const s = await world(t, 1)
  const { ring, ...others } = await countByKey(s.app)
  assert.ok(ring! > 5)
  assert.deepEqual(others, {})
  assert.equal(await s.read(s.ids[0]!), 200)
  await rotate(s.options({ values: true }))
  const after = await countByKey(s.app)
  assert.deepEqual(Object.values(after), [ring])
  assert.equal(after['ring'], undefined)
  assert.equal(await s.read(s.ids[0]!), 200)
})
