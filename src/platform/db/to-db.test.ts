import assert from 'node:assert/strict'
import { test } from 'node:test'
import type pg from 'pg'
import { runInTurn, type RequestTurn } from '../http/turns/request-turns.ts'
import { UNLIMITED } from '../http/turns/unlimited-turn.ts'
import { sql } from './sql.ts'
import { toDb } from './to-db.ts'

const resultOf = (rows: number, fields: number) =>
  ({
    rows: Array.from({ length: rows }, () => ({})),
    fields: Array.from({ length: fields }, (_, n) => ({ name: `f${n}`, dataTypeID: 25 })),
    rowCount: rows,
  }) as unknown as pg.QueryResult

test('database: the processor time of a long result is counted for the project of the request', async () => {
  const charged: number[] = []
  const turn: RequestTurn = { ...UNLIMITED, projectId: 'p', charge: (ms) => void charged.push(ms) }
  const read = (rows: number, fields: number) =>
    runInTurn(turn, () => toDb(async () => resultOf(rows, fields), undefined).rows(sql`select 1`))
  await read(10, 25)
  assert.deepEqual(charged, [], 'a short result')
  await read(1_000, 25)
  assert.equal(charged.length, 1)
  assert.ok(charged[0]! > 5 && charged[0]! < 20, `${charged[0]} ms`)
  await toDb(async () => resultOf(1_000, 25), undefined).rows(sql`select 1`)
  assert.equal(charged.length, 1, 'work of no request')
})
