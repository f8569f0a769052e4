import type { DecisionEvent } from '../../../contract/policies/index.ts'
import { type Db, sql, values } from '../../../platform/db/sql.ts'
import { newId } from '../../../platform/ids.ts'
import type { CallIdentity } from './call-binding.ts'

/** One row of the audit log of policies and approvals. */
export interface DecisionRow {
  id: string
  event: DecisionEvent
  at: Date
  approval_id: string | null
  policy_ids: string[]
  tool_slug: string
  user_id: string | null
  connected_account_id: string | null
  session_id: string | null
  by: string | null
  log_id: string | null
}

export async function insertDecision(
  db: Db,
  event: DecisionEvent,
  { projectId, tool, userId, accountId, sessionId }: CallIdentity,
  details: { approval_id?: string; policy_ids: readonly string[]; decided_by?: string; log_id?: string },
): Promise<void> {
  const row = {
    id: newId('dec'),
    project_id: projectId,
    event,
    tool_slug: tool,
    user_id: userId,
    connected_account_id: accountId,
    session_id: sessionId,
    ...details,
    policy_ids: [...details.policy_ids],
  }
  await db.run(sql`insert into approval_decisions ${values(row)}`)
}

export async function listDecisions(
  db: Db,
  projectId: string,
  page: { limit: number; offset: number },
): Promise<{ rows: DecisionRow[]; total: number }> {
  const rows = await db.rows<DecisionRow>(sql`
    select id, event, at, approval_id, policy_ids, tool_slug, user_id, connected_account_id, session_id,
      decided_by as by, log_id
    from approval_decisions
    where project_id = ${projectId} order by at desc, id limit ${page.limit} offset ${page.offset}`)
  const total = await db.one<{ total: number }>(
    sql`select count(*)::int as total from approval_decisions where project_id = ${projectId}`,
  )
  return { rows, total: total?.total ?? 0 }
}
