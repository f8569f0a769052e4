import * as contract from '../../contract/budgets/index.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Pool } from '../../platform/db/sql.ts'
import { ApiError, badRequest } from '../../platform/http/api-error.ts'
import type { Api } from '../../platform/http/call.ts'
import { pageOf, readPage } from '../../platform/http/paging.ts'
import { newId } from '../../platform/ids.ts'
import type { BudgetCache } from './budget-cache.ts'
import { periodAt } from './period.ts'
import * as store from './store.ts'

const BUDGETS_MAX = 100
const SUBJECTS_MAX = 100

export interface BudgetDeps {
  db: Pool
  clock: Clock
  cache: BudgetCache
}

export function budgetRoutes(api: Api, { db, clock, cache }: BudgetDeps): void {
  const notFound = (id: string) => new ApiError('Budget_NotFound', `Budget ${id} not found`)

  api.on(contract.createBudget, async ({ projectId, body }) => {
    rejectImpossible(body)
    const fields = { subject: null, enabled: true, ...body }
    const row = await db.begin(async (tx) => {
      await store.lockBudgets(tx, projectId)
      if ((await store.countBudgets(tx, projectId)) >= BUDGETS_MAX)
        throw new ApiError('Budget_LimitReached', `A project has at most ${BUDGETS_MAX} budgets.`)
      return store.insertBudget(tx, projectId, newId('bud'), fields)
    })
    cache.clear()
    return presentBudget(row)
  })
  api.on(contract.listBudgets, async ({ projectId, query }) => {
    const page = readPage(query)
    const { rows, total, next } = await store.listBudgets(db, projectId, page)
    return pageOf(rows.map(presentBudget), total, page, next)
  })
  api.on(contract.readBudget, async ({ projectId, params: { budget_id: id } }) => {
    const row = await store.findBudget(db, projectId, id)
    if (!row) throw notFound(id)
    const { start, end } = periodAt(row.period, clock.now())
    const usage = await store.listUsage(db, projectId, id, start, SUBJECTS_MAX)
    return {
      ...presentBudget(row),
      period_start: start.toISOString(),
      period_end: end?.toISOString() ?? null,
      usage: usage.map(({ subject, used }) => ({
        subject: subject === '' ? null : subject,
        used,
        percent: row.amount === 0 ? 100 : Math.round((used / row.amount) * 1_000) / 10,
      })),
    }
  })
  api.on(contract.updateBudget, async ({ projectId, params: { budget_id: id }, body }) => {
    const row = await store.updateBudget(db, projectId, id, body)
    if (!row) throw notFound(id)
    cache.clear()
    return presentBudget(row)
  })
  api.on(contract.deleteBudget, async ({ projectId, params: { budget_id: id } }) => {
    if ((await store.removeBudget(db, projectId, id)) === 0) throw notFound(id)
    cache.clear()
    return { success: true }
  })
}

/** @throws ApiError 400 for a combination that no call could ever use */
function rejectImpossible({ scope, subject, metric, period }: contract.BudgetDraft): void {
  if (scope === 'project' && subject != null)
    throw badRequest(
      'Error in body.subject: a budget of the project has no subject. Omit it, or set scope to user or session',
    )
  if (metric === 'storage_bytes' && (scope === 'user' || period !== 'total'))
    throw badRequest(
      'Error in body.metric: storage_bytes needs scope "project" or "session", and period "total"',
    )
}

const presentBudget = ({
  created_at: createdAt,
  updated_at: updatedAt,
  ...row
}: store.BudgetRow): contract.Budget => ({
  ...row,
  created_at: createdAt.toISOString(),
  updated_at: updatedAt.toISOString(),
})
