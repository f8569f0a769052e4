import { type Db, type Pool, raw, sql } from '../sql.ts'
import type { Period } from './periods.ts'

/**
 * The tables that are partitioned by time, and the column with the time. Tables of a group have the same partitions.
 */
export const GROUPS = {
  executions: { tool_executions: 'created_at', usage_hours: 'hour', usage_days: 'day' },
  events: {
    events: 'created_at',
    webhook_deliveries_finished: 'event_created_at',
    webhook_attempts: 'event_created_at',
    trigger_logs: 'created_at',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>

export type PartitionGroup = keyof typeof GROUPS

export const tablesOf = (group: PartitionGroup): readonly string[] => Object.keys(GROUPS[group])

/** A period with its partition of each table. `from` is -Infinity for rows from before the tables were partitioned. */
export interface PartitionPeriod extends Period {
  partitions: string[]
}

/** Statements wait behind one that waits for its lock, so a job gives up soon and tries again later. */
const LOCK_WAIT_MS = 300
const LOCK_NOT_AVAILABLE = '55P03'

/** Lists the periods that have partitions, oldest first. */
export const listPeriods = (db: Db, group: PartitionGroup): Promise<PartitionPeriod[]> =>
  db.rows(sql`
    select (extract(epoch from starts_at) * 1000)::float8 as from, (extract(epoch from ends_at) * 1000)::float8 as to,
      array_agg(name order by name) as partitions
    from list_partitions() where ends_at is not null and parent = any(${[...tablesOf(group)]}::text[])
    group by starts_at, ends_at order by ends_at`)

/**
 * Runs a change of partitions in a transaction that waits only shortly for locks. Returns undefined if it did not get
 * them: a backup, or a statement that takes long, reads the table.
 */
export async function changePartitions<T>(db: Pool, change: (tx: Db) => Promise<T>): Promise<T | undefined> {
  try {
    return await db.begin(async (tx) => {
      await tx.run(sql`select set_config('lock_timeout', ${String(LOCK_WAIT_MS)}, true)`)
      return change(tx)
    })
  } catch (error) {
    if ((error as { code?: unknown }).code === LOCK_NOT_AVAILABLE) return undefined
    throw error
  }
}

/**
 * Drops the partitions of a period. It is the last statement of its transaction: readers and writers of the tables wait
 * until it has committed.
 */
export const dropPartitions = (tx: Db, { partitions }: PartitionPeriod): Promise<number> =>
  tx.run(sql`drop table ${raw(partitions.map((name) => `"${name}"`).join(', '))}`)

/** The state of the partitions of a table. */
export interface PartitionState {
  table: string
  /** Seconds from now for which partitions exist. */
  ahead_s: number
  /** Rows that have no partition of their time, at most 1,000. */
  default_rows: number
}

const DEFAULT_ROWS_MAX = 1_000

/** Returns the state of all tables. Retention does not remove rows of a default partition. */
export async function partitionStates(db: Db): Promise<PartitionState[]> {
  const tables = await db.rows<{ table: string; ahead_s: number }>(sql`
    select parent as table, extract(epoch from max(ends_at) - now())::float8 as ahead_s
    from list_partitions() group by parent order by parent`)
  const states: PartitionState[] = []
  for (const { table, ahead_s } of tables) {
    const row = await db.one<{ rows: number }>(sql`
      select count(*)::int as rows from (select from ${defaultPartition(table)} limit ${DEFAULT_ROWS_MAX}) r`)
    states.push({ table, ahead_s, default_rows: row?.rows ?? 0 })
  }
  return states
}

/** The partition of rows whose time has no other. */
export const defaultPartition = (table: string) => raw(`"${table}_default"`)
