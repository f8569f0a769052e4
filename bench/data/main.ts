// Fills a server with executions and measures lists, search and usage. `npm run bench:data -- <rows>`; default
// 1,000,000. The targets of the project are for 20,000,000 rows on a quiet machine with four cores.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { rollUpNextHour } from '../../src/features/logs/rollups/roll-up.ts'
import { rollUpNextDay } from '../../src/features/logs/rollups/roll-up-days.ts'
import { runningUrl } from '../../src/platform/db/embedded/index.ts'
import { connect } from '../../src/platform/db/pool.ts'
import { sql } from '../../src/platform/db/sql.ts'

const ROWS_DEFAULT = 1_000_000
const ROWS_PER_INSERT = 100_000
const DAYS = 30
const ROUNDS = 40
/** Connections prepare their statements, and PostgreSQL reads its tables into memory. */
const WARM_UP_ROUNDS = 10
const START_MS_MAX = 120_000
const PROGRAM = fileURLToPath(new URL('../../bin/patchbay.js', import.meta.url))

interface Case {
  name: string
  targetMs: number
  path: string
  /** Default: the request is a GET. */
  body?: object
}

const failed = { field: 'status', operator: '==', value: 'failed' }
const CASES: readonly Case[] = [
  { name: 'latest logs', targetMs: 50, path: '/logs/tool_execution', body: {} },
  {
    name: 'logs of a user',
    targetMs: 50,
    path: '/logs/tool_execution',
    body: filter('user_id', '==', 'user-77'),
  },
  { name: 'failed logs (0.1 %)', targetMs: 1_000, path: '/logs/tool_execution', body: { filters: [failed] } },
  {
    name: 'a text that is nowhere',
    targetMs: 1_000,
    path: '/logs/tool_execution',
    body: filter('request_id', 'contains', 'zzz'),
  },
  { name: 'usage, 30 days', targetMs: 300, path: '/project/usage/summary', body: {} },
  { name: 'usage by tool, 30 days', targetMs: 300, path: '/project/usage/tool_calls', body: {} },
  {
    name: 'usage by user, 30 days',
    targetMs: 300,
    path: '/project/usage/tool_calls',
    body: { group_by: 'user_id' },
  },
  { name: 'sessions by user, 30 days', targetMs: 300, path: '/project/usage/sessions', body: {} },
  { name: 'overview, 24 hours', targetMs: 300, path: '/overview?range=24h' },
  { name: 'overview, 30 days', targetMs: 300, path: '/overview?range=30d' },
  { name: 'metrics by hour, a day', targetMs: 300, path: '/metrics/query', body: { metric: 'calls' } },
]

function filter(field: string, operator: string, value: string) {
  return { filters: [{ field, operator, value }] }
}

async function main(): Promise<void> {
  const rows = Number(process.argv[2] ?? ROWS_DEFAULT)
  if (!Number.isSafeInteger(rows) || rows < 1)
    throw new Error('The number of rows must be a whole number above 0.')
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-bench-data-'))
  const server = spawn(process.execPath, [PROGRAM, 'start'], {
    env: {
      ...process.env,
      PORT: '0',
      DATA_DIR: folder,
      LOG_RETENTION_DAYS: '0',
      CONSOLE: 'off',
      RATE_LIMIT_PER_MINUTE: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const url = await urlOf(server.stdout)
    const keys = JSON.parse(await readFile(join(folder, 'keys.json'), 'utf8')) as { project_api_key: string }
    await fill(await runningUrl(folder), rows)
    process.stdout.write(
      `${rows.toLocaleString('en')} executions over ${DAYS} days, ${ROUNDS} requests each after ` +
        `${WARM_UP_ROUNDS} that are not measured\n\n`,
    )
    for (const one of CASES) process.stdout.write(`${await measure(one, url, keys.project_api_key)}\n`)
  } finally {
    server.kill('SIGTERM')
    await once(server, 'exit')
    await rm(folder, { recursive: true, force: true })
  }
}

async function urlOf(output: NodeJS.ReadableStream): Promise<string> {
  let text = ''
  output.on('data', (chunk: Buffer) => (text += String(chunk)))
  for (const deadline = performance.now() + START_MS_MAX; performance.now() < deadline; await wait(100)) {
    const [, url] = /✓ ready +listening on (http:\S+)[^]*curl .*\n/.exec(text) ?? []
    if (url) return url
  }
  throw new Error(`The server did not start:\n${text}`)
}

/**
 * Rows of one project: 1,000 users, 200 tools, one of a thousand failed, evenly over the days. A quarter is of sessions
 * of one user with 50 calls.
 */
async function fill(databaseUrl: string, rows: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('set synchronous_commit = off')
  for (let first = 1; first <= rows; first += ROWS_PER_INSERT) {
    const last = Math.min(rows, first + ROWS_PER_INSERT - 1)
    await client.query(
      `insert into tool_executions (id, project_id, tool_slug, toolkit_slug, version, user_id, request_id, successful,
         duration_ms, effect, session_id, created_at)
       select 'log_b' || lpad(n::text, 11, '0'), (select id from projects limit 1), 'SHOP_TOOL_' || n % 200, 'shop',
         '20260101_00',
         'user-' || (case when n % 4 = 0 then n / 200 else n end * 7919::bigint) % 1000,
         'r-' || n, n % 1000 <> 0, n % 500, 'read',
         case when n % 4 = 0 then 'trs_' || n / 200 end,
         now() - interval '${DAYS} days' * (1 - n::float8 / $3)
       from generate_series($1::int, $2::int) n`,
      [first, last, rows],
    )
  }
  await client.query('vacuum analyze tool_executions')
  // The server has rolled up the hours before these rows existed.
  await client.query('delete from usage_hours; delete from usage_days; delete from usage_progress')
  await client.end()
  await rollUp(databaseUrl)
}

async function rollUp(databaseUrl: string): Promise<void> {
  const db = connect(databaseUrl, { max: 1 })
  const startedAt = performance.now()
  let hours = 0
  while (await rollUpNextHour(db)) hours++
  while (await rollUpNextDay(db));
  const seconds = (performance.now() - startedAt) / 1_000
  process.stdout.write(`${hours} hours and their days rolled up in ${seconds.toFixed(1)} s\n`)
  // Autovacuum has done this on a server that is filled over weeks.
  await db.run(sql`analyze usage_hours, usage_days`)
  await db.close()
}

async function measure({ name, targetMs, path, body }: Case, url: string, key: string): Promise<string> {
  const times: number[] = []
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    const startedAt = performance.now()
    const response = await fetch(`${url}/api/v3.1${path}`, {
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    await response.text()
    if (response.status !== 200) return `${name.padEnd(26)} status ${response.status}`
    if (round >= 0) times.push(performance.now() - startedAt)
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => `${Math.round(times[Math.ceil(share * times.length) - 1] ?? 0)} ms`
  return `${name.padEnd(26)} p50 ${at(0.5).padStart(8)}   p95 ${at(0.95).padStart(8)}   target ${targetMs} ms`
}

await main()
