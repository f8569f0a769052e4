import { type Sql, sql } from '../../platform/db/sql.ts'

/** A budget that applies to a caller: whose count it is, and in which period. */
export interface BudgetTarget {
  budgetId: string
  /** Empty for the project. */
  subject: string
  periodStart: Date
}

/** Targets as a relation `r`. */
export const requested = (targets: readonly BudgetTarget[]): Sql => sql`
  unnest(
    ${targets.map(({ budgetId }) => budgetId)}::text[],
    ${targets.map(({ subject }) => subject)}::text[],
    ${targets.map(({ periodStart }) => periodStart)}::timestamptz[]
  ) as r (budget_id, subject, period_start)`
