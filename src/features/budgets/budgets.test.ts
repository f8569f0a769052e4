import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApprovalsApp } from '#fixtures/approvals.ts'
import { testApp } from '#fixtures/app.ts'
import { temporaryFiles } from '#fixtures/files.ts'
import * as budgets from '../../contract/budgets/index.ts'
import { createSession, executeInSession } from '../../contract/sessions/index.ts'
import { executeTool } from '../../contract/tools/index.ts'
import type { Model } from '../../platform/llm/index.ts'
import { meterModel } from './metered-model.ts'
import { periodAt } from './period.ts'
import { selectTargets } from './meter.ts'
import type { BudgetRow } from './store.ts'
import { storedEvents } from '#fixtures/events.ts'

type App = Awaited<ReturnType<typeof startApprovalsApp>>

const createBudget = async (s: Pick<App, 'call'>, body: Partial<budgets.BudgetDraft>) => {
  const reply = await s.call(budgets.createBudget, {
    body: { name: 'b', metric: 'calls', scope: 'project', period: 'day', amount: 5, ...body } as never,
  })
  assert.equal(reply.status, 201, JSON.stringify(reply.body))
  return reply.body.id
}
const usageOf = async (s: Pick<App, 'call'>, id: string) =>
  (await s.call(budgets.readBudget, { params: { budget_id: id } })).body.usage

/** The thresholds that were published, without what differs between runs. */
const thresholds = async (s: Pick<App, 'db'>) =>
  (await storedEvents(s.db))
    .filter(({ type }) => type === 'budget.threshold_reached')
    .map(({ data: { subject, used, percent } }) => ({ subject, used, percent }))
    .sort((one, other) => one.percent - other.percent)

test('budgets: concurrent calls never exceed a budget, and 80 % and 100 % are published once', async (t) => {
  const s = await startApprovalsApp(t)
  const id = await createBudget(s, { name: 'Calls of the day', amount: 10 })
  const replies = await Promise.all(Array.from({ length: 30 }, () => s.callTool()))
  const statuses = replies.map(({ status }) => status)
  assert.deepEqual(
    [statuses.filter((one) => one === 200).length, statuses.filter((one) => one === 429).length],
    [10, 20],
  )
  assert.equal(s.stub.requests.length, 10, 'a rejected call sends nothing')
  assert.deepEqual(await usageOf(s, id), [{ subject: null, used: 10, percent: 100 }])
  const published = await thresholds(s)
  assert.deepEqual(
    published.map(({ percent }) => percent),
    [80, 100],
  )
  assert.ok(published[0]!.used >= 8 && published[1]!.used === 10, JSON.stringify(published))
  const rejected = replies.find(({ status }) => status === 429)!
  assert.equal(rejected.body.error.slug, 'Budget_Exceeded')
  assert.match(
    rejected.body.error.message,
    /^The budget "Calls of the day" \(bud_\w+\) of 10 calls per day is used up\. It starts again at \d{4}-\d\d-\d\dT00:00/,
  )
  assert.equal(rejected.headers['x-should-retry'], 'false')
  await s.call(budgets.updateBudget, { params: { budget_id: id }, body: { amount: 11 } })
  assert.deepEqual([(await s.callTool()).status, (await s.callTool()).status], [200, 429])
})

test('budgets: of several budgets a call counts in all or in none', async (t) => {
  const s = await startApprovalsApp(t)
  const project = await createBudget(s, { amount: 100 })
  const user = await createBudget(s, { scope: 'user', amount: 2 })
  for (let i = 0; i < 5; i++) await s.callTool()
  assert.deepEqual(await usageOf(s, project), [{ subject: null, used: 2, percent: 2 }])
  assert.deepEqual(await usageOf(s, user), [{ subject: 'u1', used: 2, percent: 100 }])
  const rejected = await s.callTool()
  assert.match(rejected.body.error.message, /is used up for the user u1\./)
  // A budget for one user replaces the one for all users.
  const own = await createBudget(s, { scope: 'user', subject: 'u1', amount: 4 })
  assert.equal((await s.callTool()).status, 200)
  assert.deepEqual(await usageOf(s, own), [{ subject: 'u1', used: 1, percent: 25 }])
  assert.deepEqual(await usageOf(s, user), [{ subject: 'u1', used: 2, percent: 100 }])
  await s.call(budgets.updateBudget, { params: { budget_id: own }, body: { enabled: false } })
  assert.equal((await s.callTool()).status, 429, 'a budget that is off replaces nothing')
})

test('budgets: bytes are counted after a call, and reject the next one', async (t) => {
  const s = await startApprovalsApp(t)
  const id = await createBudget(s, { metric: 'bytes', amount: 10 })
  assert.equal((await s.callTool()).status, 200)
  const [usage] = await usageOf(s, id)
  assert.ok(usage!.used >= 10, String(usage!.used))
  const rejected = await s.callTool()
  assert.equal(rejected.body.error.slug, 'Budget_Exceeded')
  assert.match(rejected.body.error.message, /of 10 bytes per day is used up/)
})

test('budgets: a session has its own count', async (t) => {
  const s = await startApprovalsApp(t)
  await createBudget(s, { scope: 'session', amount: 1, period: 'total' })
  const open = async () => (await s.call(createSession, { body: { user_id: 'u1' } })).body.session_id
  const run = async (id: string) =>
    (
      await s.call(executeInSession, {
        params: { session_id: id },
        body: { tool_slug: 'SHOP_GET_ORDER', arguments: { id: '1' } },
      })
    ).status
  const [first, second] = [await open(), await open()]
  assert.deepEqual([await run(first), await run(first), await run(second)], [200, 429, 200])
  assert.equal((await s.callTool()).status, 200, 'a call outside of sessions has no session')
})

test('budgets: stored files are limited, and 80 % is published', async (t) => {
  const s = await testApp(t, { files: temporaryFiles(t) })
  const id = await createBudget(s, { metric: 'storage_bytes', period: 'total', amount: 1_000 })
  const save = (bytes: number) =>
    s.app.files.save(
      s.keys.projectId,
      {
        name: 'a.txt',
        mimetype: 'text/plain',
        bytes: Buffer.alloc(bytes, 'x'),
        toolkit: 'shop',
        tool: 'SHOP',
      },
      600,
    )
  await save(900)
  await assert.rejects(
    save(101),
    /stores 900 bytes of files, and its budget is 1000 bytes: 101 more do not fit/,
  )
  assert.deepEqual(await usageOf(s, id), [{ subject: null, used: 900, percent: 90 }])
  assert.deepEqual(await thresholds({ db: s.app.db }), [{ subject: null, used: 900, percent: 80 }])
})

test('budgets: the files of each session are limited, and count for the project too', async (t) => {
  const s = await testApp(t, { files: temporaryFiles(t) })
  const storage = { metric: 'storage_bytes', period: 'total' } as const
  const ofSession = await createBudget(s, { ...storage, scope: 'session', amount: 1_000 })
  const ofProject = await createBudget(s, { ...storage, amount: 1_500 })
  const open = async () => (await s.call(createSession, { body: { user_id: 'u1' } })).body.session_id
  const write = (sessionId: string, path: string, bytes: number) =>
    s.app.files.mounts.write(
      s.keys.projectId,
      sessionId,
      { path, mimetype: 'text/plain', bytes: Buffer.alloc(bytes, 'x') },
      600,
    )
  const [first, second] = [await open(), await open()]
  await write(first, 'a.txt', 900)
  await assert.rejects(
    write(first, 'b.txt', 101),
    /The session stores 900 bytes of files, and its budget is 1000/,
  )
  await write(second, 'a.txt', 600)
  await assert.rejects(write(second, 'b.txt', 1), /The project stores 1500 bytes of files/)
  const used = (await usageOf(s, ofSession)).map((row) => [row.subject, row.used, row.percent])
  assert.deepEqual(
    new Map(used.map(([subject, ...rest]) => [subject, rest])),
    new Map([
      [first, [900, 90]],
      [second, [600, 60]],
    ] as never),
  )
  assert.deepEqual(await usageOf(s, ofProject), [{ subject: null, used: 1_500, percent: 100 }])
})

test('budgets: tokens of the model count for the caller, and are estimated if the model reports none', async () => {
  const counted: [string, number][] = []
  let isExhausted = false
  const reply = { text: 'x'.repeat(40), isCut: false, tokens: 120 as number | undefined }
  const model: Model = { complete: async () => reply, close: async () => {} }
  const metered = meterModel(model, {
    admitCall: async () => {},
    async requireRemaining() {
      if (isExhausted) throw new Error('used up')
    },
    record: async (_consumer, metric, amount) => void counted.push([metric, amount]),
    storageBytesMax: async () => undefined,
    recordStorage: async () => {},
  })
  const request = {
    messages: [{ role: 'user' as const, content: 'y'.repeat(40) }],
    schema: { name: 's', schema: {}, isStrict: false },
    headers: {},
    timeoutMs: 1_000,
    signal: AbortSignal.timeout(60_000),
  }
  const caller = { projectId: 'proj_1', userId: 'u' }
  await metered.complete({ ...request, caller })
  reply.tokens = undefined
  await metered.complete({ ...request, caller })
  await metered.complete(request)
  assert.deepEqual(counted, [
    ['model_tokens', 120],
    ['model_tokens', 21],
  ])
  isExhausted = true
  await assert.rejects(metered.complete({ ...request, caller }), /used up/)
})

test('budgets: combinations that cannot work are rejected, and restricted keys change none', async (t) => {
  const s = await startApprovalsApp(t)
  const create = (body: object) =>
    s.call(budgets.createBudget, {
      body: { name: 'b', metric: 'calls', scope: 'project', period: 'day', amount: 5, ...body } as never,
    })
  for (const [body, message] of [
    [{ subject: 'u1' }, /body\.subject: a budget of the project has no subject/],
    [
      { metric: 'storage_bytes' },
      /body\.metric: storage_bytes needs scope "project" or "session", and period/,
    ],
    [{ metric: 'storage_bytes', scope: 'user', period: 'total' }, /storage_bytes needs scope/],
    [{ amount: -1 }, /amount/],
    [{ amount: 1.5 }, /amount/],
    [{ period: 'week' }, /period/],
  ] as const) {
    const reply = await create(body)
    assert.equal(reply.status, 400, JSON.stringify(body))
    assert.match(reply.body.error.message, message)
  }
  assert.equal((await s.call(budgets.listBudgets)).body.total_items, 0)
  const gone = await s.call(budgets.deleteBudget, { params: { budget_id: 'bud_000000000000' } })
  assert.equal(gone.body.error.slug, 'Budget_NotFound')
  for (let i = 0; i < 100; i++) await createBudget(s, {})
  assert.equal((await create({})).body.error.slug, 'Budget_LimitReached')
  assert.equal((await s.call(executeTool, { params: { tool_slug: 'NOPE' }, body: {} })).status, 404)
})

test('budgets: periods begin in UTC', () => {
  const now = Date.UTC(2026, 11, 31, 23, 59, 59)
  const text = (period: Parameters<typeof periodAt>[0]) => {
    const { start, end } = periodAt(period, now)
    return [start.toISOString(), end?.toISOString()]
  }
  assert.deepEqual(text('hour'), ['2026-12-31T23:00:00.000Z', '2027-01-01T00:00:00.000Z'])
  assert.deepEqual(text('day'), ['2026-12-31T00:00:00.000Z', '2027-01-01T00:00:00.000Z'])
  assert.deepEqual(text('month'), ['2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'])
  assert.deepEqual(text('total'), ['1970-01-01T00:00:00.000Z', undefined])
})

test('budgets: a user or session without a budget of its own has the one for all', () => {
  const budget = (row: Partial<BudgetRow>) =>
    ({
      id: 'b',
      metric: 'calls',
      scope: 'user',
      subject: null,
      period: 'day',
      amount: 1,
      ...row,
    }) as BudgetRow
  const all = [
    budget({ id: 'each' }),
    budget({ id: 'one', subject: 'u1' }),
    budget({ id: 'month', period: 'month' }),
    budget({ id: 'other', metric: 'bytes' }),
    budget({ id: 'project', scope: 'project' }),
  ]
  const idsFor = (userId: string | undefined) =>
    selectTargets(all, { userId }, 'calls', 0).map(({ budgetId }) => budgetId)
  assert.deepEqual(idsFor('u1'), ['one', 'month', 'project'])
  assert.deepEqual(idsFor('u2'), ['each', 'month', 'project'])
  assert.deepEqual(idsFor(undefined), ['project'])
})
