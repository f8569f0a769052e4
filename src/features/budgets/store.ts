import type { BudgetMetric, BudgetPeriod, BudgetScope } from '../../contract/budgets/index.ts'
import { notification } from '../../platform/change-bus.ts'
import { assignments, type Db, type Sql, sql, values } from '../../platform/db/sql.ts'
import { EVENTS_NOTIFIED, PUBLISH_NEW_EVENTS } from '../events/index.ts'

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

/** A budget that applies to a caller: whose count it is, and in which period. */
export interface BudgetTarget {
  budgetId: string
  /** Empty for the project. */
  subject: string
  periodStart: Date
}

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

export const listBudgets = (
  db: Db,
  projectId: string,
  page: { limit: number; offset: number },
): Promise<BudgetRow[]> =>
  db.rows(sql`
    select ${COLUMNS} from budgets where project_id = ${projectId}
    order by created_at, id limit ${page.limit} offset ${page.offset}`)

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

const requested = (targets: readonly BudgetTarget[]): Sql => sql`
  unnest(
    ${targets.map(({ budgetId }) => budgetId)}::text[],
    ${targets.map(({ subject }) => subject)}::text[],
    ${targets.map(({ periodStart }) => periodStart)}::timestamptz[]
  ) as r (budget_id, subject, period_start)`

/** Events of the thresholds that a count has passed. The same threshold of the same amount is published once. */
const THRESHOLD_EVENTS = (projectId: string): Sql => sql`
  new_events as (
    select 'evt_' || substr(encode(sha256(convert_to(json_build_array(
        c.budget_id, c.subject, c.period_start, b.amount, t.percent)::text, 'UTF8')), 'hex'), 1, 24) as id,
      ${projectId}::text as project_id, 'budget.threshold_reached' as type,
      jsonb_build_object('budget_id', b.id, 'name', b.name, 'metric', b.metric, 'scope', b.scope,
        'subject', nullif(c.subject, ''), 'period', b.period, 'period_start', c.period_start, 'amount', b.amount,
        'used', c.used, 'percent', t.percent) as data,
      null::text as ordering_key, null::bytea as encrypted_payload, t.percent as position
    from counted c join budgets b on b.id = c.budget_id, (values (80), (100)) as t (percent)
    where c.used * 100 >= b.amount * t.percent and c.before * 100 < b.amount * t.percent
  ), ${PUBLISH_NEW_EVENTS}`

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
): Promise<{ budget_id: string }[]> =>
  db.rows(sql`
    with counted as (
      insert into budget_usage as u (project_id, budget_id, subject, period_start, used)
      select ${projectId}, r.budget_id, r.subject, r.period_start, ${amount}::bigint
      from ${requested(targets)} join budgets b on b.id = r.budget_id and b.project_id = ${projectId}
      where ${amount}::bigint <= b.amount
      order by r.budget_id, r.subject
      on conflict (budget_id, subject, period_start) do update
        set used = u.used + excluded.used, updated_at = now()
        where u.used + excluded.used <= (select b.amount from budgets b where b.id = u.budget_id)
      returning budget_id, subject, period_start, used, used - ${amount}::bigint as before
    ), ${THRESHOLD_EVENTS(projectId)}
    select budget_id, ${EVENTS_NOTIFIED} from counted`)

/** Adds an amount to each target, whether it fits or not: it has been used already. */
export const addUsage = (
  db: Db,
  projectId: string,
  targets: readonly BudgetTarget[],
  amount: number,
): Promise<number> =>
  db.run(sql`
    with counted as (
      insert into budget_usage as u (project_id, budget_id, subject, period_start, used)
      select ${projectId}, r.budget_id, r.subject, r.period_start, ${amount}::bigint
      from ${requested(targets)} join budgets b on b.id = r.budget_id and b.project_id = ${projectId}
      order by r.budget_id, r.subject
      on conflict (budget_id, subject, period_start) do update
        set used = u.used + excluded.used, updated_at = now()
      returning budget_id, subject, period_start, used, used - ${amount}::bigint as before
    ), ${THRESHOLD_EVENTS(projectId)}
    select budget_id, ${EVENTS_NOTIFIED} from counted`)

/** Sets the count of each target to a measured amount. */
export const setUsage = (
  db: Db,
  projectId: string,
  targets: readonly BudgetTarget[],
  amount: number,
): Promise<number> =>
  db.run(sql`
    with earlier as (
      select u.budget_id, u.subject, u.period_start, u.used
      from ${requested(targets)} join budget_usage u using (budget_id, subject, period_start)
      where u.project_id = ${projectId}
    ), stored as (
      insert into budget_usage as u (project_id, budget_id, subject, period_start, used)
      select ${projectId}, r.budget_id, r.subject, r.period_start, ${amount}::bigint
      from ${requested(targets)} join budgets b on b.id = r.budget_id and b.project_id = ${projectId}
      order by r.budget_id, r.subject
      on conflict (budget_id, subject, period_start) do update set used = excluded.used, updated_at = now()
      returning budget_id, subject, period_start, used
    ), counted as (
      select s.budget_id, s.subject, s.period_start, s.used, coalesce(e.used, 0) as before
      from stored s left join earlier e using (budget_id, subject, period_start)
    ), ${THRESHOLD_EVENTS(projectId)}
    select budget_id, ${EVENTS_NOTIFIED} from counted`)

/** Finds the first of the targets of which less than `amount` is left. */
export const findExhausted = (
  db: Db,
  projectId: string,
  targets: readonly BudgetTarget[],
  amount: number,
): Promise<{ budget_id: string; subject: string; used: number } | undefined> =>
  db.one(sql`
    select r.budget_id, r.subject, coalesce(u.used, 0)::bigint as used
    from ${requested(targets)} join budgets b on b.id = r.budget_id and b.project_id = ${projectId}
      left join budget_usage u
        on u.budget_id = r.budget_id and u.subject = r.subject and u.period_start = r.period_start
    where coalesce(u.used, 0) + ${amount}::bigint > b.amount
    order by r.budget_id limit 1`)

/** Removes counts of earlier periods, at most `limit` of them. */
export const removeOldUsage = (db: Db, days: number, limit: number): Promise<number> =>
  db.run(sql`
    delete from budget_usage where (budget_id, subject, period_start) in (
      select budget_id, subject, period_start from budget_usage
      where period_start < now() - make_interval(days => ${days}) and period_start > 'epoch'
      limit ${limit})`)
