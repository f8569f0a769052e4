import type { Schedule } from '../../jobs/index.ts'
import type { Logger } from '../../log.ts'
import type { PoolOptions } from '../pool.ts'
import { type Pool, raw, sql } from '../sql.ts'
import { GROUPS, type PartitionState, partitionStates, tablesOf, type PartitionGroup } from './partitions.ts'
import { type PartitionOptions, preparePartitions } from './prepare.ts'

const DAY_SECONDS = 86_400
/** Partitions are created seven days ahead, so fewer are the result of a job that has failed for days. */
export const AHEAD_DAYS_MIN = 3
/** Longer than it takes to read samples of all partitions from a cold disk, or a large default partition. */
const STATEMENT_MS_MAX = 300_000

export interface PartitionScheduleDeps extends PartitionOptions {
  db: Pool
  /** Opens a pool with other limits. */
  openPool(options: PoolOptions): Pool
  log: Pick<Logger, 'error'>
}

export const partitionSchedules = (deps: PartitionScheduleDeps): readonly Schedule[] => [
  {
    task: 'partitions.prepare',
    cron: '17 * * * *',
    run: () => withPatience(deps, (db) => prepareAndCheck({ ...deps, db })),
  },
  { task: 'partitions.analyze', cron: '41 4 * * *', run: () => withPatience(deps, analyzeTables) },
]

/** Runs statements that may take longer than those of calls. */
async function withPatience(
  { openPool }: PartitionScheduleDeps,
  work: (db: Pool) => Promise<void>,
): Promise<void> {
  const db = openPool({
    max: 1,
    statementTimeoutMs: STATEMENT_MS_MAX,
    applicationName: 'patchbay-partitions',
  })
  try {
    await work(db)
  } finally {
    await db.close()
  }
}

/** Creates missing partitions, and logs what an administrator must look at. */
export async function prepareAndCheck({
  db,
  log,
  logRetentionDays,
}: Omit<PartitionScheduleDeps, 'openPool'>): Promise<void> {
  const before = await partitionStates(db)
  const { locked } = await preparePartitions(db, { logRetentionDays })
  for (const state of before.filter(({ default_rows: rows }) => rows > 0))
    log.error(
      { table: state.table, rows: state.default_rows },
      'rows had a time for which no partition existed; retention does not remove those of the future',
    )
  for (const { table, ahead_s } of (await partitionStates(db)).filter(isNearEnd))
    log.error({ table, ahead_seconds: ahead_s, locked }, 'partitions could not be created in time')
}

export const isNearEnd = ({ ahead_s: ahead }: PartitionState): boolean => ahead < AHEAD_DAYS_MIN * DAY_SECONDS

/** Autovacuum analyzes partitions, and never the tables that consist of them. */
async function analyzeTables(db: Pool): Promise<void> {
  for (const group of Object.keys(GROUPS) as PartitionGroup[])
    for (const table of tablesOf(group)) await db.run(sql`analyze ${raw(`"${table}"`)}`)
}
