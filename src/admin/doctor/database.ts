import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { loadOrCreateKeyFile, createEncryptor } from '../../platform/crypto/index.ts'
import { assertKeyRingMatches } from '../../features/projects/index.ts'
import { queryOnce, checkServer, hostAndDatabase } from '../../platform/db/check.ts'
import { startEmbedded } from '../../platform/db/embedded/index.ts'
import { pendingMigrations } from '../../platform/db/migrate.ts'
import { connect } from '../../platform/db/pool.ts'
import { lockDataDir } from '../../platform/instance-lock.ts'
import { StartupError } from '../../platform/startup-error.ts'
import { ourMigrations } from '../../server/database.ts'
import { type Check, fail, type CheckContext, ok, skip, type CheckResult, warn } from './check.ts'

const CLOCKS_APART_MS = 5_000

export const databaseChecks: Check[] = [
  {
    name: 'database',
    needsConfig: true,
    timeoutMs: 30_000,
    run: (found) => asCheckResult(() => checkDatabase(found)),
  },
  {
    name: 'schema',
    needsConfig: true,
    run: (found) =>
      asCheckResult(async () => {
        if (!found.databaseUrl) return notChecked(found)
        const pending = await pendingMigrations(found.databaseUrl, await ourMigrations())
        return ok(
          pending.length
            ? `${pending.length} migration${pending.length > 1 ? 's' : ''} to apply at the next start`
            : 'up to date',
        )
      }),
  },
  {
    name: 'job queue',
    needsConfig: true,
    async run(found) {
      if (!found.databaseUrl) return notChecked(found)
      const [table] = await queryOnce<{ there: boolean }>(
        found.databaseUrl,
        "select to_regclass('graphile_worker.migrations') is not null as there",
      )
      if (!table?.there) return ok('its schema is made at the next start')
      const [row] = await queryOnce<{ revision: number; stuck: number }>(
        found.databaseUrl,
        `select (select max(id) from graphile_worker.migrations) as revision,
        (select count(*)::int from graphile_worker._private_jobs where attempts >= max_attempts) as stuck`,
      )
      return row?.stuck
        ? warn(`${row.stuck} jobs have failed for good`, 'Look in the log for why they failed.')
        : ok(`its schema is at revision ${row?.revision}`)
    },
  },
  {
    name: 'encryption',
    needsConfig: true,
    run: (found) =>
      asCheckResult(async () => {
        const { databaseUrl, config } = found
        if (!databaseUrl) return notChecked(found)
        const [table] = await queryOnce<{ there: boolean }>(
          databaseUrl,
          "select to_regclass('api_keys') is not null as there",
        )
        const isMade =
          config!.encryptionKeys !== undefined ||
          (await stat(join(config!.dataDir, 'encryption.keys')).then(
            () => true,
            () => false,
          ))
        const [row] = table?.there
          ? await queryOnce<{ any: boolean }>(databaseUrl, 'select exists (select from api_keys) as any')
          : []
        if (!row?.any) return ok('nothing is stored yet')
        if (!isMade)
          return fail(
            'the database holds encrypted values, and there are no keys',
            'Give the keys that it was written with, in ENCRYPTION_KEYS or as encryption.keys in the data directory.',
          )
        const ring = config!.encryptionKeys ?? (await loadOrCreateKeyFile(config!.dataDir))
        const missing = (await keyIdsIn(databaseUrl)).filter((id) => !ring.key(id))
        if (missing.length)
          return fail(
            `values are sealed with the key${missing.length > 1 ? 's' : ''} ${missing.join(', ')}, which the ring does not hold`,
            'Add it behind the others, in ENCRYPTION_KEYS or as a line of encryption.keys.',
          )
        const db = connect(databaseUrl, { max: 1, applicationName: 'patchbay-doctor' })
        try {
          await assertKeyRingMatches(db, createEncryptor(ring))
          return ok('the keys open what the database holds')
        } finally {
          await db.close()
        }
      }),
  },
  {
    name: 'clocks',
    needsConfig: true,
    async run(found) {
      if (!found.databaseUrl) return notChecked(found)
      const [row] = await queryOnce<{ now: Date }>(found.databaseUrl, 'select clock_timestamp() as now')
      const apart = Math.abs(Date.now() - (row?.now.getTime() ?? 0))
      return apart < CLOCKS_APART_MS
        ? ok('this machine and the database agree')
        : fail(
            `this machine and the database are ${Math.round(apart / 1_000)} s apart`,
            'Start time synchronisation on both.',
          )
    },
  },
]

/** Our own database is started for the time of the look, unless a server runs on it or it was never made. */
async function checkDatabase(found: CheckContext): Promise<CheckResult> {
  const { databaseUrl, dataDir } = found.config!
  if (databaseUrl) {
    const version = await checkServer(databaseUrl, { patienceMs: 0 })
    found.databaseUrl = databaseUrl
    return ok(`PostgreSQL ${version} at ${hostAndDatabase(databaseUrl)}`)
  }
  if (found.running) return skip('held by the running server, which says above whether it answers')
  if (
    !(await stat(join(dataDir, 'postgres')).then(
      () => true,
      () => false,
    ))
  )
    return ok('the built-in PostgreSQL is made at the first start')
  const lock = await lockDataDir(dataDir, { pid: process.pid, url: 'patchbay doctor' })
  found.afterwards.push(() => lock.release())
  const embedded = await startEmbedded({ dataDir })
  found.afterwards.push(() => embedded.stop(5_000))
  found.databaseUrl = embedded.url
  return ok(`the built-in PostgreSQL ${await checkServer(embedded.url)} in ${dataDir} starts`)
}

const notChecked = ({ running }: CheckContext): CheckResult =>
  skip(running ? 'looked at by the running server when it started' : 'there is no database to ask')

/** A sealed value begins with its version, the length of the key id, and the id (see platform/crypto/seal.ts). */
async function keyIdsIn(databaseUrl: string): Promise<string[]> {
  const sealed = [
    ['api_keys', 'encrypted_key'],
    ['auth_configs', 'credentials'],
    ['connected_accounts', 'credentials'],
  ] as const
  const all = sealed.map(
    ([table, column]) =>
      `select encode(substring(${column} from 3 for get_byte(${column}, 1)), 'escape') as id from ${table} where length(${column}) > 2`,
  )
  return (
    await queryOnce<{ id: string }>(
      databaseUrl,
      `select distinct id from (${all.join(' union all ')}) as ids order by id`,
    )
  ).map(({ id }) => id)
}

async function asCheckResult(look: () => Promise<CheckResult>): Promise<CheckResult> {
  try {
    return await look()
  } catch (error) {
    if (error instanceof StartupError) return fail(error.message, error.fix)
    throw error
  }
}
