import { setTimeout as sleep } from 'node:timers/promises'
import { withTimeout } from '../timeout.ts'
import { batchCalls } from './batch.ts'
import { DatabaseUnavailable } from './errors.ts'
import { runOutsideProjects } from './project-scope.ts'
import { type Db, type Sql, sql } from './sql.ts'

/** A read waits so long for a replica that lags. It is longer than the usual lag, and short for a person. */
const LAG_MS_MAX = 100
const LOOK_EVERY_MS = 5
/** The replica responds within this time, or is not used. */
const CHECK_MS_MAX = 1_000
/** Reads do not try a replica for so long after it failed or lagged. */
const PAUSE_MS = 5_000

const IDENTITY = sql`
  select (select system_identifier::text from pg_control_system()) as cluster, current_database() as database,
    pg_is_in_recovery() as "isReplica"`
/** Positions in the log of all writes. That of the primary includes writes that are not on its disk yet. */
const WRITTEN = sql`select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::bigint as position`
const REPLAYED = sql`select (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::bigint as position`

export type ReadTarget = 'primary' | 'replica'

export interface ReplicaReaderOptions {
  primary: Db
  replica: Db
  /** Milliseconds since any moment. */
  now(): number
  /** Receives why the replica is not used for the next seconds. */
  onPause(reason: unknown): void
  onRead?(target: ReadTarget): void
}

/**
 * Reads from a replica what the primary would return: a statement runs there only if the replica has every write that
 * was complete when the read started, also writes of other processes. If it does not have them within 100 ms, does not
 * respond, or fails, the statement runs on the primary. `run` always does.
 */
export function createReplicaReader(options: ReplicaReaderOptions): Db {
  const { primary, replica, onRead = () => {} } = options
  const replicaState = watchReplica(options)

  async function read<T>(statement: (db: Db) => Promise<T>): Promise<T> {
    if (await replicaState.hasEveryWrite())
      try {
        const result = await statement(replica)
        onRead('replica')
        return result
      } catch (error) {
        // It would also take too long on the primary.
        if (isStatementTimeout(error)) throw error
        // Other errors are of this statement: a replica cancels statements that need rows which the primary removed.
        if (error instanceof DatabaseUnavailable) replicaState.pause(error)
      }
    onRead('primary')
    return statement(primary)
  }
  return {
    rows: (query) => read((db) => db.rows(query)),
    one: (query) => read((db) => db.one(query)),
    run: (query) => primary.run(query),
    decrypt: (value, context) => primary.decrypt(value, context),
  }
}

const isStatementTimeout = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable && (error.cause as { code?: unknown } | undefined)?.code === '57014'

/** Decides whether a replica may be read. */
function watchReplica({ primary, replica, now, onPause }: ReplicaReaderOptions) {
  const readWritten = sharedPosition(primary, WRITTEN)
  const readReplayed = sharedPosition(replica, REPLAYED)
  let pausedAt = -Infinity
  let replayed = -1
  let checked: Promise<void> | undefined

  // A pause that seems longer is of a clock that was set back.
  const isPaused = () => now() >= pausedAt && now() - pausedAt < PAUSE_MS

  function pause(reason: unknown): void {
    if (isPaused()) return
    pausedAt = now()
    replayed = -1
    checked = undefined
    onPause(reason)
  }

  async function hasReplayed(position: number): Promise<boolean> {
    for (const deadline = performance.now() + LAG_MS_MAX; ; await sleep(LOOK_EVERY_MS)) {
      if (replayed < position) replayed = Math.max(replayed, await inTime(readReplayed()))
      if (replayed >= position) return true
      if (performance.now() >= deadline) return false
    }
  }

  return {
    pause,
    async hasEveryWrite(): Promise<boolean> {
      if (isPaused()) return false
      try {
        await (checked ??= inTime(checkReplica(primary, replica)))
        if (await hasReplayed(await readWritten())) return true
        pause(new Error(`It is more than ${LAG_MS_MAX} ms behind the primary.`))
      } catch (error) {
        pause(error)
      }
      return false
    },
  }
}

/** Reads that arrive together share the statement. */
function sharedPosition(db: Db, query: Sql): () => Promise<number> {
  const read = batchCalls<undefined, number>(async (keys) => {
    const row = await runOutsideProjects(() => db.one<{ position: number | null }>(query))
    return keys.map(() => row?.position ?? -1)
  })
  return () => read(undefined)
}

const inTime = <T>(work: Promise<T>): Promise<T> =>
  withTimeout(work, CHECK_MS_MAX, () => {
    throw new Error(`It did not respond within ${CHECK_MS_MAX} ms.`)
  })

interface Identity {
  cluster: string
  database: string
  isReplica: boolean
}

/** Positions of another cluster would mean nothing. @throws Error if `replica` is no replica of `primary` */
export async function checkReplica(primary: Db, replica: Db): Promise<void> {
  const [one, other] = await runOutsideProjects(() =>
    Promise.all([primary.one<Identity>(IDENTITY), replica.one<Identity>(IDENTITY)]),
  )
  if (!other?.isReplica) throw new Error('It is not a replica: it accepts writes.')
  if (other.cluster !== one?.cluster || other.database !== one.database)
    throw new Error('It is a replica of another database than that of DATABASE_URL.')
}
