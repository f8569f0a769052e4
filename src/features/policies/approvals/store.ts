import type { ApprovalStatus, Choice, UntrustedSource } from '../../../contract/policies/index.ts'
import { runBatch } from '../../../platform/db/run-batch.ts'
import { type Db, type Sql, sql, values } from '../../../platform/db/sql.ts'
import { type ListPage, newestFirst, type PageWindow, readListPage } from '../../../platform/list-page.ts'
import { newId } from '../../../platform/ids.ts'
import { type CallIdentity, NO_ACCOUNT } from './call-binding.ts'

export interface ApprovalRow {
  id: string
  project_id: string
  status: ApprovalStatus
  session_id: string | null
  user_id: string | null
  tool_slug: string
  toolkit_slug: string
  version: string
  connected_account_id: string | null
  policy_ids: string[]
  reason: string | null
  untrusted_sources: UntrustedSource[]
  choices: Choice[]
  encrypted_payload: Buffer | null
  log_id: string | null
  used_log_id: string | null
  decided_by: string | null
  decided_at: Date | null
  expires_at: Date
  created_at: Date
}
/** A late approval is expired even before the scheduled task writes that status. */
const STATUS = sql`
  case when status in ('pending', 'approved') and expires_at <= now() then 'expired' else status end`
const COLUMNS = sql`
  id, project_id, ${STATUS} as status, session_id, user_id, tool_slug, toolkit_slug, version, connected_account_id,
  policy_ids, reason, untrusted_sources, choices, encrypted_payload, log_id, used_log_id, decided_by, decided_at,
  expires_at, created_at`

export interface NewApproval {
  identity: CallIdentity
  binding: Buffer
  policyIds: readonly string[]
  reason: string | null
  sources: readonly UntrustedSource[]
  choices: readonly Choice[]
  seconds: number
  logId: string
}

/** The project of an approval, and the event that announced it; null for approvals of earlier releases. */
export interface ApprovalOrigin {
  project_id: string
  event_id: string | null
}

/** Finds the approval or denial of exactly this call that has not expired. */
export const findActive = (db: Db, projectId: string, binding: Buffer): Promise<ApprovalRow | undefined> =>
  db.one(sql`
    select ${COLUMNS} from approvals
    where project_id = ${projectId} and binding = ${binding} and expires_at > now()`)

/**
 * Inserts a pending approval. Returns undefined if the same call already has one.
 * @param eventId the event that announces the approval
 * @param encryptFor encrypts the arguments for the id of the approval
 */
export async function insert(
  tx: Db,
  { identity, binding, policyIds, reason, sources, choices, seconds, logId }: NewApproval,
  eventId: string,
  encryptFor: (id: string) => Buffer,
): Promise<ApprovalRow | undefined> {
  const { projectId } = identity
  await tx.run(expiry(sql`project_id = ${projectId} and binding = ${binding} and expires_at <= now()`))
  const id = newId('apr')
  return tx.one<ApprovalRow>(sql`
    insert into approvals ${values({
      id,
      project_id: projectId,
      session_id: identity.sessionId,
      user_id: identity.userId,
      tool_slug: identity.tool,
      toolkit_slug: identity.toolkit,
      version: identity.version,
      connected_account_id: identity.accountId,
      policy_ids: [...policyIds],
      reason,
      untrusted_sources: JSON.stringify(sources),
      choices: [...choices],
      seconds,
      binding,
      encrypted_payload: encryptFor(id),
      log_id: logId,
      event_id: eventId,
      expires_at: sql`now() + make_interval(secs => ${seconds})`,
    })} on conflict (project_id, binding) where binding is not null do nothing returning ${COLUMNS}`)
}

/** Serializes the creation of approvals in a project until the transaction ends. */
export const lockProject = (tx: Db, projectId: string): Promise<number> =>
  tx.run(sql`select 1 from projects where id = ${projectId} for no key update`)

export const countPending = async (db: Db, projectId: string): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*)::int as count from approvals
      where project_id = ${projectId} and binding is not null and status = 'pending' and expires_at > now()`)
  )?.count ?? 0

export const find = (db: Db, projectId: string, id: string): Promise<ApprovalRow | undefined> =>
  db.one(sql`select ${COLUMNS} from approvals where project_id = ${projectId} and id = ${id}`)

/** Finds the project of an approval, for callers that authenticate with a webhook signature instead of a key. */
export const findOrigin = (db: Db, id: string): Promise<ApprovalOrigin | undefined> =>
  db.one(sql`select project_id, event_id from approvals where id = ${id}`)

/**
 * Decides a pending approval. Returns undefined if it is not pending or does not offer the choice. An approved call
 * is valid for the same number of seconds again.
 */
export const decide = (
  tx: Db,
  projectId: string,
  id: string,
  choice: Choice,
  by: string,
): Promise<ApprovalRow | undefined> =>
  tx.one(sql`
    update approvals set status = case when ${choice} = 'deny' then 'denied' else 'approved' end,
      encrypted_payload = case when ${choice} = 'deny' then null else encrypted_payload end,
      decided_by = ${by}, decided_at = now(), expires_at = now() + make_interval(secs => seconds)
    where project_id = ${projectId} and id = ${id} and status = 'pending' and expires_at > now()
      and ${choice} = any(choices)
    returning ${COLUMNS}`)

/** Allows all calls of the tool with the same account for the rest of the session. */
export async function insertGrant(tx: Db, row: ApprovalRow): Promise<void> {
  const grant = {
    project_id: row.project_id,
    session_id: row.session_id,
    tool_slug: row.tool_slug,
    account: row.connected_account_id ?? NO_ACCOUNT,
    approval_id: row.id,
  }
  await tx.run(sql`insert into approval_grants ${values(grant)} on conflict do nothing`)
}

export const hasGrant = async (
  db: Db,
  projectId: string,
  sessionId: string,
  tool: string,
  accountId: string | null,
): Promise<boolean> =>
  (await db.one(sql`
    select 1 from approval_grants
    where project_id = ${projectId} and session_id = ${sessionId} and tool_slug = ${tool}
      and account = ${accountId ?? NO_ACCOUNT}`)) !== undefined

export async function list(
  db: Db,
  projectId: string,
  status: ApprovalStatus | undefined,
  page: PageWindow,
): Promise<ListPage<ApprovalRow>> {
  const hasStatus = status === undefined ? sql`true` : sql`${STATUS} = ${status}`
  const where = sql`project_id = ${projectId} and ${hasStatus}`
  return readListPage(db, { columns: COLUMNS, from: sql`approvals`, where, order: newestFirst() }, page)
}

/** Returns a statement that expires the approvals that match, and deletes their arguments. */
const expiry = (condition: Sql): Sql => sql`
    with late as (
      update approvals set status = case when status = 'denied' then status else 'expired' end,
        binding = null, encrypted_payload = null
      where ${condition} returning *)
    insert into approval_decisions (
      id, project_id, event, approval_id, policy_ids, tool_slug, user_id, connected_account_id, session_id)
    select 'dec_' || replace(gen_random_uuid()::text, '-', ''), project_id,
      case when status = 'denied' then 'denial_ended' else 'expired' end, id, policy_ids, tool_slug, user_id,
      connected_account_id, session_id
    from late`

/** Returns whether there may be more. */
export const expireLateApprovals = (db: Db): Promise<boolean> =>
  runBatch(db, (limit) =>
    expiry(sql`id in (
      select id from approvals where binding is not null and expires_at <= now() limit ${limit})`),
  )

/** Deletes ended approvals and decisions that are older than `days`. Returns whether there may be more. */
export async function removeOldApprovals(db: Db, days: number): Promise<boolean> {
  const oldest = sql`now() - make_interval(days => ${days})`
  const mayHaveApprovals = await runBatch(
    db,
    (limit) => sql`
    delete from approvals where id in (
      select id from approvals where binding is null and created_at < ${oldest} limit ${limit})`,
  )
  const mayHaveDecisions = await runBatch(
    db,
    (limit) => sql`
    delete from approval_decisions where id in (
      select id from approval_decisions where at < ${oldest} limit ${limit})`,
  )
  return mayHaveApprovals || mayHaveDecisions
}

/** Deletes the grants of sessions that were deleted. Returns whether there may be more. */
export const removeOrphanedGrants = (db: Db): Promise<boolean> =>
  runBatch(
    db,
    (limit) => sql`
    delete from approval_grants where ctid in (
      select g.ctid from approval_grants g where not exists (
        select 1 from sessions s
        where s.project_id = g.project_id and s.id = g.session_id and s.deleted_at is null)
      limit ${limit})`,
  )

/** Deletes the approvals of a user, pending ones included, and their decisions. Returns the number of approvals. */
export async function removeUserApprovals(db: Db, projectId: string, userId: string): Promise<number> {
  const ofUser = sql`project_id = ${projectId} and user_id = ${userId}`
  await db.run(sql`delete from approval_decisions where ${ofUser}`)
  return db.run(sql`delete from approvals where ${ofUser}`)
}
