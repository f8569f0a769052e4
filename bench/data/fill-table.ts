import type pg from 'pg'

/** Names a number of inserted rows. */
export type Progress = (text: string) => void

interface IndexRow {
  name: string
  definition: string
  constraint: string | null
}

/**
 * Fills a table without its indexes, and builds them afterwards: sorting a whole index takes a fraction of the time of
 * as many insertions. The table may be partitioned.
 */
export async function withoutIndexes(
  client: pg.Client,
  table: string,
  progress: Progress,
  work: () => Promise<void>,
): Promise<void> {
  const { rows: indexes } = await client.query<IndexRow>(
    `select c.relname as name, pg_get_indexdef(i.indexrelid) as definition, pg_get_constraintdef(o.oid) as constraint
     from pg_index i join pg_class c on c.oid = i.indexrelid left join pg_constraint o on o.conindid = i.indexrelid
     where i.indrelid = $1::regclass and not c.relispartition`,
    [table],
  )
  for (const { name, constraint } of indexes)
    await client.query(
      constraint === null ? `drop index "${name}"` : `alter table "${table}" drop constraint "${name}"`,
    )
  await work()
  await client.query("set maintenance_work_mem = '1GB'")
  for (const { name, definition, constraint } of indexes) {
    progress(`index ${name}`)
    await client.query(
      constraint === null
        ? definition.replace(' ON ONLY ', ' ON ')
        : `alter table "${table}" add constraint "${name}" ${constraint}`,
    )
  }
}

/** First and last number of each portion of 1..total. */
export function* portions(total: number, size: number): Generator<[number, number]> {
  for (let first = 1; first <= total; first += size) yield [first, Math.min(total, first + size - 1)]
}
