import type { Logger } from '../../log.ts'
import { connect } from '../pool.ts'
import { type Db, type Pool, raw, sql } from '../sql.ts'
import {
  changePartitions,
  defaultPartition,
  GROUPS,
  listPeriods,
  lockForNewPartition,
  type PartitionGroup,
  tablesOf,
} from './partitions.ts'
import { missingPeriods, partitionDays, type Period, periodsOfRows, type RowCount } from './periods.ts'

/** Any number that no other program uses on this database. Servers that start together create partitions in turn. */
const LOCK = 7_202_615
/** Statements that read the default partition wait while so many rows of it move: about a second. */
const ROWS_MOVED_AT_ONCE_MAX = 50_000
/** A run starts no further move of rows after this time. The next run continues. */
const RUN_MS_MAX = 40_000
const EVENT_PARTITION_DAYS = 7

/** How long rows are stored decides about the length of their partitions. */
export interface PartitionOptions {
  /** Days; 0: for ever. */
  logRetentionDays: number
}

/** What a run did. */
export interface Preparation {
  /** Names of new partitions. */
  created: string[]
  /** Groups whose locks were not available. The next run tries again. */
  locked: PartitionGroup[]
}

const groupsWithDays = ({ logRetentionDays }: PartitionOptions): [PartitionGroup, number][] => [
  ['executions', partitionDays(logRetentionDays)],
  ['events', EVENT_PARTITION_DAYS],
]

/**
 * Creates the partitions that are missing from now on, unless rows of their time have to move into them. Several
 * processes may call it at once.
 */
export async function createMissingPartitions(db: Pool, options: PartitionOptions): Promise<Preparation> {
  const result: Preparation = { created: [], locked: [] }
  for (const [group, days] of groupsWithDays(options)) {
    const created = await changePartitions(db, (tx) => createMissing(tx, group, days))
    if (created) result.created.push(...created)
    else result.locked.push(group)
  }
  return result
}

/**
 * Creates the partitions that are missing from now on, and those for rows of the past in a default partition, from
 * which no retention would remove them. Each of these moves in its own transaction, so that a run that is interrupted,
 * or has too much to do, is continued by the next one. Several processes may call it at once.
 */
export async function preparePartitions(
  db: Pool,
  options: PartitionOptions,
  rowsAtOnceMax = ROWS_MOVED_AT_ONCE_MAX,
): Promise<Preparation> {
  const deadline = performance.now() + RUN_MS_MAX
  const result = await createMissingPartitions(db, options)
  for (const [group, days] of groupsWithDays(options)) {
    const existing = await listPeriods(db, group)
    const counts = await countRows(db, group, Math.max(await readTime(db), ...existing.map(({ to }) => to)))
    for (const period of periodsOfRows(counts, existing, days, rowsAtOnceMax)) {
      if (performance.now() > deadline) break
      const created = await changePartitions(db, (tx) => createIfMissing(tx, group, period))
      if (created) result.created.push(...created)
      else if (!result.locked.includes(group)) result.locked.push(group)
    }
  }
  return result
}

/**
 * Prepares partitions with a connection of its own, before a server starts. A failure is logged and does not prevent
 * the start: rows without a partition are stored in the default one, and a job moves them.
 */
export async function preparePartitionsAt(
  url: string,
  options: PartitionOptions,
  log: Pick<Logger, 'error'>,
): Promise<void> {
  const db = connect(url, { max: 1, applicationName: 'patchbay-migrate' })
  try {
    await createMissingPartitions(db, options)
  } catch (error) {
    log.error({ err: error }, 'partitions could not be created; a job repeats it every hour')
  } finally {
    await db.close()
  }
}

const readTime = async (db: Db): Promise<number> =>
  (await db.one<{ now: number }>(sql`select (extract(epoch from now()) * 1000)::float8 as now`))!.now

const lockChanges = (tx: Db) => tx.rows(sql`select pg_advisory_xact_lock(${LOCK})`)

async function createMissing(tx: Db, group: PartitionGroup, days: number): Promise<string[]> {
  await lockChanges(tx)
  const created: string[] = []
  for (const period of missingPeriods(await listPeriods(tx, group), await readTime(tx), days))
    if (!(await hasRows(tx, group, period))) created.push(...(await createPartitions(tx, group, period)))
  return created
}

/** Creates the partitions of a period, unless another process has created one for a part of it meanwhile. */
async function createIfMissing(tx: Db, group: PartitionGroup, period: Period): Promise<string[]> {
  await lockChanges(tx)
  const isTaken = (await listPeriods(tx, group)).some(({ from, to }) => from < period.to && period.from < to)
  return isTaken ? [] : createPartitions(tx, group, period)
}

const instant = (ms: number) => sql`to_timestamp(${ms}::float8 / 1000)`

/** Whether a default partition has rows of a period. */
async function hasRows(db: Db, group: PartitionGroup, { from, to }: Period): Promise<boolean> {
  for (const [table, column] of Object.entries(GROUPS[group])) {
    const time = raw(`"${column}"`)
    const row = await db.one(sql`
      select 1 from ${defaultPartition(table)} where ${time} >= ${instant(from)} and ${time} < ${instant(to)} limit 1`)
    if (row) return true
  }
  return false
}

/** Counts the rows of the default partitions of a group from before a time, in pieces of ten minutes. */
async function countRows(db: Db, group: PartitionGroup, before: number): Promise<RowCount[]> {
  const counts = new Map<number, number>()
  for (const [table, column] of Object.entries(GROUPS[group])) {
    const time = raw(`"${column}"`)
    const rows = await db.rows<RowCount>(sql`
      select (extract(epoch from date_bin('10 minutes', ${time}, timestamptz 'epoch')) * 1000)::float8 as from,
        count(*)::int as rows
      from ${defaultPartition(table)} where ${time} < ${instant(before)} group by 1`)
    for (const { from, rows: count } of rows) counts.set(from, (counts.get(from) ?? 0) + count)
  }
  return [...counts].map(([from, rows]) => ({ from, rows })).sort((one, other) => one.from - other.from)
}

/** Rows of clocks that are ahead by less than this can come while a partition is created. */
const AHEAD_MS = 3_600_000

/** Creates the partitions of a period. Rows of default partitions move into them. */
export async function createPartitions(
  tx: Db,
  group: PartitionGroup,
  { from, to }: Period,
): Promise<string[]> {
  await lockForNewPartition(tx, group, from < (await readTime(tx)) + AHEAD_MS)
  const rows = await tx.rows<{ name: string }>(sql`
    select create_partition(parent, ${instant(from)}, ${instant(to)}) as name
    from unnest(${[...tablesOf(group)]}::text[]) parent`)
  return rows.map(({ name }) => name)
}
