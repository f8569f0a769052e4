import { setTimeout as wait } from 'node:timers/promises'
import { type Db, type Pool, raw, sql } from '../sql.ts'
import type { Period } from './periods.ts'

/**
 * The tables that are partitioned by time, and the column with the time. Tables of a group have the same partitions.
 * Locks are taken in this order, in which most transactions use the tables.
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

/** Statements wait behind one that waits for its lock, so a change gives up soon and tries again later. */
const LOCK_WAIT_MS = 300
const ATTEMPTS_MAX = 3
/** Statements that wait meanwhile can end before the next attempt. */
const PAUSE_MS = 100
/**
 * 55P03: the lock was not available in time. 40P01: a deadlock, which PostgreSQL may find earlier. 23514: a row came
 * into the default partition after the rows of the period had been moved.
 */
const REPEATED_CODES: readonly unknown[] = ['55P03', '40P01', '23514']

/** Lists the periods that have partitions, oldest first. */
export const listPeriods = (db: Db, group: PartitionGroup): Promise<PartitionPeriod[]> =>
  db.rows(sql`
    select (extract(epoch from starts_at) * 1000)::float8 as from, (extract(epoch from ends_at) * 1000)::float8 as to,
      array_agg(name order by name) as partitions
    from list_partitions() where ends_at is not null and parent = any(${[...tablesOf(group)]}::text[])
    group by starts_at, ends_at order by ends_at`)

/**
 * Runs a change of partitions in a transaction that waits only shortly for locks, up to three times. Returns undefined
 * if it did not get them: a backup, or a statement that takes long, reads the table.
 */
export async function changePartitions<T>(db: Pool, change: (tx: Db) => Promise<T>): Promise<T | undefined> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    try {
      return await db.begin(async (tx) => {
        await tx.run(sql`select set_config('lock_timeout', ${String(LOCK_WAIT_MS)}, true)`)
        return change(tx)
      })
    } catch (error) {
      if (!REPEATED_CODES.includes((error as { code?: unknown }).code)) throw error
      if (attempt < ATTEMPTS_MAX) await wait(PAUSE_MS * attempt)
    }
  }
  return undefined
}

const namesOf = (tables: readonly string[], separator = ', ') =>
  raw(tables.map((name) => `"${name}"`).join(separator))

/** Locks tables without their partitions, in the order given. */
const lockTables = (tx: Db, tables: readonly string[], mode: 'access exclusive' | 'share row exclusive') =>
  tx.run(sql`lock table only ${namesOf(tables, ', only ')} in ${raw(mode)} mode`)

/**
 * Excludes readers and writers from a period until the transaction ends. Everybody locks a table before its partitions.
 * A lock of the partitions first would thus be a deadlock with each statement that has locked the table only.
 */
export async function lockPeriod(
  tx: Db,
  group: PartitionGroup,
  { partitions }: PartitionPeriod,
): Promise<void> {
  await lockTables(tx, tablesOf(group), 'access exclusive')
  await lockTables(tx, partitions, 'access exclusive')
}

/**
 * Excludes writers of rows for which a new partition is created. Those of the table wait until it is attached, and then
 * find it; one that had chosen the default partition before would fail. Writers of periods to come are not disturbed.
 */
export const lockForNewPartition = (tx: Db, group: PartitionGroup, isNow: boolean): Promise<number> =>
  lockTables(
    tx,
    tablesOf(group).map((table) => (isNow ? table : `${table}_default`)),
    'share row exclusive',
  )

/** Drops the partitions of a period that is locked. The last statement of its transaction: everybody waits for it. */
export const dropPartitions = (tx: Db, { partitions }: PartitionPeriod): Promise<number> =>
  tx.run(sql`drop table ${namesOf(partitions)}`)

/** The state of the partitions of a table. */
export interface PartitionState {
  table: string
  /** Seconds from now for which partitions exist. */
  ahead_s: number
  /** Rows that have no partition of their time, at most 1,000. */
  default_rows: number
}

const DEFAULT_ROWS_MAX = 1_000

/** Returns the state of all tables, in one statement. Retention does not remove rows of a default partition. */
export const partitionStates = (db: Db): Promise<PartitionState[]> => db.rows(STATES)

const countDefaultRows = (table: string): string =>
  `when '${table}' then (select count(*)::int from (select from ${table}_default limit ${DEFAULT_ROWS_MAX}) r)`

const STATES = sql`
  select parent as table, extract(epoch from max(ends_at) - now())::float8 as ahead_s,
    case parent ${raw((Object.keys(GROUPS) as PartitionGroup[]).flatMap(tablesOf).map(countDefaultRows).join(' '))}
    end as default_rows
  from list_partitions() group by parent order by parent`

/** The partition of rows whose time has no other. */
export const defaultPartition = (table: string) => raw(`"${table}_default"`)
