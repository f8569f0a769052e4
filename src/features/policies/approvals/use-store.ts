import { violates } from '../../../platform/db/errors.ts'
import { type Db, type Pool, sql } from '../../../platform/db/sql.ts'
import { newId } from '../../../platform/ids.ts'

/** Marks the approval of exactly this call as used, once. Returns its id, or undefined if there is none. */
export async function consumeApproval(
  db: Db,
  projectId: string,
  binding: Buffer,
  logId: string,
): Promise<string | undefined> {
  const consumed = await db.one<{ approval_id: string }>(sql`
    with used as (
      update approvals set status = 'used', used_log_id = ${logId}, binding = null, encrypted_payload = null
      where project_id = ${projectId} and binding = ${binding} and status = 'approved' and expires_at > now()
      returning *)
    insert into approval_decisions (
      id, project_id, event, approval_id, policy_ids, tool_slug, user_id, connected_account_id, session_id, log_id)
    select ${newId('dec')}, project_id, 'used', id, policy_ids, tool_slug, user_id, connected_account_id, session_id,
      ${logId}
    from used returning approval_id`)
  return consumed?.approval_id
}

/**
 * Makes the approval that a call used valid again until it expires, unless the same call has another one by now.
 * `payload`: the encrypted arguments, for the reader of the approval.
 */
export async function restoreApproval(
  db: Pool,
  projectId: string,
  { id, logId, binding, payload }: { id: string; logId: string; binding: Buffer; payload: Buffer },
): Promise<void> {
  const restored = db.run(sql`
    with restored as (
      update approvals set status = 'approved', used_log_id = null, binding = ${binding}, encrypted_payload = ${payload}
      where project_id = ${projectId} and id = ${id} and status = 'used' and used_log_id = ${logId}
        and expires_at > now()
      returning *)
    insert into approval_decisions (
      id, project_id, event, approval_id, policy_ids, tool_slug, user_id, connected_account_id, session_id, log_id)
    select ${newId('dec')}, project_id, 'restored', id, policy_ids, tool_slug, user_id, connected_account_id,
      session_id, ${logId}
    from restored`)
  await restored.catch((error: unknown) => {
    if (!violates(error, 'approvals_binding')) throw error
  })
}
