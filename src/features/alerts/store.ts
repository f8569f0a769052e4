import type { AlertChannel, AlertCondition } from '../../contract/alerts.ts'
import { assignments, type Db, sql, values } from '../../platform/db/sql.ts'

export interface AlertRuleRow {
  id: string
  project_id: string
  name: string
  condition: AlertCondition
  threshold: number
  window_minutes: number
  channel: AlertChannel
  encrypted_target: Buffer
  is_enabled: boolean
  created_at: Date
  checked_at: Date | null
  last_value: number | null
  firing_since: Date | null
  last_error: string | null
}

/** The columns that a caller sets. */
export type NewAlertRule = Omit<
  AlertRuleRow,
  'created_at' | 'checked_at' | 'last_value' | 'firing_since' | 'last_error'
>
export type AlertRuleChange = Partial<
  Pick<NewAlertRule, 'name' | 'threshold' | 'window_minutes' | 'is_enabled'>
>

const COLUMNS = sql`id, project_id, name, condition, threshold, window_minutes, channel, encrypted_target, is_enabled,
  created_at, checked_at, last_value, firing_since, last_error`

export const listRules = (db: Db, projectId: string): Promise<AlertRuleRow[]> =>
  db.rows(sql`select ${COLUMNS} from alert_rules where project_id = ${projectId} order by created_at, id`)

export const findRule = (db: Db, projectId: string, id: string): Promise<AlertRuleRow | undefined> =>
  db.one(sql`select ${COLUMNS} from alert_rules where project_id = ${projectId} and id = ${id}`)

/** Inserts a rule. Returns undefined if the project has `max` rules; concurrent requests wait for each other. */
export async function insertRule(tx: Db, row: NewAlertRule, max: number): Promise<AlertRuleRow | undefined> {
  await tx.rows(sql`select pg_advisory_xact_lock(hashtextextended(${`alert rules ${row.project_id}`}, 0))`)
  const counted = await tx.one<{ rules: number }>(
    sql`select count(*)::int as rules from alert_rules where project_id = ${row.project_id}`,
  )
  if ((counted?.rules ?? 0) >= max) return undefined
  return tx.one(sql`insert into alert_rules ${values({ ...row })} returning ${COLUMNS}`)
}

export const updateRule = (
  db: Db,
  projectId: string,
  id: string,
  change: AlertRuleChange,
): Promise<AlertRuleRow | undefined> =>
  db.one(sql`
    update alert_rules set ${assignments({ ...change, checked_at: null })}
    where project_id = ${projectId} and id = ${id} returning ${COLUMNS}`)

export const deleteRule = (db: Db, projectId: string, id: string): Promise<number> =>
  db.run(sql`delete from alert_rules where project_id = ${projectId} and id = ${id}`)

/** Returns the enabled rules that were not checked for the longest time. Deleted projects have none. */
export const listDueRules = (db: Db, limit: number): Promise<AlertRuleRow[]> =>
  db.rows(sql`
    select ${COLUMNS} from alert_rules r
    where is_enabled and exists (select from projects p where p.id = r.project_id and p.deleted_at is null)
    order by checked_at nulls first limit ${limit}`)

/** The result of a check. `notified`: people know the state; `error`: why they do not. */
export interface CheckResult {
  value: number
  isFiring: boolean
  error: string | null
}

/** Stores a check. The state changes only if people were notified of it. */
export const storeCheck = (db: Db, { id, project_id: projectId }: AlertRuleRow, check: CheckResult) =>
  db.run(sql`
    update alert_rules set checked_at = now(), last_value = ${check.value}, last_error = ${check.error},
      notified_at = case when ${check.error}::text is null and (firing_since is not null) <> ${check.isFiring}
        then now() else notified_at end,
      firing_since = case when ${check.error}::text is not null then firing_since
        when ${check.isFiring} then coalesce(firing_since, now()) end
    where project_id = ${projectId} and id = ${id}`)
