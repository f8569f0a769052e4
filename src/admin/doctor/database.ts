import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createEncryptor } from '../../platform/crypto/index.ts'
import { assertKeyRingMatches } from '../../features/projects/index.ts'
import { queryOnce, checkServer, hostAndDatabase } from '../../platform/db/check.ts'
import { startEmbedded } from '../../platform/db/embedded/index.ts'
import { pendingMigrations } from '../../platform/db/migrate.ts'
import { AHEAD_DAYS_MIN, isNearEnd, partitionStates } from '../../platform/db/partitions/index.ts'
import { connect } from '../../platform/db/pool.ts'
import { checkReplica } from '../../platform/db/replica-reader.ts'
import type { Pool } from '../../platform/db/sql.ts'
import { lockDataDir } from '../../platform/instance-lock.ts'
import { StartupError } from '../../platform/startup-error.ts'
import { checkPooler } from '../../server/database.ts'
import { ourMigrations } from '../../server/schema.ts'
import { loadConfiguredKeys } from '../../server/key-ring.ts'
import { type Check, fail, type CheckContext, ok, skip, type CheckResult, warn } from './check.ts'

const CLOCKS_APART_MS = 5_000

export const databaseChecks: Check[] = [
  {
    name: 'database',
    needsConfig: true,
    timeoutMs: 30_000,
    run: (context) => asCheckResult(() => checkDatabase(context)),
  },
  {
    name: 'schema',
    needsConfig: true,
    run: (context) =>
      asCheckResult(async () => {
        if (!context.databaseUrl) return notChecked(context)
        const pending = await pendingMigrations(context.databaseUrl, await ourMigrations())
        return ok(
          pending.length
            ? `${pending.length} migration${pending.length > 1 ? 's' : ''} to apply at the next start`
            : 'up to date',
        )
      }),
  },
  {
    name: 'partitions',
    needsConfig: true,
    run: (context) => asCheckResult(() => checkPartitions(context)),
  },
  {
    name: 'job queue',
    needsConfig: true,
    async run(context) {
      if (!context.databaseUrl) return notChecked(context)
      const [table] = await queryOnce<{ there: boolean }>(
        context.databaseUrl,
        "select to_regclass('graphile_worker.migrations') is not null as there",
      )
      if (!table?.there) return ok('its schema is created by the next start')
      const [row] = await queryOnce<{ revision: number; stuck: number }>(
        context.databaseUrl,
        `select (select max(id) from graphile_worker.migrations) as revision,
        (select count(*)::int from graphile_worker._private_jobs where attempts >= max_attempts) as stuck`,
      )
      return row?.stuck
        ? warn(`${row.stuck} jobs have failed and are not retried`, 'Check the log for the reasons.')
        : ok(`its schema is at revision ${row?.revision}`)
    },
  },
  {
    name: 'encryption',
    needsConfig: true,
    run: (context) =>
      asCheckResult(async () => {
        const { databaseUrl, config } = context
        if (!databaseUrl) return notChecked(context)
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
            'the database contains encrypted values, and there are no keys',
            'Set the keys that encrypted them in ENCRYPTION_KEYS, or restore encryption.keys in the data directory.',
          )
        const ring = await loadConfiguredKeys(config!)
        const missing = (await keyIdsIn(databaseUrl)).filter((id) => !ring.key(id))
        if (missing.length)
          return fail(
            `values are encrypted with the key${missing.length > 1 ? 's' : ''} ${missing.join(', ')}, ` +
              'which the key ring does not have',
            'Add it after the others, in ENCRYPTION_KEYS or as a line of encryption.keys.',
          )
        const db = connect(databaseUrl, { max: 1, applicationName: 'patchbay-doctor' })
        try {
          await assertKeyRingMatches(db, createEncryptor(ring))
          return ok('the keys decrypt the values in the database')
        } finally {
          await db.close()
        }
      }),
  },
  {
    name: 'clocks',
    needsConfig: true,
    async run(context) {
      if (!context.databaseUrl) return notChecked(context)
      const [row] = await queryOnce<{ now: Date }>(context.databaseUrl, 'select clock_timestamp() as now')
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

/** Starts the built-in PostgreSQL for the check, unless a server runs on it or it does not exist yet. */
async function checkDatabase(context: CheckContext): Promise<CheckResult> {
  const { databaseUrl, databaseDirectUrl, databaseReadUrl, dataDir } = context.config!
  if (databaseUrl) {
    const directUrl = databaseDirectUrl ?? databaseUrl
    const version = await checkServer(directUrl, { patienceMs: 0 })
    if (databaseDirectUrl !== undefined) await checkPooler(databaseUrl, databaseDirectUrl)
    context.databaseUrl = directUrl
    const problem =
      databaseReadUrl === undefined ? undefined : await replicaProblem(directUrl, databaseReadUrl)
    if (problem !== undefined)
      return warn(
        `DATABASE_READ_URL (${hostAndDatabase(databaseReadUrl!)}) cannot be used, so reads use the primary: ${problem}`,
        'Point it at a streaming replica of DATABASE_URL.',
      )
    return ok(`PostgreSQL ${version} at ${hostAndDatabase(directUrl)}`)
  }
  if (context.running) return skip('in use by the running server, see above')
  if (
    !(await stat(join(dataDir, 'postgres')).then(
      () => true,
      () => false,
    ))
  )
    return ok('the built-in PostgreSQL is created by the first start')
  const lock = await lockDataDir(dataDir, { pid: process.pid, url: 'patchbay doctor' })
  context.afterwards.push(() => lock.release())
  const embedded = await startEmbedded({ dataDir })
  context.afterwards.push(() => embedded.stop(5_000))
  context.databaseUrl = embedded.url
  return ok(`the built-in PostgreSQL ${await checkServer(embedded.url)} in ${dataDir} starts`)
}

/** Rows without a partition of their time are found by slower statements, and are not removed by retention. */
async function checkPartitions(context: CheckContext): Promise<CheckResult> {
  const { databaseUrl } = context
  if (!databaseUrl) return notChecked(context)
  const [list] = await queryOnce<{ exists: boolean }>(
    databaseUrl,
    "select to_regprocedure('list_partitions()') is not null as exists",
  )
  if (!list?.exists) return ok('the next start creates them')
  const db = connect(databaseUrl, { max: 1, applicationName: 'patchbay-doctor' })
  try {
    const states = await partitionStates(db)
    const strays = states.filter(({ default_rows: rows }) => rows > 0)
    if (strays.length > 0)
      return warn(
        strays
          .map(({ table, default_rows: rows }) => `${table} has ${rows} rows outside of its partitions`)
          .join('; '),
        'Compare the clocks of all servers. A job moves rows of the past into partitions every hour; rows of the ' +
          'future stay until their time has come.',
      )
    const ended = states.filter(isNearEnd)
    return ended.length === 0
      ? ok(`${states.length} tables have partitions for the coming days`)
      : warn(
          `${ended.map(({ table }) => table).join(', ')}: partitions end within ${AHEAD_DAYS_MIN} days`,
          'Start a server. If one runs, its log has the reason why it could not create partitions.',
        )
  } finally {
    await db.close()
  }
}

/** Returns why a replica cannot be read; undefined if it can. */
async function replicaProblem(primaryUrl: string, replicaUrl: string): Promise<string | undefined> {
  const [primary, replica] = [primaryUrl, replicaUrl].map((url) => connect(url, { max: 1 })) as [Pool, Pool]
  try {
    await checkReplica(primary, replica)
    return undefined
  } catch (error) {
    return (error as Error).message
  } finally {
    await Promise.all([primary.close(), replica.close()])
  }
}

const notChecked = ({ running }: CheckContext): CheckResult =>
  skip(running ? 'checked by the running server when it started' : 'there is no database to check')

/**
 * A value of the key ring starts with the version 1, the length of the key id, and the id
 * (platform/crypto/encryptor.ts).
 */
async function keyIdsIn(databaseUrl: string): Promise<string[]> {
  const encryptedColumns = [
    ['api_keys', 'encrypted_key'],
    ['auth_configs', 'credentials'],
    ['connected_accounts', 'credentials'],
    ['project_data_keys', 'encrypted_key'],
  ] as const
  const all = encryptedColumns.map(
    ([table, column]) =>
      `select encode(substring(${column} from 3 for get_byte(${column}, 1)), 'escape') as id from ` +
      `${table} where length(${column}) > 2 and get_byte(${column}, 0) = 1`,
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
