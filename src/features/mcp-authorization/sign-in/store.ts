import { type Db, sql, values } from '../../../platform/db/sql.ts'
import { randomText } from '../../../platform/ids.ts'
import type { Resource } from '../resources.ts'
import { hashOf, newSecret } from '../secrets.ts'

export interface RequestRow {
  id: string
  project_id: string
  resource_kind: Resource['kind']
  resource_id: string
  requested_user_id: string | null
  client_id: string
  client_name: string | null
  redirect_uri: string
  state: string | null
  code_challenge: string
  browser_hash: Buffer
}
/** Requests of one server or session that wait at once. */
const OPEN_MAX = 1_000
const ID_CHARACTERS = 24
const REQUEST_TIME = sql`interval '15 minutes'`
const CODE_TIME = sql`interval '2 minutes'`
const LINK_TIME = sql`interval '10 minutes'`
/** For how long a browser that proved its user is believed. */
const SIGNED_IN_TIME = sql`interval '1 hour'`
const REQUEST = sql`id, project_id, resource_kind, resource_id, requested_user_id, client_id, client_name, redirect_uri, state, code_challenge, browser_hash`

export const resourceOf = ({
  resource_kind: kind,
  resource_id: id,
}: Pick<RequestRow, 'resource_kind' | 'resource_id'>): Resource => ({ kind, id })

/** Answers the id of the request, which is good in the browser that began it only; undefined while too many wait. */
export async function insertRequest(db: Db, row: Omit<RequestRow, 'id'>): Promise<string | undefined> {
  const id = `mrq_${randomText(ID_CHARACTERS)}`
  const open = await db.one<{ count: number }>(
    sql`select count(*)::int as count from mcp_authorizations where resource_kind = ${row.resource_kind} and resource_id = ${row.resource_id} and created_at > now() - ${REQUEST_TIME}`,
  )
  if ((open?.count ?? 0) >= OPEN_MAX) return undefined
  await db.run(
    sql`insert into mcp_authorizations ${values({ ...row, id, expires_at: sql`now() + ${REQUEST_TIME}` })}`,
  )
  return id
}

/** Begins without a project: the browser that asked names none. Undefined once it is decided or late. */
export const findRequest = (db: Db, id: string): Promise<RequestRow | undefined> =>
  db.one(
    sql`select ${REQUEST} from mcp_authorizations where id = ${id} and decided_at is null and expires_at > now()`,
  )

/** Decides a request, once. Answers the code, which is stored nowhere, unless it was refused; undefined when it was decided before. */
export async function decide(
  db: Db,
  { project_id: projectId, id }: RequestRow,
  userId: string | undefined,
): Promise<{ code: string | undefined } | undefined> {
  const code = userId === undefined ? undefined : newSecret('code')
  const done = await db.run(sql`
    update mcp_authorizations set decided_at = now(), user_id = ${userId ?? null}, code_hash = ${code === undefined ? null : hashOf(code)}, code_expires_at = now() + ${CODE_TIME}
    where project_id = ${projectId} and id = ${id} and decided_at is null and expires_at > now()`)
  return done ? { code } : undefined
}

export type CodeRow = RequestRow & { user_id: string; grant_id: string | null; late: boolean }
/** The request that a code was given for, locked until the transaction ends. */
export const byCode = (db: Db, code: string): Promise<CodeRow | undefined> =>
  db.one(sql`
  select ${REQUEST}, user_id, grant_id, code_expires_at < now() as late from mcp_authorizations where code_hash = ${hashOf(code)} for update`)
export const exchanged = (
  db: Db,
  { project_id: projectId, id }: RequestRow,
  grantId: string,
): Promise<number> =>
  db.run(sql`
  update mcp_authorizations set grant_id = ${grantId} where project_id = ${projectId} and id = ${id}`)

export interface SignIn {
  projectId: string
  resource: Resource
  userId: string
}
export type LinkRow = {
  token_hash: Buffer
  project_id: string
  resource_kind: Resource['kind']
  resource_id: string
  user_id: string
  authorization_id: string | null
}

/** Answers the token of a link, which is stored nowhere. */
export async function insertLink(
  db: Db,
  { projectId, resource, userId }: SignIn,
  requestId: string | null,
): Promise<{ token: string; expiresAt: Date }> {
  const token = newSecret('signIn')
  const row = await db.one<{ expires_at: Date }>(
    sql`insert into mcp_sign_ins ${values({
      token_hash: hashOf(token),
      project_id: projectId,
      resource_kind: resource.kind,
      resource_id: resource.id,
      user_id: userId,
      authorization_id: requestId,
      expires_at: sql`now() + ${LINK_TIME}`,
    })} returning expires_at`,
  )
  return { token, expiresAt: row!.expires_at }
}

/** A browser whose user proved who it is without a link. */
export const insertSignIn = (
  db: Db,
  { projectId, resource, userId }: SignIn,
  browserHash: Buffer,
): Promise<number> =>
  db.run(
    sql`insert into mcp_sign_ins ${values({
      token_hash: hashOf(newSecret('signIn')),
      project_id: projectId,
      resource_kind: resource.kind,
      resource_id: resource.id,
      user_id: userId,
      browser_hash: browserHash,
      used_at: sql`now()`,
      expires_at: sql`now()`,
    })}`,
  )

/** A link that can still be followed. */
export const findLink = (db: Db, token: string): Promise<LinkRow | undefined> =>
  db.one(sql`
  select token_hash, project_id, resource_kind, resource_id, user_id, authorization_id from mcp_sign_ins where token_hash = ${hashOf(token)} and used_at is null and expires_at > now()`)

/** Follows a link, once; from then on the browser is its user's. */
export const useLink = (
  db: Db,
  { project_id: projectId, token_hash: hash }: LinkRow,
  browserHash: Buffer,
): Promise<number> =>
  db.run(sql`
  update mcp_sign_ins set used_at = now(), browser_hash = ${browserHash} where project_id = ${projectId} and token_hash = ${hash} and used_at is null and expires_at > now()`)

/** Who sits at the browser, as far as this server or session knows; of several the latest. */
export const signedIn = (
  db: Db,
  { project_id: projectId, resource_kind: kind, resource_id: id, requested_user_id: asked }: RequestRow,
  browserHash: Buffer,
): Promise<{ user_id: string } | undefined> =>
  db.one(sql`
  select user_id from mcp_sign_ins where browser_hash = ${browserHash} and used_at > now() - ${SIGNED_IN_TIME} and project_id = ${projectId} and resource_kind = ${kind} and resource_id = ${id}
  order by user_id is not distinct from ${asked} desc, used_at desc limit 1`)

/** The browser's latest open request for the same; who followed a link goes on there. */
export const openRequestOf = (
  db: Db,
  { project_id: projectId, resource_kind: kind, resource_id: id }: LinkRow,
  browserHash: Buffer,
): Promise<RequestRow | undefined> =>
  db.one(sql`
  select ${REQUEST} from mcp_authorizations where browser_hash = ${browserHash} and project_id = ${projectId} and resource_kind = ${kind} and resource_id = ${id} and decided_at is null and expires_at > now()
  order by created_at desc limit 1`)

/** Sign-ins and requests that are over. A request stays a day longer than it is open: a code that comes twice ends what it was exchanged for. */
export async function removeOld(db: Db): Promise<void> {
  await db.run(sql`delete from mcp_authorizations where expires_at < now() - interval '1 day'`)
  await db.run(sql`delete from mcp_sign_ins where expires_at < now() - interval '1 day'`)
}
