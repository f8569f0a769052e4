import { type Db, sql, values } from '../../platform/db/sql.ts'

export interface SessionRow {
  id: string
  organization_id: string
  key_id: string | null
  member_id: string | null
  ip: string
  user_agent: string
  created_at: Date
  last_used_at: Date
  expires_at: Date
}
const COLUMNS = sql`id, organization_id, key_id, member_id, ip, user_agent, created_at, last_used_at, expires_at`

export const insertSession = (
  db: Db,
  row: Omit<SessionRow, 'created_at' | 'last_used_at'> & {
    token_hash: Buffer
    provider_revision: string | null
  },
): Promise<number> => db.run(sql`insert into console_sessions ${values({ ...row })}`)

/** Finds a session that is neither too old nor idle for too long at `now`. */
export const findSession = (
  db: Db,
  tokenHash: Buffer,
  { now, usedAfter }: { now: Date; usedAfter: Date },
): Promise<SessionRow | undefined> =>
  db.one(sql`
  select ${COLUMNS} from console_sessions
  where token_hash = ${tokenHash} and expires_at > ${now} and last_used_at > ${usedAfter}`)

export const touchSession = (db: Db, id: string, now: Date): Promise<number> =>
  db.run(sql`update console_sessions set last_used_at = ${now} where id = ${id}`)

export const deleteSession = (db: Db, id: string): Promise<number> =>
  db.run(sql`delete from console_sessions where id = ${id}`)

/** Deletes sessions that can no longer be used. */
export const deleteExpiredSessions = (
  db: Db,
  { now, usedAfter }: { now: Date; usedAfter: Date },
): Promise<number> =>
  db.run(sql`delete from console_sessions where expires_at <= ${now} or last_used_at <= ${usedAfter}`)

/** Lists the sessions of one member or key that can be used, the last used first. */
export const listSessions = (
  db: Db,
  { key_id, member_id }: Pick<SessionRow, 'key_id' | 'member_id'>,
  { now, usedAfter }: { now: Date; usedAfter: Date },
): Promise<SessionRow[]> =>
  db.rows(sql`
  select ${COLUMNS} from console_sessions
  where (key_id = ${key_id} or member_id = ${member_id}) and expires_at > ${now} and last_used_at > ${usedAfter}
  order by last_used_at desc, id`)

/** Ends the sessions of a member, except one. */
export const deleteSessionsOfMember = (db: Db, memberId: string, exceptId: string | null): Promise<number> =>
  db.run(sql`
  delete from console_sessions where member_id = ${memberId} and (${exceptId}::text is null or id <> ${exceptId})`)

/** Whether a member has a session that can be used and began at a revision of the identity provider. */
export const hasSessionOfProvider = async (
  db: Db,
  { memberId, revision }: { memberId: string; revision: string },
  { now, usedAfter }: { now: Date; usedAfter: Date },
): Promise<boolean> =>
  (await db.one(sql`
    select 1 from console_sessions
    where member_id = ${memberId} and provider_revision = ${revision} and expires_at > ${now}
      and last_used_at > ${usedAfter} limit 1`)) !== undefined

/** Ends the sessions of an organization that did not begin at a revision of its identity provider. */
export const deleteSessionsOfOtherProviders = (
  tx: Db,
  organizationId: string,
  revision: string,
): Promise<number> =>
  tx.run(sql`
  delete from console_sessions
  where organization_id = ${organizationId} and provider_revision is distinct from ${revision}`)

/**
 * Marks a challenge as used. Returns false if it was used before. Only challenges of browsers that received one are
 * stored, until they expire.
 */
export const useChallenge = async (db: Db, hash: Buffer, expiresAt: Date): Promise<boolean> =>
  (await db.run(sql`
  insert into used_challenges (challenge_hash, expires_at) values (${hash}, ${expiresAt}) on conflict do nothing`)) ===
  1

export const deleteExpiredChallenges = (db: Db, now: Date): Promise<number> =>
  db.run(sql`delete from used_challenges where expires_at <= ${now}`)
