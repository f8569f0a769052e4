import type { CopySession } from '../../platform/db/copy-session.ts'
import { readQueuedJobs } from '../../platform/jobs/copy-jobs.ts'
import type { ArchiveWriter } from './archive-writer.ts'
import { type Contents, ENTRIES, type PartitionCopy, type TableCopy } from './manifest.ts'

/** Created by the migrations. */
const WITHOUT_ROWS = ['migrations']

/** Starts the transaction of a backup: all of its statements read the state of one moment. */
export const startSnapshot = (session: CopySession): Promise<unknown> =>
  session.rows('begin isolation level repeatable read read only')

/** Returns every table, with those that it references before it. */
export async function listTables(session: CopySession): Promise<TableCopy[]> {
  const tables = await session.rows<TableCopy>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and c.relname <> all ($1)
    group by c.relname order by c.relname`,
    [WITHOUT_ROWS],
  )
  const references = await session.rows<{ from: string; to: string }>(
    `select distinct f.relname as from, t.relname as to from pg_constraint k
    join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
    where k.contype = 'f' and k.connamespace = 'public'::regnamespace and f.oid <> t.oid`,
  )
  return sortByReferences(tables, references)
}

/** Returns the partitions by time, without the default ones. Their rows are copied with their table. */
export async function listTimePartitions(session: CopySession): Promise<PartitionCopy[]> {
  const [list] = await session.rows<{ exists: boolean }>(
    "select to_regprocedure('list_partitions()') is not null as exists",
  )
  return list?.exists
    ? session.rows(
        `select parent, starts_at::text, ends_at::text from list_partitions() where ends_at is not null
        order by parent, ends_at`,
      )
    : []
}

/** Gives an empty database the partitions of a backup. Otherwise its rows would end up in the default partitions. */
export async function restorePartitions(
  session: CopySession,
  partitions: readonly PartitionCopy[],
): Promise<void> {
  if (partitions.length === 0) return
  const present = await session.rows<{ name: string }>(
    'select name from list_partitions() where ends_at is not null',
  )
  for (const { name } of present) await session.rows(`drop table public.${quote(name)}`)
  for (const { parent, starts_at, ends_at } of partitions)
    await session.rows('select create_partition($1, $2::timestamptz, $3::timestamptz)', [
      parent,
      starts_at,
      ends_at,
    ])
}

/** @throws Error if tables reference each other in a circle: they could not be restored one after the other */
export function sortByReferences(
  tables: readonly TableCopy[],
  references: readonly { from: string; to: string }[],
): TableCopy[] {
  const sorted: TableCopy[] = []
  let rest = [...tables]
  while (rest.length) {
    const names = new Set(rest.map(({ name }) => name))
    const ready = rest.filter(
      ({ name }) => !references.some(({ from, to }) => from === name && to !== name && names.has(to)),
    )
    if (!ready.length) throw new Error(`tables reference each other in a circle: ${[...names].join(', ')}`)
    sorted.push(...ready)
    rest = rest.filter((table) => !ready.includes(table))
  }
  return sorted
}

/** Adds the rows of all tables, in portions. Returns the number of rows by table. */
export async function addTables(
  session: CopySession,
  archive: ArchiveWriter,
  tables: readonly TableCopy[],
  onTable: (name: string) => void,
): Promise<Contents['rows']> {
  const rows: Record<string, number> = {}
  for (const { name, columns } of tables) {
    let portion = 0
    rows[name] = await session.copyOut(
      `select ${columns.map(quote).join(', ')} from public.${quote(name)}`,
      (lines) => {
        if (portion === 0) onTable(name)
        return archive.add(ENTRIES.table(name, portion++), lines)
      },
    )
  }
  return rows
}

/** Adds the waiting background jobs. Returns their number. */
export function addJobs(session: CopySession, archive: ArchiveWriter): Promise<number> {
  let portion = 0
  return readQueuedJobs(session, (jobs) =>
    archive.add(ENTRIES.jobs(portion++), Buffer.from(JSON.stringify(jobs))),
  )
}

/**
 * Returns the values of the sequences of columns. They are not part of a snapshot, so they are read
 * last: a value that is too high leaves a gap, one that is too low would be used twice.
 */
export async function readSequences(session: CopySession): Promise<Contents['sequences']> {
  const columns = await session.rows<{ table: string; column: string; sequence: string }>(
    `select c.relname as table, a.attname as column, s.name as sequence
    from pg_class c join pg_attribute a on a.attrelid = c.oid
      cross join lateral (
        select pg_get_serial_sequence(format('%I.%I', 'public', c.relname), a.attname) as name) s
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.attnum > 0 and not a.attisdropped and s.name is not null order by 1, 2`,
  )
  const values = []
  for (const { table, column, sequence } of columns) {
    const [row] = await session.rows<{ value: string }>(
      `select case when is_called then last_value else 0 end::text as value from ${sequence}`,
    )
    values.push({ table, column, value: Number(row?.value ?? 0) })
  }
  return values
}

/** Quotes an identifier. The names come from the catalogue of PostgreSQL, or from a verified backup. */
export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`
