import type { AlertCondition } from '../../contract/alerts.ts'
import type { Db } from '../../platform/db/sql.ts'
import { countActions } from '../audit-log/index.ts'
import { countAccountsByStatus } from '../connected-accounts/index.ts'
import { countCalls } from '../logs/index.ts'
import { LEAK_REVOKED } from '../projects/index.ts'
import { countInstancesByState } from '../triggers/index.ts'
import { countSubscriptionsByState } from '../webhooks/index.ts'
import type { AlertRuleRow } from './store.ts'

/** Fewer executions say little about a rate. */
const CALLS_MIN = 20
const PERCENT = 100
const MINUTE_MS = 60_000

type Measure = (db: Db, rule: AlertRuleRow, now: number) => Promise<number>

const MEASURES: Readonly<Record<AlertCondition, Measure>> = {
  account_expired: async (db, { project_id: projectId }) =>
    (await countAccountsByStatus(db, projectId)).get('EXPIRED') ?? 0,
  trigger_stalled: async (db, { project_id: projectId }) => {
    const counted = await countInstancesByState(db, projectId)
    return counted.stalled + counted.disabled_by_server
  },
  webhook_failing: async (db, { project_id: projectId }, now) => {
    const counted = await countSubscriptionsByState(db, projectId, new Date(now))
    return counted.failing + counted.disabled
  },
  error_rate: async (db, { project_id: projectId, window_minutes: minutes }, now) => {
    const { total, failed } = await countCalls(db, projectId, { from: now - minutes * MINUTE_MS, to: now })
    return total < CALLS_MIN ? 0 : Math.round((failed / total) * PERCENT * 10) / 10
  },
  key_leaked: (db, { project_id: projectId, window_minutes: minutes }, now) =>
    countActions(db, projectId, { action: LEAK_REVOKED, from: new Date(now - minutes * MINUTE_MS) }),
}

/** Returns the value that a rule compares with its threshold. */
export const measure = (db: Db, rule: AlertRuleRow, now: number): Promise<number> =>
  MEASURES[rule.condition](db, rule, now)
