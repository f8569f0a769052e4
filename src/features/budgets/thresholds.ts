import { type Pool, sql } from '../../platform/db/sql.ts'
import { publishEvents, stableEventId } from '../events/index.ts'
import { type BudgetTarget, requested } from './budget-target.ts'
import type { BudgetRow } from './store.ts'

/** In percent of the amount of a budget. */
const THRESHOLDS = [80, 100]

/** A count after it was changed. */
export interface ChangedCount {
  budget_id: string
  /** It has reached a threshold that was not published. */
  is_threshold_reached: boolean
}

/** The largest threshold that a count reached. */
export const REACHED = sql`(
  select coalesce(max(t), 0) from unnest(${THRESHOLDS}::int[]) as t where u.used * 100 >= b.amount * t)`
/** The threshold that was published of the current amount. */
export const PUBLISHED = sql`case when u.published_amount = b.amount then u.published_percent else 0 end`

/** Returns the changed counts `counted`, which have the columns of the table. */
export const CHANGED_COUNTS = sql`
  select u.budget_id, ${REACHED} > ${PUBLISHED} as is_threshold_reached
  from counted u join budgets b on b.id = u.budget_id`

interface ReachedThreshold extends BudgetRow {
  used: number
  counted_subject: string
  period_start: Date
  reached: number
  published: number
}

/**
 * Publishes the thresholds that counts have reached, each once for the same amount of a budget, also if two processes
 * count at the same time or one of them ends in between.
 */
export const publishThresholds = (
  db: Pool,
  projectId: string,
  targets: readonly BudgetTarget[],
): Promise<void> =>
  db.begin(async (tx) => {
    const rows = await tx.rows<ReachedThreshold>(sql`
      select b.*, u.used, u.subject as counted_subject, u.period_start, ${REACHED} as reached, ${PUBLISHED} as published
      from ${requested(targets)} join budget_usage u using (budget_id, subject, period_start)
        join budgets b on b.id = u.budget_id
      where u.project_id = ${projectId} order by u.budget_id, u.subject for update of u`)
    for (const row of rows) {
      const percents = THRESHOLDS.filter((percent) => percent > row.published && percent <= row.reached)
      if (percents.length === 0) continue
      await tx.run(sql`
        update budget_usage set published_percent = ${row.reached}, published_amount = ${row.amount}
        where project_id = ${projectId} and budget_id = ${row.id} and subject = ${row.counted_subject}
          and period_start = ${row.period_start}`)
      await publishEvents(
        tx,
        projectId,
        percents.map((percent) => thresholdEvent(projectId, row, percent)),
      )
    }
  })

function thresholdEvent(projectId: string, row: ReachedThreshold, percent: number) {
  const { id, name, metric, scope, counted_subject: subject, period, amount, used } = row
  const start = row.period_start.toISOString()
  return {
    id: stableEventId(projectId, id, JSON.stringify([subject, start, amount, percent])),
    type: 'budget.threshold_reached' as const,
    data: {
      budget_id: id,
      name,
      metric,
      scope,
      subject: subject || null,
      period,
      period_start: start,
      amount,
      used,
      percent,
    },
  }
}
