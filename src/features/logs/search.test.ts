import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#fixtures/app.ts'
import { type Db, sql } from '../../platform/db/sql.ts'
import { createRequestTurns, runInTurn } from '../../platform/http/turns/request-turns.ts'
import type { LogReaderDeps, LogRow } from './store.ts'
import { readLogQuery } from './log-query.ts'
import { type LogPage, searchLogs, type SearchLimits } from './search.ts'

const ROWS = 400
const START_MS = Date.UTC(2026, 0, 1)

/** Every 50th execution failed; users alternate; pairs of rows started at the same time. */
const addExecutions = (db: Db, projectId: string) =>
  db.run(sql`
    insert into tool_executions (id, project_id, tool_slug, toolkit_slug, version, user_id, request_id,
      successful, created_at)
    select 'log_' || lpad(n::text, 12, '0'), ${projectId}, 'SHOP_GET_ORDER', 'shop', '20260101_00', 'u' || n % 2, 'r',
      n % 50 <> 0, to_timestamp((${START_MS}::bigint + (n / 2) * 1000) / 1000)
    from generate_series(1, ${ROWS}) n`)

async function searchAll(deps: LogReaderDeps, projectId: string, body: object, limits?: SearchLimits) {
  const ids: string[] = []
  let pages = 0
  for (let cursor: number | undefined; ;) {
    const query = { ...readLogQuery({ limit: 20, ...body }), before: cursor }
    const { rows, next } = await searchLogs(deps, projectId, query, (row) => row, limits)
    ids.push(...rows.map(({ id }) => id))
    pages++
    if (next === null) return { ids, pages }
    cursor = next
  }
}

test('log search: a search that runs out of time returns a cursor, and its pages have every row once', async (t) => {
  const { app, keys } = await testApp(t)
  await addExecutions(app.db, keys.projectId)
  const outOfTime = { rowsFirst: 7, rowsMax: 30, searchMs: 0 }
  const bodies = [
    {},
    { filters: [{ field: 'status', operator: '==', value: 'failed' }] },
    { filters: [{ field: 'user_id', operator: '==', value: 'u1' }] },
    {
      filters: [{ field: 'tool_slug', operator: 'contains', value: 'ORDER' }],
      time_range: { from: START_MS + 50_000, to: START_MS + 150_000 },
    },
  ]
  for (const body of bodies) {
    const whole = await searchAll(app, keys.projectId, body)
    const inParts = await searchAll(app, keys.projectId, body, outOfTime)
    assert.ok(whole.ids.length > 0)
    assert.deepEqual([...inParts.ids].sort(), [...whole.ids].sort(), JSON.stringify(body))
    assert.equal(new Set(inParts.ids).size, inParts.ids.length)
    assert.ok(inParts.pages >= whole.pages)
  }
})

/** Rows that started at the same time have no order. */
const inOrder = ({ rows, next }: LogPage<LogRow>) => ({
  rows: rows.toSorted((a, b) => a.started_at_us - b.started_at_us || a.id.localeCompare(b.id)),
  next,
})

test('log search: while other projects are active, long pages are made one after another, in portions', async (t) => {
  const { app, keys } = await testApp(t)
  await addExecutions(app.db, keys.projectId)
  const query = readLogQuery({ limit: ROWS })
  const expected = await searchLogs(app, keys.projectId, query, (row) => row)
  const log: string[] = []
  const dbOf = (name: string) =>
    Object.assign(Object.create(app.db) as Db, {
      rows: (statement: Parameters<Db['rows']>[0]) => {
        log.push(`${name} reads`)
        return app.db.rows(statement)
      },
    })
  const turns = createRequestTurns({ perProject: 8, waitingMax: 8 })
  const turn = await turns.start(keys.projectId, 'logs', () => new AbortController().signal, 0)
  const shared = Object.assign(turn, { isShared: () => true, hasNeighbour: () => false })
  const search = (name: string) =>
    runInTurn(shared, () =>
      searchLogs({ ...app, db: dbOf(name) }, keys.projectId, query, (row) => {
        if (log.at(-1) !== `${name} presents`) log.push(`${name} presents`)
        return row
      }),
    )
  const pages = await Promise.all([search('first'), search('second')])
  for (const page of pages) assert.deepEqual(inOrder(page), inOrder(expected))
  assert.equal(expected.rows.length, ROWS)
  const ofEach = ['reads', 'presents', 'reads', 'presents']
  assert.deepEqual(
    log,
    ['first', 'second'].flatMap((name) => ofEach.map((step) => `${name} ${step}`)),
  )
})

test('log search: a page is filled from several portions', async (t) => {
  const { app, keys } = await testApp(t)
  await addExecutions(app.db, keys.projectId)
  const query = readLogQuery({ limit: 5, filters: [{ field: 'status', operator: '==', value: 'failed' }] })
  const limits = { rowsFirst: 10, rowsMax: 20, searchMs: 60_000 }
  const { rows, next } = await searchLogs(app, keys.projectId, query, (row) => row, limits)
  assert.deepEqual(
    rows.map(({ id }) => Number(id.slice(4))),
    [400, 350, 300, 250, 200],
  )
  assert.equal(next, rows.at(-1)?.started_at_us)
})
