import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test, type TestContext } from 'node:test'
import { clonedDatabase } from '#fixtures/clone.ts'
import { ringAsProject } from '#fixtures/encryptor.ts'
import type { ExecutionRow } from '../../engine/index.ts'
import { createEncryptor, parseKeyRing } from '../../platform/crypto/index.ts'
import { connect } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import { createLogWriter } from './log-writer.ts'

async function startLog(t: TestContext) {
  const db = connect(await clonedDatabase(t), { max: 2 })
  t.after(() => db.close())
  await db.run(sql`insert into organizations (id, name) values ('org_1', 'o')`)
  await db.run(sql`insert into projects (id, organization_id, name) values ('proj_a', 'org_1', 'a')`)
  const ring = createEncryptor(parseKeyRing(`test:${randomBytes(32).toString('base64')}`))
  const encryptor = { ...ring, ofProject: async () => ringAsProject(ring) }
  const stored = async () => {
    const rows = await db.rows<Record<'id' | 'payload' | 'error' | 'status_code' | 'tool_slug', unknown>>(sql`
      select id, tool_slug, status_code, payload, encrypted_error as error from tool_executions order by id`)
    return rows.map(({ id, tool_slug, status_code, ...encrypted }) => {
      const decrypt = (part: 'payload' | 'error') =>
        encrypted[part] && ring.decrypt(encrypted[part] as Buffer, `tool_executions:${String(id)}:${part}`)
      return [id, tool_slug, status_code, decrypt('payload'), decrypt('error')]
    })
  }
  return { write: createLogWriter(db, encryptor), stored }
}

const row = (id: string, fields: Partial<ExecutionRow> = {}): ExecutionRow => ({
  ...{ id, projectId: 'proj_a', toolSlug: 'SHOP_A', toolkitSlug: 'shop', version: '1', effect: 'create' },
  ...{ dryRun: false, userId: 'ann', connectedAccountId: null, authConfigId: null, sessionId: null },
  ...{ sandboxId: null, parentId: null, requestId: 'r', source: { framework: 'f' }, startedAt: STARTED_AT },
  ...{ timings: { account: 0.1 }, requests: 1, requestBytes: 1, responseBytes: 1, successful: true },
  ...{ isStartLogged: false, statusCode: 200, error: null, durationMs: 7, payload: `{"arguments":"${id}"}` },
  ...fields,
})
const STARTED_AT = Date.now()
const START = { successful: null, statusCode: null, durationMs: null } as const
const FAILURE = { successful: false, statusCode: 500, error: 'failed', payload: null } as const

const [A, B, C] = ['log_a', 'log_b', 'log_c'].map((id) => [id, 'SHOP_A', 200, { arguments: id }, null])

test('log: rows of one statement and a row of its own have the same columns', async (t) => {
  const { write, stored } = await startLog(t)
  await write(row('log_a'))
  await Promise.all([write(row('log_b')), write(row('log_c'))])
  await write(row('log_d', FAILURE))
  await Promise.all([write(row('log_e', FAILURE)), write(row('log_f'))])
  const [a, b, c, d, e] = await stored()
  assert.deepEqual([a, b, c], [A, B, C])
  assert.deepEqual(
    [d, e],
    ['log_d', 'log_e'].map((id) => [id, 'SHOP_A', 500, null, 'failed']),
  )
})

test('log: a row that arrives again is written once, and does not keep other rows from being written', async (t) => {
  const { write, stored } = await startLog(t)
  await write(row('log_a'))
  await Promise.all([write(row('log_a')), write(row('log_b'))])
  await write(row('log_b'))
  await Promise.all([
    write(row('log_b')),
    write(row('log_c', START)),
    write(row('log_c', { isStartLogged: true })),
  ])
  assert.deepEqual(await stored(), [A, B, C])
})

test('log: a start that is written after the end of its call leaves the end', async (t) => {
  const { write, stored } = await startLog(t)
  await write(row('log_a'))
  await write(row('log_a', START))
  await Promise.all([write(row('log_a', START)), write(row('log_b', START))])
  assert.deepEqual((await stored()).at(0), A)
  await write(row('log_b', { isStartLogged: true }))
  assert.deepEqual(await stored(), [A, B])
})
