import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import pg from 'pg'
import { pino } from 'pino'
import { routes } from '../../src/contract/index.ts'
import type { Route } from '../../src/contract/route.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { EXAMPLES, type Example } from '../contract/examples/index.ts'
import type { Raw } from '../contract/send.ts'
import { MORE_CALLS } from '../contract/unread-inputs.ts'
import { world, type World } from '../contract/world.ts'
import { temporaryCache, temporaryFiles } from '../fixtures/files.ts'

const PAGE = join(import.meta.dirname, '../../docs/readable-at-rest.md')

/** Any marker, also in the other letter case, in which slugs are stored. */
const MARKER = /zqm\d+qz/gi

/** Adds a marker of its own to each text of a value. `only` restricts it to one of them, by position. */
function markTexts(
  value: unknown,
  nextMarker: () => string,
  only?: number,
): { marked: unknown; texts: number } {
  let texts = 0
  const mark = (part: unknown): unknown => {
    if (typeof part === 'string') {
      const at = texts++
      return only === undefined || only === at ? `${part}${nextMarker()}` : part
    }
    if (Array.isArray(part)) return part.map(mark)
    if (part !== null && typeof part === 'object')
      return Object.fromEntries(Object.entries(part).map(([name, one]) => [name, mark(one)]))
    return part
  }
  return { marked: mark(value), texts }
}

/** Calls an operation with markers in all texts of its query and body, or in one after the other if that is rejected. */
async function callWithMarkers(
  w: World,
  route: Route,
  make: Example,
  nextMarker: () => string,
): Promise<void> {
  const send = async (only?: number) => {
    // An organization has one demo project.
    await w.app.db.run(sql`update projects set deleted_at = now() where is_demo`)
    const { headers, ...example } = await make(w)
    const { marked, texts } = markTexts({ query: example.query, body: example.body }, nextMarker, only)
    const request: Raw = { ...example, ...(marked as Pick<Raw, 'query' | 'body'>) }
    const reply = await w.send(route, 'v3.1', {
      ...request,
      headers: { ...w.credentials(route), ...headers },
    })
    return { isAccepted: reply.status < 300, texts }
  }
  const { isAccepted, texts } = await send()
  if (isAccepted || texts < 2) return
  for (let only = 0; only < texts; only++) await send(only)
}

/** Keeps each version of each row that is changed or deleted: a text must not be readable for a moment either. */
const KEEP_FORMER_ROWS = `
  create table former_rows (name text not null, row jsonb not null);
  create function keep_former_row() returns trigger language plpgsql security definer as $$
  begin
    insert into public.former_rows values (
      coalesce((select relname from pg_class where oid = pg_partition_root(tg_relid)), tg_table_name), to_jsonb(old));
    return null;
  end $$;
  do $$ declare name text; begin
    for name in select relname from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition loop
      execute format('create trigger keep_former_row after update or delete on %I
        for each row execute function keep_former_row()', name);
    end loop;
  end $$`

async function withClient<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Returns all rows of all tables, those of jobs and former ones included. */
const allRows = (databaseUrl: string) =>
  withClient(databaseUrl, async (client) => {
    const tables = await client.query<{ schema: string; name: string }>(`
      select schemaname as schema, tablename as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema') and tablename <> 'former_rows'
        and not (select relispartition from pg_class where oid = format('%I.%I', schemaname, tablename)::regclass)`)
    const rows: { name: string; row: object }[] = []
    for (const { schema, name } of tables.rows) {
      const found = await client.query<{ row: object }>(
        `select to_jsonb(t) as row from "${schema}"."${name}" t`,
      )
      rows.push(...found.rows.map(({ row }) => ({ name, row })))
    }
    return [...rows, ...(await client.query<{ name: string; row: object }>('select * from former_rows')).rows]
  })

/** Returns the columns that have a marker, as text or in bytes, each with one of them. */
async function markedColumns(databaseUrl: string): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  for (const { name, row } of await allRows(databaseUrl))
    for (const [column, value] of Object.entries(row)) {
      const [marker] = textOf(value).match(MARKER) ?? []
      if (marker) found.set(`${name}.${column}`, marker)
    }
  return found
}

/** Returns a value as text. PostgreSQL writes bytes in hexadecimal. */
const textOf = (value: unknown): string =>
  typeof value === 'string' && /^\\x([0-9a-f]{2})*$/.test(value)
    ? Buffer.from(value.slice(2), 'hex').toString('latin1')
    : (JSON.stringify(value) ?? '')

/** Returns the first line with a marker of every file below a directory. */
const markedFiles = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const path = join(entry.parentPath, entry.name)
    const isMarked = new RegExp(MARKER, 'i').test(path.slice(directory.length))
    return isMarked || (entry.isFile() && new RegExp(MARKER, 'i').test(readFileSync(path, 'latin1')))
      ? [path]
      : []
  })

/** Returns the columns that the page lists, each in a row `| column | why |`. */
const listedColumns = (): string[] =>
  readFileSync(PAGE, 'utf8')
    .split('\n')
    .flatMap((line) => [.../`(\w+\.\w+)`/g[Symbol.matchAll](/^\|([^|]*)\|/.exec(line)?.[1] ?? '')])
    .map(([, name]) => name as string)

test('encryption at rest: a text of any operation is in no column, file or log line but those that are listed', async (t) => {
  const lines: string[] = []
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString())
      done()
    },
  })
  const files = temporaryFiles(t)
  const cacheDir = temporaryCache(t)
  const w = await world(t, { files, cacheDir, log: pino({ level: 'trace' }, sink) })
  await withClient(w.databaseUrl, (client) => client.query(KEEP_FORMER_ROWS))
  const markers = new Map<string, string>()
  for (const route of routes)
    for (const make of [EXAMPLES[route.id] as Example, ...(MORE_CALLS[route.id] ?? [])])
      await callWithMarkers(w, route, make, () => {
        const marker = `zqm${markers.size}qz`
        markers.set(marker, route.id)
        return marker
      })
  await storeFile(w)
  await w.app.close() // Writes what is still in memory.
  Object.assign(w.app, { close: async () => {} }) // The fixture closes it when the test ends.

  const found = await markedColumns(w.databaseUrl)
  const nameOf = (marker: string) => markers.get(marker.toLowerCase()) ?? marker
  const listed = new Set(listedColumns())
  assert.deepEqual(
    [...found]
      .filter(([column]) => !listed.has(column))
      .map(([column, marker]) => `${column}: ${nameOf(marker)}`),
    [],
    'columns with a text of a call that docs/readable-at-rest.md does not list',
  )
  assert.deepEqual(
    [...listed].filter((column) => !found.has(column)),
    [],
    'columns that need not be listed',
  )
  assert.deepEqual(markedFiles(files.directory), [])
  assert.deepEqual(
    lines.flatMap((line) => {
      const [marker] = line.match(MARKER) ?? []
      return marker ? [`${nameOf(marker)}: ${line.slice(0, 300)}`] : []
    }),
    [],
    'log lines',
  )
})

/** The content of a file is not part of an operation. */
const storeFile = (w: World) =>
  w.app.files.save(
    w.own.project,
    { name: 'a.txt', mimetype: 'text/plain', bytes: Buffer.from('zqm0qz'), toolkit: 'nodered', tool: 'T' },
    60,
  )
