import type { ApprovalStatus, Choice, DecisionEvent } from '../../../contract/approvals.ts'
import { type Db, type Sql, sql, values } from '../../../platform/db/sql.ts'
import { newId } from '../../../platform/ids.ts'
import { type Called, NO_ACCOUNT } from './call-binding.ts'

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
  choices: Choice[]
  encrypted_payload: Buffer | null
  log_id: string | null
  used_log_id: string | null
  decided_by: string | null
  decided_at: Date | null
  expires_at: Date
  created_at: Date
}
/** What is late is expired, whether or not somebody has written that down. */
const STATUS = sql`case when status in ('pending', 'approved') and expires_at <= now() then 'expired' else status end`
const COLUMNS = sql`id, project_id, ${STATUS} as status, session_id, user_id, tool_slug, toolkit_slug, version, connected_account_id, policy_ids, reason, choices, encrypted_payload, log_id, used_log_id, decided_by, decided_at, expires_at, created_at`

export interface NewApproval {
  called: Called
  binding: Buffer
  policyIds: readonly string[]
  reason: string | null
  choices: readonly Choice[]
  seconds: number
  logId: string
}

/** Lets one call use an approval of exactly this call: nobody can use it again. Answers its id, if there was one. */
export async function use(
  db: Db,
  projectId: string,
  binding: Buffer,
  logId: string,
): Promise<string | undefined> {
  const used = await db.one<{ approval_id: string }>(sql`
    with used as (
      update approvals set status = 'used', used_log_id = ${logId}, binding = null, encrypted_payload = null
      where project_id = ${projectId} and binding = ${binding} and status = 'approved' and expires_at > now() returning *)
    insert into approval_decisions (id, project_id, event, approval_id, policy_ids, tool_slug, user_id, connected_account_id, session_id, log_id)
    select ${newId('dec')}, project_id, 'used', id, policy_ids, tool_slug, user_id, connected_account_id, session_id, ${logId} from used returning approval_id`)
  return used?.approval_id
}

/** What exactly this call waits for, or was told, as long as that holds. */
export const live = (db: Db, projectId: string, binding: Buffer): Promise<ApprovalRow | undefined> =>
  db.one(sql`
  select ${COLUMNS} from approvals where project_id = ${projectId} and binding = ${binding} and expires_at > now()`)

/** Undefined when the same call waits already. `seal` binds the arguments to the id. */
export async function insert(
  tx: Db,
  { called, binding, policyIds, reason, choices, seconds, logId }: NewApproval,
  seal: (id: string) => Buffer,
): Promise<ApprovalRow | undefined> {
  const { projectId } = called
  await settle(tx, sql`project_id = ${projectId} and binding = ${binding} and expires_at <= now()`)
  const id = newId('apr')
  return tx.one<ApprovalRow>(sql`
    insert into approvals ${values({
      id,
      project_id: projectId,
      session_id: called.sessionId,
      user_id: called.userId,
      tool_slug: called.tool,
      toolkit_slug: called.toolkit,
      version: called.version,
      connected_account_id: called.accountId,
      policy_ids: [...policyIds],
      reason,
      choices: [...choices],
      seconds,
      binding,
      encrypted_payload: seal(id),
      log_id: logId,
      expires_at: sql`now() + make_interval(secs => ${seconds})`,
    })} on conflict (project_id, binding) where binding is not null do nothing returning ${COLUMNS}`)
}

/** Until the transaction ends, no other call of the project begins to wait. */
export const hold = (tx: Db, projectId: string): Promise<number> =>
  tx.run(sql`select 1 from projects where id = ${projectId} for no key update`)

export const pending = async (db: Db, projectId: string): Promise<number> =>
  (
    await db.one<{ count: number }>(
      sql`select count(*)::int as count from approvals where project_id = ${projectId} and binding is not null and status = 'pending' and expires_at > now()`,
    )
  )?.count ?? 0

export const find = (db: Db, projectId: string, id: string): Promise<ApprovalRow | undefined> =>
  db.one(sql`select ${COLUMNS} from approvals where project_id = ${projectId} and id = ${id}`)

/** Begins with an id instead of a project: for those who prove their right otherwise. */
export const projectOf = async (db: Db, id: string): Promise<string | undefined> =>
  (await db.one<{ project_id: string }>(sql`select project_id from approvals where id = ${id}`))?.project_id

/** Decides what is pending. Undefined when it is not, or has no such choice. What was allowed is good for as long again. */
export const decide = (
  tx: Db,
  projectId: string,
  id: string,
  choice: Choice,
  by: string,
): Promise<ApprovalRow | undefined> =>
  tx.one(sql`
  update approvals set status = case when ${choice} = 'deny' then 'denied' else 'approved' end, encrypted_payload = case when ${choice} = 'deny' then null else encrypted_payload end,
    decided_by = ${by}, decided_at = now(), expires_at = now() + make_interval(secs => seconds)
  where project_id = ${projectId} and id = ${id} and status = 'pending' and expires_at > now() and ${choice} = any(choices) returning ${COLUMNS}`)

export async function grant(tx: Db, row: ApprovalRow): Promise<void> {
  const { project_id, session_id, tool_slug, connected_account_id, id: approval_id } = row
  await tx.run(
    sql`insert into approval_grants ${values({ project_id, session_id, tool_slug, account: connected_account_id ?? NO_ACCOUNT, approval_id })} on conflict do nothing`,
  )
}

export const isGranted = async (
  db: Db,
  projectId: string,
  sessionId: string,
  tool: string,
  accountId: string | null,
): Promise<boolean> =>
  (await db.one(sql`
  select 1 from approval_grants where project_id = ${projectId} and session_id = ${sessionId} and tool_slug = ${tool} and account = ${accountId ?? NO_ACCOUNT}`)) !==
  undefined

export async function list(
  db: Db,
  projectId: string,
  status: ApprovalStatus | undefined,
  page: { limit: number; offset: number },
): Promise<{ rows: ApprovalRow[]; total: number }> {
  const where = sql`project_id = ${projectId} and ${status === undefined ? sql`true` : sql`${STATUS} = ${status}`}`
  const rows = await db.rows<ApprovalRow>(
    sql`select ${COLUMNS} from approvals where ${where} order by created_at desc, id limit ${page.limit} offset ${page.offset}`,
  )
  const total = await db.one<{ total: number }>(
    sql`select count(*)::int as total from approvals where ${where}`,
  )
  return { rows, total: total?.total ?? 0 }
}

/** Nothing that is late can be used, and nothing of it is kept that would tell what was asked. Answers how many. */
export const settle = (db: Db, which: Sql): Promise<number> =>
  db.run(sql`
  with late as (update approvals set status = case when status = 'denied' then status else 'expired' end, binding = null, encrypted_payload = null where ${which} returning *)
  insert into approval_decisions (id, project_id, event, approval_id, policy_ids, tool_slug, user_id, connected_account_id, session_id)
  select 'dec_' || replace(gen_random_uuid()::text, '-', ''), project_id, case when status = 'denied' then 'denial_ended' else 'expired' end, id, policy_ids, tool_slug, user_id, connected_account_id, session_id from late`)

const ROWS_A_STATEMENT = 1_000
/** Answers whether there may be more. */
export const settleLate = async (db: Db): Promise<boolean> =>
  (await settle(
    db,
    sql`id in (select id from approvals where binding is not null and expires_at <= now() limit ${ROWS_A_STATEMENT})`,
  )) === ROWS_A_STATEMENT

/** Of approvals that ended, and of decisions, so many days ago. Answers whether there may be more. */
export async function removeOld(db: Db, days: number): Promise<boolean> {
  const old = sql`now() - make_interval(days => ${days})`
  const approvals = await db.run(
    sql`delete from approvals where id in (select id from approvals where binding is null and created_at < ${old} limit ${ROWS_A_STATEMENT})`,
  )
  const decisions = await db.run(
    sql`delete from approval_decisions where id in (select id from approval_decisions where at < ${old} limit ${ROWS_A_STATEMENT})`,
  )
  return approvals === ROWS_A_STATEMENT || decisions === ROWS_A_STATEMENT
}

/** Of sessions that were closed. Answers whether there may be more. */
export const removeGrants = async (db: Db): Promise<boolean> =>
  (await db.run(sql`
  delete from approval_grants where ctid in (
    select g.ctid from approval_grants g where not exists (select 1 from sessions s where s.project_id = g.project_id and s.id = g.session_id and s.deleted_at is null) limit ${ROWS_A_STATEMENT})`)) ===
  ROWS_A_STATEMENT

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

/** A row of the audit. */
export async function note(
  db: Db,
  event: DecisionEvent,
  { projectId, tool, userId, accountId, sessionId }: Called,
  more: { approval_id?: string; policy_ids: readonly string[]; decided_by?: string; log_id?: string },
): Promise<void> {
  await db.run(
    sql`insert into approval_decisions ${values({ id: newId('dec'), project_id: projectId, event, tool_slug: tool, user_id: userId, connected_account_id: accountId, session_id: sessionId, ...more, policy_ids: [...more.policy_ids] })}`,
  )
}

export async function decisions(
  db: Db,
  projectId: string,
  page: { limit: number; offset: number },
): Promise<{ rows: DecisionRow[]; total: number }> {
  const rows = await db.rows<DecisionRow>(sql`
    select id, event, at, approval_id, policy_ids, tool_slug, user_id, connected_account_id, session_id, decided_by as by, log_id from approval_decisions
    where project_id = ${projectId} order by at desc, id limit ${page.limit} offset ${page.offset}`)
  const total = await db.one<{ total: number }>(
    sql`select count(*)::int as total from approval_decisions where project_id = ${projectId}`,
  )
  return { rows, total: total?.total ?? 0 }
}
