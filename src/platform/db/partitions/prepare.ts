import { connect } from '../pool.ts'
import { type Db, type Pool, raw, sql } from '../sql.ts'
import {
  changePartitions,
  defaultPartition,
  GROUPS,
  listPeriods,
  type PartitionGroup,
  tablesOf,
} from './partitions.ts'
import { gapAround, missingPeriods, partitionDays, type Period } from './periods.ts'

/** Any number that no other program uses on this database. Servers that start together create partitions in turn. */
const LOCK = 7_202_615
/** Periods for rows of default partitions, in one run. */
const REPAIRS_MAX = 20
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

/**
 * Creates the partitions that are missing from now on, and those for rows of the past in a default partition, from
 * which no retention would remove them. Several processes may call it at once.
 */
export async function preparePartitions(
  db: Pool,
  { logRetentionDays }: PartitionOptions,
): Promise<Preparation> {
  const days = { executions: partitionDays(logRetentionDays), events: EVENT_PARTITION_DAYS }
  const result: Preparation = { created: [], locked: [] }
  for (const group of Object.keys(GROUPS) as PartitionGroup[]) {
    const created = await changePartitions(db, async (tx) => {
      await tx.rows(sql`select pg_advisory_xact_lock(${LOCK})`)
      return [
        ...(await createMissing(tx, group, days[group])),
        ...(await createForStrays(tx, group, days[group])),
      ]
    })
    if (created) result.created.push(...created)
    else result.locked.push(group)
  }
  return result
}

/** Prepares partitions with a connection of its own, before a server starts. */
export async function preparePartitionsAt(url: string, options: PartitionOptions): Promise<Preparation> {
  const db = connect(url, { max: 1, applicationName: 'patchbay-migrate' })
  try {
    return await preparePartitions(db, options)
  } finally {
    await db.close()
  }
}

async function createMissing(tx: Db, group: PartitionGroup, days: number): Promise<string[]> {
  const clock = await tx.one<{ now: number }>(sql`select (extract(epoch from now()) * 1000)::float8 as now`)
  const created: string[] = []
  for (const period of missingPeriods(await listPeriods(tx, group), clock!.now, days))
    created.push(...(await createPartitions(tx, group, period)))
  return created
}

/** Rows of the future stay in the default partition until their time is near. */
async function createForStrays(tx: Db, group: PartitionGroup, days: number): Promise<string[]> {
  const created: string[] = []
  for (let n = 0; n < REPAIRS_MAX; n++) {
    const time = await oldestStray(tx, group)
    if (time === undefined) break
    created.push(...(await createPartitions(tx, group, gapAround(time, await listPeriods(tx, group), days))))
  }
  return created
}

async function oldestStray(tx: Db, group: PartitionGroup): Promise<number | undefined> {
  for (const [table, column] of Object.entries(GROUPS[group])) {
    const time = raw(`"${column}"`)
    const row = await tx.one<{ oldest: number | null }>(sql`
      select (extract(epoch from min(${time})) * 1000)::float8 as oldest from ${defaultPartition(table)}
      where ${time} < now()`)
    if (row && row.oldest !== null) return row.oldest
  }
  return undefined
}

/** Creates the partitions of a period. Rows of default partitions move into them. */
export async function createPartitions(
  tx: Db,
  group: PartitionGroup,
  { from, to }: Period,
): Promise<string[]> {
  const rows = await tx.rows<{ name: string }>(sql`
    select create_partition(parent, to_timestamp(${from}::float8 / 1000), to_timestamp(${to}::float8 / 1000)) as name
    from unnest(${[...tablesOf(group)]}::text[]) parent`)
  return rows.map(({ name }) => name)
}
