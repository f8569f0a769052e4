import pg from 'pg'

/** Tables that grow with use. Partitions count for their table. */
const TABLES = [
  'tool_executions',
  'usage_hours',
  'usage_days',
  'events',
  'webhook_deliveries',
  'webhook_attempts',
  'trigger_logs',
  'connected_accounts',
]

interface SizeRow {
  kind: 'rows' | 'index'
  name: string
  bytes: string
}

/** Returns the bytes of one row of each table, and its part of each index. */
export async function rowSizes(databaseUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const lines: string[] = []
    for (const table of TABLES) {
      const { rows: counted } = await client.query<{ count: string }>(`select count(*) from ${table}`)
      const count = Number(counted[0]!.count)
      if (count > 0) lines.push(sizeLine(table, count, await sizesOf(client, table)))
    }
    return lines
  } finally {
    await client.end()
  }
}

const sizesOf = async (client: pg.Client, table: string): Promise<SizeRow[]> =>
  (
    await client.query<SizeRow>(
      `with recursive parts as (
         select $1::regclass::oid as oid
         union all select h.inhrelid from pg_inherits h join parts p on p.oid = h.inhparent),
       index_of as (
         select i.indexrelid, (
           with recursive up as (
             select i.indexrelid as oid union all select h.inhparent from pg_inherits h join up on up.oid = h.inhrelid)
           select c.relname from up join pg_class c on c.oid = up.oid order by c.relispartition limit 1) as name
         from pg_index i join parts p on p.oid = i.indrelid)
       select 'rows' as kind, '' as name, sum(pg_table_size(oid)) as bytes from parts
       union all
       select 'index', name, sum(pg_relation_size(indexrelid)) from index_of group by name
       having sum(pg_relation_size(indexrelid)) > 0
       order by kind desc, name`,
      [table],
    )
  ).rows

function sizeLine(table: string, count: number, sizes: readonly SizeRow[]): string {
  const perRow = ({ bytes }: Pick<SizeRow, 'bytes'>) => Math.round(Number(bytes) / count)
  const total = sizes.reduce((sum, { bytes }) => sum + Number(bytes), 0)
  const parts = sizes.map((size) =>
    size.kind === 'rows' ? `row ${perRow(size)}` : `${size.name.replace(`${table}_`, '')} ${perRow(size)}`,
  )
  return (
    `${table.padEnd(20)} ${count.toLocaleString('en').padStart(11)} rows, ` +
    `${perRow({ bytes: String(total) })} bytes each: ${parts.join(', ')}`
  )
}
