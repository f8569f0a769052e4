import type { BudgetMetric, BudgetPeriod, BudgetScope } from '../../contract/budgets/index.ts'
import { notification } from '../../platform/change-bus.ts'
import { runBatch } from '../../platform/db/run-batch.ts'
import { assignments, type Db, type Sql, sql, values } from '../../platform/db/sql.ts'
import { type ListPage, oldestFirst, type PageWindow, readListPage } from '../../platform/list-page.ts'
import { type BudgetTarget, requested } from './budget-target.ts'
import { CHANGED_COUNTS, type ChangedCount, PUBLISHED, REACHED } from './thresholds.ts'

export interface BudgetRow {
  id: string
  name: string
  metric: BudgetMetric
  scope: BudgetScope
  subject: string | null
  period: BudgetPeriod
  amount: number
  enabled: boolean
  created_at: Date
  updated_at: Date
}
export type BudgetFields = Omit<BudgetRow, 'id' | 'created_at' | 'updated_at'>

const COLUMNS = sql`id, name, metric, scope, subject, period, amount, enabled, created_at, updated_at`
const NOTIFIED = sql`lateral (select ${notification({ kind: 'budgets_changed' })}) n`

export const insertBudget = async (
  tx: Db,
  projectId: string,
  id: string,
  fields: BudgetFields,
): Promise<BudgetRow> =>
  (await tx.one<BudgetRow>(sql`
    with inserted as (
      insert into budgets ${values({ id, project_id: projectId, ...fields })} returning ${COLUMNS})
    select i.* from inserted i, ${NOTIFIED}`)) as BudgetRow

export const findBudget = (db: Db, projectId: string, id: string): Promise<BudgetRow | undefined> =>
  db.one(sql`select ${COLUMNS} from budgets where project_id = ${projectId} and id = ${id}`)

export const listBudgets = (db: Db, projectId: string, page: PageWindow): Promise<ListPage<BudgetRow>> => {
  const where = sql`project_id = ${projectId}`
  return readListPage(db, { columns: COLUMNS, from: sql`budgets`, where, order: oldestFirst() }, page)
}

export const listEnabledBudgets = (db: Db, projectId: string): Promise<BudgetRow[]> =>
  db.rows(
    sql`select ${COLUMNS} from budgets where project_id = ${projectId} and enabled order by created_at, id`,
  )

export const countBudgets = async (db: Db, projectId: string): Promise<number> =>
  (await db.one<{ count: number }>(
    sql`select count(*)::int as count from budgets where project_id = ${projectId}`,
  ))!.count

/** Two requests at once must not exceed the limit of budgets. */
export const lockBudgets = (tx: Db, projectId: string): Promise<number> =>
  tx.run(sql`select 1 from projects where id = ${projectId} for update`)

export const updateBudget = (
  db: Db,
  projectId: string,
  id: string,
  change: Partial<BudgetFields>,
): Promise<BudgetRow | undefined> =>
  db.one(sql`
    with updated as (
      update budgets set ${assignments({ ...change, updated_at: new Date() })}
      where project_id = ${projectId} and id = ${id} returning ${COLUMNS})
    select u.* from updated u, ${NOTIFIED}`)

export const removeBudget = (db: Db, projectId: string, id: string): Promise<number> =>
  db.run(sql`
    with removed as (delete from budgets where project_id = ${projectId} and id = ${id} returning id)
    select r.id from removed r, ${NOTIFIED}`)

/** What the subjects of a budget used in a period, largest first. */
export const listUsage = (
  db: Db,
  projectId: string,
  budgetId: string,
  periodStart: Date,
  limit: number,
): Promise<{ subject: string; used: number }[]> =>
  db.rows(sql`
    select subject, used from budget_usage
    where project_id = ${projectId} and budget_id = ${budgetId} and period_start = ${periodStart}
    order by used desc, subject limit ${limit}`)

/** Writes an amount to the count of each target. `onConflict` is what happens to a count that exists. */
const writeCounts = (
  db: Db,
  projectId: string,
  targets: readonly BudgetTarget[],
  amount: number,
  { condition = sql`true`, onConflict }: { condition?: Sql; onConflict: Sql },
): Promise<ChangedCount[]> =>
  db.rows(sql`
    with counted as (
      insert into budget_usage as u (project_id, budget_id, subject, period_start, used)
      select ${projectId}, r.budget_id, r.subject, r.period_start, ${amount}::bigint
      from ${requested(targets)} join budgets b on b.id = r.budget_id and b.project_id = ${projectId}
      where ${condition}
      order by r.budget_id, r.subject
      on conflict (budget_id, subject, period_start) do update set updated_at = now(), ${onConflict}
      returning *
    ) ${CHANGED_COUNTS}`)

/**
 * Adds an amount to each target if it fits into each budget, and returns the targets into which it fits. Concurrent
 * calls are serialized by the row of the count, so that a budget is never exceeded. The caller rolls back if targets
 * are missing.
 */
export const chargeIfFits = (
  db: Db,
  projectId: string,
  targets: readonly BudgetTarget[],
  amount: number,
): Promise<ChangedCount[]> =>
  writeCounts(db, projectId, targets, amount, {
    condition: sql`${amount}::bigint <= b.amount`,
    onConflict: sql`used = u.used + excluded.used
      where u.used + excluded.used <= (select b.amount from budgets b where b.id = u.budget_id)`,
  })

/** Adds an amount to each target, whether it fits or not: it has been used already. */
export const addUsage = (
  db: Db,
  projectId: string,
  targets: readonly BudgetTarget[],
  amount: number,
): Promise<ChangedCount[]> =>
  writeCounts(db, projectId, targets, amount, { onConflict: sql`used = u.used + excluded.used` })

/** Sets the count of each target to a measured amount. */
export const setUsage = (
  db: Db,
  projectId: string,
  targets: readonly BudgetTarget[],
  amount: number,
): Promise<ChangedCount[]> =>
  writeCounts(db, projectId, targets, amount, { onConflict: sql`used = excluded.used` })

/** Finds the first of the targets of which less than `amount` is left. */
export const findExhausted = (
  db: Db,
  projectId: string,
  targets: readonly BudgetTarget[],
  amount: number,
): Promise<(ChangedCount & { subject: string; used: number }) | undefined> =>
  db.one(sql`
    select r.budget_id, r.subject, coalesce(u.used, 0)::bigint as used,
      coalesce(${REACHED} > ${PUBLISHED}, false) as is_threshold_reached
    from ${requested(targets)} join budgets b on b.id = r.budget_id and b.project_id = ${projectId}
      left join budget_usage u
        on u.budget_id = r.budget_id and u.subject = r.subject and u.period_start = r.period_start
    where coalesce(u.used, 0) + ${amount}::bigint > b.amount
    order by r.budget_id limit 1`)

/** Removes a batch of counts of earlier periods. Returns whether there may be more. */
export const removeOldUsage = (db: Db, days: number): Promise<boolean> =>
  runBatch(
    db,
    (limit) => sql`
    delete from budget_usage where (budget_id, subject, period_start) in (
      select budget_id, subject, period_start from budget_usage
      where period_start < now() - make_interval(days => ${days}) and period_start > 'epoch'
      limit ${limit})`,
  )
