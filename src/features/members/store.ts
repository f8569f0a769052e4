import type { ProjectRole } from '../../contract/members.ts'
import { type Db, sql, values } from '../../platform/db/sql.ts'

export interface MemberRow {
  id: string
  organization_id: string
  email: string
  name: string
  role: 'owner' | 'admin' | 'member'
  password_hash: string | null
  last_sign_in_at: Date | null
  created_at: Date
  projects: { project_id: string; role: ProjectRole }[]
  has_second_factor: boolean
  /** Whether the member signs in at an identity provider. */
  has_identity: boolean
}

const SELECT = sql`
  select m.id, m.organization_id, m.email, m.name, m.role, m.password_hash, m.last_sign_in_at, m.created_at,
    exists (select from member_totp t where t.member_id = m.id and t.confirmed_at is not null) as has_second_factor,
    exists (select from member_identities i where i.member_id = m.id) as has_identity,
    coalesce((select jsonb_agg(jsonb_build_object('project_id', r.project_id, 'role', r.role) order by r.project_id)
      from member_roles r where r.member_id = m.id), '[]') as projects
  from members m`

export const listMembers = (db: Db, organizationId: string): Promise<MemberRow[]> =>
  db.rows(sql`${SELECT} where m.organization_id = ${organizationId} order by lower(m.email)`)

export const listMemberNames = (
  db: Db,
  organizationId: string,
  ids: readonly string[],
): Promise<{ id: string; name: string }[]> =>
  db.rows(sql`
    select id, name from members where organization_id = ${organizationId} and id = any(${ids as string[]})`)

export const findMember = (db: Db, organizationId: string, id: string): Promise<MemberRow | undefined> =>
  db.one(sql`${SELECT} where m.organization_id = ${organizationId} and m.id = ${id}`)

/** Finds a member by e-mail address, in any organization: a server has one. */
export const findMemberByEmail = (db: Db, email: string): Promise<MemberRow | undefined> =>
  db.one(sql`${SELECT} where lower(m.email) = lower(${email}) order by m.created_at, m.id limit 1`)

export const hasMembers = async (db: Db): Promise<boolean> =>
  (await db.one(sql`select 1 from members limit 1`)) !== undefined

export const insertMember = (
  db: Db,
  row: Pick<MemberRow, 'id' | 'organization_id' | 'email' | 'name' | 'role'>,
): Promise<number> => db.run(sql`insert into members ${values({ ...row })}`)

export const updateMember = (
  db: Db,
  id: string,
  { name, role }: { name?: string | undefined; role?: MemberRow['role'] | undefined },
): Promise<number> =>
  db.run(sql`
  update members set name = coalesce(${name ?? null}, name), role = coalesce(${role ?? null}, role), updated_at = now()
  where id = ${id}`)

export const setPassword = (db: Db, id: string, passwordHash: string): Promise<number> =>
  db.run(sql`update members set password_hash = ${passwordHash}, updated_at = now() where id = ${id}`)

export const recordSignIn = (db: Db, id: string, now: Date): Promise<number> =>
  db.run(sql`update members set last_sign_in_at = ${now} where id = ${id}`)

export const deleteMember = (db: Db, id: string): Promise<number> =>
  db.run(sql`delete from members where id = ${id}`)

/** Locks the owners, so that two concurrent changes cannot remove the last two. Returns their ids. */
export const lockOwners = async (db: Db, organizationId: string): Promise<string[]> =>
  (
    await db.rows<{ id: string }>(
      sql`select id from members where organization_id = ${organizationId} and role = 'owner' order by id for update`,
    )
  ).map(({ id }) => id)

export async function replaceRoles(db: Db, memberId: string, projects: MemberRow['projects']): Promise<void> {
  await db.run(sql`delete from member_roles where member_id = ${memberId}`)
  await db.run(sql`
    insert into member_roles (member_id, project_id, role)
    select ${memberId}, project_id, role
    from jsonb_to_recordset(${JSON.stringify(projects)}::jsonb) as r (project_id text, role text)`)
}

export interface LinkRow {
  organization_id: string
  member_id: string | null
}

export const insertLink = (
  db: Db,
  row: LinkRow & { token_hash: Buffer; expires_at: Date },
): Promise<number> => db.run(sql`insert into member_links ${values({ ...row })}`)

export const findLink = (db: Db, tokenHash: Buffer, now: Date): Promise<LinkRow | undefined> =>
  db.one(
    sql`select organization_id, member_id from member_links where token_hash = ${tokenHash} and expires_at > ${now}`,
  )

/** Uses up a link. Of several concurrent calls, one receives it. */
export const takeLink = (db: Db, tokenHash: Buffer, now: Date): Promise<LinkRow | undefined> =>
  db.one(sql`
  delete from member_links where token_hash = ${tokenHash} and expires_at > ${now}
  returning organization_id, member_id`)

export const deleteLinksOf = (db: Db, memberId: string): Promise<number> =>
  db.run(sql`delete from member_links where member_id = ${memberId}`)

export const deleteExpiredLinks = (db: Db, now: Date): Promise<number> =>
  db.run(sql`delete from member_links where expires_at <= ${now}`)

export const findMemberOfPasskey = (db: Db, passkeyId: string): Promise<MemberRow | undefined> =>
  db.one(sql`${SELECT} where m.id = (select member_id from member_passkeys where id = ${passkeyId})`)
