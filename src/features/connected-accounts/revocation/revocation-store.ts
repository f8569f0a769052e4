import type { AccountStatus } from '../../../contract/schemes.ts'
import { all, assignments, type Db, sql } from '../../../platform/db/sql.ts'
import { newId } from '../../../platform/ids.ts'
import { changeAccounts, type StatusChangeDeps, TRANSITIONS } from '../state-machine.ts'

export type RevocationStatus = 'pending' | 'done' | 'failed' | 'unsupported'

export interface RevocationRow {
  id: string
  job_id: string
  project_id: string
  connected_account_id: string
  incident_id: string | null
  status: RevocationStatus
  attempts: number
  last_error: string | null
  revoked_tokens: string[]
  encrypted_payload: Buffer | null
  created_at: Date
  finished_at: Date | null
}
const COLUMNS = sql`
  id, job_id, project_id, connected_account_id, incident_id, status, attempts, last_error, revoked_tokens,
  encrypted_payload, created_at, finished_at`

/** Statuses of accounts that can still have a grant at the provider. */
const REVOCABLE_STATUSES: readonly AccountStatus[] = ['ACTIVE', 'INACTIVE']

type AccountId = Readonly<{ id: string; project_id: string }>

/** Inserts a revocation, or returns the pending revocation of the account. */
export async function insertRevocation(db: Db, projectId: string, accountId: string): Promise<RevocationRow> {
  const id = newId('rvk')
  // The update changes nothing; without it, the statement would not return the existing row.
  const row = await db.one<RevocationRow>(sql`
    insert into revocations (id, job_id, project_id, connected_account_id)
    values (${id}, ${id}, ${projectId}, ${accountId})
    on conflict (connected_account_id) where status = 'pending' do update set attempts = revocations.attempts
    returning ${COLUMNS}`)
  return row as RevocationRow
}

/**
 * Inserts a revocation for each account, with one job id. Pending revocations of the accounts join this job.
 */
async function insertRevocations(
  db: Db,
  jobId: string,
  accounts: readonly AccountId[],
  incidentId: string | null,
): Promise<void> {
  const ids = accounts.map(() => newId('rvk'))
  const projectIds = accounts.map((account) => account.project_id)
  const accountIds = accounts.map((account) => account.id)
  await db.run(sql`
    insert into revocations (id, job_id, project_id, connected_account_id, incident_id)
    select n.id, ${jobId}, n.project_id, n.account, ${incidentId}
    from unnest(${ids}::text[], ${projectIds}::text[], ${accountIds}::text[]) as n (id, project_id, account)
    on conflict (connected_account_id) where status = 'pending'
    do update set job_id = excluded.job_id, incident_id = coalesce(excluded.incident_id, revocations.incident_id)`)
}

/** Inserts revocations for all accounts of an auth config that can still have a grant. Returns the job id. */
export async function insertAuthConfigRevocations(
  db: Db,
  projectId: string,
  authConfigId: string,
): Promise<string> {
  const jobId = newId('rvk')
  const accounts = await db.rows<AccountId>(sql`
    select id, project_id from connected_accounts
    where project_id = ${projectId} and auth_config_id = ${authConfigId} and deleted_at is null
      and status = any(${[...REVOCABLE_STATUSES] as string[]}) for update`)
  await insertRevocations(db, jobId, accounts, null)
  return jobId
}

export interface FreezeScope {
  organizationId: string
  projectId?: string | undefined
  toolkit?: string | undefined
  userId?: string | undefined
}

/**
 * Freezes all ACTIVE accounts in the scope, and inserts revocations of their grants. No call can use the
 * accounts after the transaction commits. Returns their number.
 */
export async function freezeAccounts(
  deps: StatusChangeDeps,
  tx: Db,
  incidentId: string,
  { organizationId, projectId, toolkit, userId }: FreezeScope,
  reason: string,
): Promise<number> {
  const frozen = await changeAccounts(deps, tx, {
    where: all(
      sql`c.project_id in (select id from projects where organization_id = ${organizationId})`,
      sql`c.deleted_at is null`,
      sql`c.status = any(${[...TRANSITIONS.freeze.from] as string[]})`,
      projectId !== undefined && sql`c.project_id = ${projectId}`,
      toolkit !== undefined && sql`c.toolkit_slug = ${toolkit}`,
      userId !== undefined && sql`c.user_id = ${userId}`,
    ),
    set: { status: TRANSITIONS.freeze.to, status_reason: reason },
  })
  await insertRevocations(tx, incidentId, frozen, incidentId)
  return frozen.length
}

export const findRevocation = (db: Db, id: string): Promise<RevocationRow | undefined> =>
  db.one(sql`select ${COLUMNS} from revocations where id = ${id}`)

export const countPendingRevocations = async (db: Db, projectId: string): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*)::int as count from revocations where project_id = ${projectId} and status = 'pending'`)
  )?.count ?? 0

/** Lists at most `limit` ids of pending revocations of a job, after the id `after`. */
export async function listPendingIds(db: Db, jobId: string, after: string, limit: number): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    select id from revocations where job_id = ${jobId} and status = 'pending' and id > ${after}
    order by id limit ${limit}`)
  return rows.map(({ id }) => id)
}

/** Lists revocations that are pending for two days: their job has no attempts left. */
export async function listAbandonedIds(db: Db, limit: number): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    select id from revocations where status = 'pending' and created_at < now() - interval '2 days'
    order by created_at limit ${limit}`)
  return rows.map(({ id }) => id)
}

/**
 * Stores a copy of the credentials with the pending revocation of an account, before they are replaced or
 * erased. `encrypt` receives the id of the revocation.
 */
export async function storeCredentialsCopy(
  db: Db,
  projectId: string,
  accountId: string,
  encrypt: (revocationId: string) => Promise<Buffer>,
): Promise<void> {
  const pending = await db.one<{ id: string }>(sql`
    select id from revocations
    where project_id = ${projectId} and connected_account_id = ${accountId} and status = 'pending'
      and encrypted_payload is null for update`)
  if (!pending) return
  await db.run(
    sql`update revocations set encrypted_payload = ${await encrypt(pending.id)} where id = ${pending.id}`,
  )
}

export const countAttempt = (db: Db, id: string, lastError: string): Promise<number> =>
  db.run(sql`
    update revocations set attempts = attempts + 1, last_error = ${lastError}
    where id = ${id} and status = 'pending'`)

/** Ends a revocation with any result, and erases its copy of the credentials. */
export const finishRevocation = (
  db: Db,
  id: string,
  result: {
    status: Exclude<RevocationStatus, 'pending'>
    last_error: string | null
    revoked_tokens?: readonly string[]
  },
): Promise<number> =>
  db.run(sql`
    update revocations set ${assignments({
      ...result,
      attempts: sql`attempts + 1`,
      encrypted_payload: null,
      finished_at: sql`now()`,
    })} where id = ${id} and status = 'pending'`)
