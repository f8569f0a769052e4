import { type Db, sql } from '../../../platform/db/sql.ts'

export const findMemberIdOfIdentity = async (
  db: Db,
  issuer: string,
  subject: string,
): Promise<string | undefined> =>
  (
    await db.one<{ member_id: string }>(
      sql`select member_id from member_identities where issuer = ${issuer} and subject = ${subject}`,
    )
  )?.member_id

/** Stores that a person of a provider is this member, unless it is stored already. */
export const insertIdentity = (
  db: Db,
  { issuer, subject, member_id }: { issuer: string; subject: string; member_id: string },
): Promise<number> =>
  db.run(sql`
  insert into member_identities (issuer, subject, member_id) values (${issuer}, ${subject}, ${member_id})
  on conflict do nothing`)
