import type { AccountStatus } from '../../contract/schemes.ts'
import { all, assignments, type Db, sql } from '../../platform/db/sql.ts'
import { newId } from '../../platform/ids.ts'
import { MOVES } from './lifecycle.ts'

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
  sealed: Buffer | null
  created_at: Date
  finished_at: Date | null
}
const COLUMNS = sql`id, job_id, project_id, connected_account_id, incident_id, status, attempts, last_error, revoked_tokens, sealed, created_at, finished_at`

/** Statuses of accounts that still hold something a provider could take back. */
const REVOCABLE: readonly AccountStatus[] = ['ACTIVE', 'INACTIVE']

/** The pending revocation of an account that is there already, or a new one; answers its row. */
export async function add(db: Db, projectId: string, accountId: string): Promise<RevocationRow> {
  const id = newId('rvk')
  // The update that changes nothing makes the statement answer the row that was there.
  return (await db.one<RevocationRow>(sql`
    insert into revocations (id, job_id, project_id, connected_account_id) values (${id}, ${id}, ${projectId}, ${accountId})
    on conflict (connected_account_id) where status = 'pending' do update set attempts = revocations.attempts returning ${COLUMNS}`)) as RevocationRow
}

/** A revocation for each of these accounts, under one job id; those that have one pending join this job. */
async function addMany(
  db: Db,
  jobId: string,
  accounts: readonly { id: string; project_id: string }[],
  incidentId: string | null,
): Promise<void> {
  const ids = accounts.map(() => newId('rvk'))
  await db.run(sql`
    insert into revocations (id, job_id, project_id, connected_account_id, incident_id)
    select n.id, ${jobId}, n.project_id, n.account, ${incidentId}
    from unnest(${ids}::text[], ${accounts.map((one) => one.project_id)}::text[], ${accounts.map((one) => one.id)}::text[]) as n (id, project_id, account)
    on conflict (connected_account_id) where status = 'pending' do update set job_id = excluded.job_id, incident_id = coalesce(excluded.incident_id, revocations.incident_id)`)
}

/** For every account of an auth config that may still hold a grant. Answers the job id. */
export async function addForConfig(db: Db, projectId: string, authConfigId: string): Promise<string> {
  const jobId = newId('rvk')
  const accounts = await db.rows<{ id: string; project_id: string }>(sql`
    select id, project_id from connected_accounts
    where project_id = ${projectId} and auth_config_id = ${authConfigId} and deleted_at is null and status = any(${[...REVOCABLE] as string[]}) for update`)
  await addMany(db, jobId, accounts, null)
  return jobId
}

export interface FreezeScope {
  organizationId: string
  projectId?: string | undefined
  toolkit?: string | undefined
  userId?: string | undefined
}

/** Stops every ACTIVE account in the scope in one statement, and puts down that its grant is to be ended. Answers how many; none of them can be used once this commits. */
export async function freeze(
  db: Db,
  incidentId: string,
  scope: FreezeScope,
  reason: string,
): Promise<number> {
  const { organizationId, projectId, toolkit, userId } = scope
  const frozen = await db.rows<{ id: string; project_id: string }>(sql`
    update connected_accounts c set status = ${MOVES.freeze.to}, status_reason = ${reason}, updated_at = now()
    from projects p
    where ${all(
      sql`p.id = c.project_id`,
      sql`p.organization_id = ${organizationId}`,
      sql`c.deleted_at is null`,
      sql`c.status = any(${[...MOVES.freeze.from] as string[]})`,
      projectId !== undefined && sql`c.project_id = ${projectId}`,
      toolkit !== undefined && sql`c.toolkit_slug = ${toolkit}`,
      userId !== undefined && sql`c.user_id = ${userId}`,
    )} returning c.id, c.project_id`)
  await addMany(db, incidentId, frozen, incidentId)
  return frozen.length
}

export const find = (db: Db, id: string): Promise<RevocationRow | undefined> =>
  db.one(sql`select ${COLUMNS} from revocations where id = ${id}`)
/** As `find`, and nobody else changes it before the transaction ends. */
export const findForUpdate = (db: Db, id: string): Promise<RevocationRow | undefined> =>
  db.one(sql`select ${COLUMNS} from revocations where id = ${id} for update`)

/** Ids of a job that are still to be done, in portions. */
export const pendingOf = async (db: Db, jobId: string, after: string, most: number): Promise<string[]> =>
  (
    await db.rows<{ id: string }>(sql`
  select id from revocations where job_id = ${jobId} and status = 'pending' and id > ${after} order by id limit ${most}`)
  ).map(({ id }) => id)

/** Ids that should long have been done; their job was lost with the last of its tries. */
export const forgotten = async (db: Db, most: number): Promise<string[]> =>
  (
    await db.rows<{ id: string }>(sql`
  select id from revocations where status = 'pending' and created_at < now() - interval '2 days' order by created_at limit ${most}`)
  ).map(({ id }) => id)

/** The credentials of this account are about to be replaced or wiped: a revocation that has not happened keeps a copy of what it needs. `seal` is given its id. */
export async function keepCopy(
  db: Db,
  projectId: string,
  accountId: string,
  seal: (revocationId: string) => Buffer,
): Promise<void> {
  const waiting = await db.one<{ id: string }>(sql`
    select id from revocations where project_id = ${projectId} and connected_account_id = ${accountId} and status = 'pending' and sealed is null for update`)
  if (waiting) await db.run(sql`update revocations set sealed = ${seal(waiting.id)} where id = ${waiting.id}`)
}

export const tried = (db: Db, id: string, lastError: string): Promise<number> =>
  db.run(sql`
  update revocations set attempts = attempts + 1, last_error = ${lastError} where id = ${id} and status = 'pending'`)

/** The end of it, whatever it was: the copy of the credentials goes. */
export const finish = (
  db: Db,
  id: string,
  end: {
    status: Exclude<RevocationStatus, 'pending'>
    last_error: string | null
    revoked_tokens?: readonly string[]
  },
): Promise<number> =>
  db.run(sql`
  update revocations set ${assignments({ ...end, attempts: sql`attempts + 1`, sealed: null, finished_at: sql`now()` })} where id = ${id} and status = 'pending'`)
