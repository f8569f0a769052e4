import { type Db, sql } from '../../../platform/db/sql.ts'

/** Numbers of subscriptions by state, and of deliveries that failed for good. */
export interface SubscriptionCounts {
  subscriptions: number
  failing: number
  disabled: number
  dead_deliveries: number
}

/** Counts the subscriptions of a project by state, and the deliveries that failed for good since `since`. */
export const countSubscriptionsByState = async (
  db: Db,
  projectId: string,
  since: Date,
): Promise<SubscriptionCounts> =>
  (await db.one<SubscriptionCounts>(sql`
    select count(*)::int as subscriptions,
      count(*) filter (where s.failing_since is not null and s.disabled_at is null)::int as failing,
      count(*) filter (where s.disabled_at is not null)::int as disabled,
      (select count(*)::int from webhook_deliveries d
        where d.project_id = ${projectId} and d.status = 'dead' and d.finished_at >= ${since}) as dead_deliveries
    from webhook_subscriptions s where s.project_id = ${projectId}`)) as SubscriptionCounts
