import type { DecisionEvent } from '../../../contract/policies/index.ts'
import { type Db, sql, values } from '../../../platform/db/sql.ts'
import { type ListPage, newestFirst, type PageWindow, readListPage } from '../../../platform/list-page.ts'
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
  page: PageWindow,
): Promise<ListPage<DecisionRow>> {
  const columns = sql`id, event, at, approval_id, policy_ids, tool_slug, user_id, connected_account_id, session_id,
      decided_by as by, log_id`
  const where = sql`project_id = ${projectId}`
  const query = { columns, from: sql`approval_decisions`, where, order: newestFirst(sql`at`) }
  return readListPage(db, query, page)
}
