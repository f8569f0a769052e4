import { type Db, escapeLike, sql } from '../../platform/db/sql.ts'

export interface UserRow {
  user_id: string
  accounts: number
  active_accounts: number
  sessions: number
  last_call_at: Date | null
}

export interface DeletionRow {
  id: string
  project_id: string
  user_id: string
  status: 'pending' | 'done' | 'failed'
  removed: Record<string, number>
  last_error: string | null
  created_at: Date
  finished_at: Date | null
}
const DELETION_COLUMNS = sql`id, project_id, user_id, status, removed, last_error, created_at, finished_at`

/** Ids of users in their order. `last`: the id after which the next portion continues; undefined at the end. */
export interface UserIdPortion {
  ids: string[]
  last: string | undefined
}

/**
 * Reads up to `count` ids after `after`, and returns up to `limit` of those that contain `search`. Each step of the
 * recursion reads the next id from three indexes, not the executions of each user.
 */
export async function listUserIds(
  db: Db,
  projectId: string,
  {
    after,
    search,
    count,
    limit,
  }: { after: string; search: string | undefined; count: number; limit: number },
): Promise<UserIdPortion> {
  const next = (previous: ReturnType<typeof sql>) => sql`(
    select min(user_id) from (
      (select user_id from connected_accounts c where project_id = ${projectId} and deleted_at is null
        and user_id > ${previous} order by user_id limit 1)
      union all
      (select user_id from sessions s where project_id = ${projectId} and deleted_at is null
        and user_id > ${previous} order by user_id limit 1)
      union all
      (select user_id from tool_executions e where project_id = ${projectId} and user_id is not null
        and user_id > ${previous} order by user_id limit 1)) n)`
  const matches = search ? sql`user_id ilike ${`%${escapeLike(search)}%`}` : sql`true`
  const rows = await db.rows<{ user_id: string; n: number; matches: boolean }>(sql`
    with recursive ids (user_id, n) as (
      select ${next(sql`${after}::text`)}, 1
      union all
      select ${next(sql`ids.user_id`)}, n + 1 from ids where ids.user_id is not null and n < ${count}
    )
    select user_id, n, ${matches} as matches from ids
    where user_id is not null and (${matches} or n = ${count}) limit ${limit + 1}`)
  const last = rows.at(-1)
  const ids = rows.filter((row) => row.matches).map((row) => row.user_id)
  // The limit ended the recursion, or the last id of the portion was read.
  const isCut = rows.length > limit || last?.n === count
  return { ids: ids.slice(0, limit), last: isCut ? (ids[limit - 1] ?? last?.user_id) : undefined }
}

/** Returns a row for each user, in the order of their ids. It is all zero for an id that the project does not have. */
export const readUserRows = (db: Db, projectId: string, userIds: readonly string[]): Promise<UserRow[]> =>
  db.rows(sql`
    select u.user_id, coalesce(c.accounts, 0)::int as accounts,
      coalesce(c.active_accounts, 0)::int as active_accounts, s.sessions, l.created_at as last_call_at
    from (
      select ${projectId}::text as project_id, user_id from unnest(${userIds as string[]}::text[]) user_id) u
    left join lateral (
      select count(*)::int as accounts, count(*) filter (where status = 'ACTIVE')::int as active_accounts
      from connected_accounts c
      where project_id = u.project_id and user_id = u.user_id and deleted_at is null) c on true
    left join lateral (
      select count(*)::int as sessions from sessions s
      where project_id = u.project_id and user_id = u.user_id and deleted_at is null) s on true
    left join lateral (
      select created_at from tool_executions l where project_id = u.project_id and user_id = u.user_id
      order by created_at desc limit 1) l on true
    order by u.user_id`)

/** Inserts a deletion. Returns undefined if one of this user is pending. */
export const insertDeletion = (
  tx: Db,
  projectId: string,
  userId: string,
  id: string,
): Promise<DeletionRow | undefined> =>
  tx.one(sql`
    insert into user_deletions (id, project_id, user_id) values (${id}, ${projectId}, ${userId})
    on conflict do nothing returning ${DELETION_COLUMNS}`)

/** Finds the latest deletion of a user. */
export const findLatestDeletion = (
  db: Db,
  projectId: string,
  userId: string,
): Promise<DeletionRow | undefined> =>
  db.one(sql`
    select ${DELETION_COLUMNS} from user_deletions where project_id = ${projectId} and user_id = ${userId}
    order by created_at desc limit 1`)

/** Finds a deletion for the background job, which knows its id only. */
export const findDeletion = (db: Db, id: string): Promise<DeletionRow | undefined> =>
  db.one(sql`select ${DELETION_COLUMNS} from user_deletions where id = ${id}`)

/** Adds a number of removed objects. */
export const countRemoved = (db: Db, id: string, kind: string, count: number): Promise<number> =>
  db.run(sql`
    update user_deletions
    set removed = removed || jsonb_build_object(${kind}::text, coalesce((removed->>${kind}::text)::int, 0) + ${count})
    where id = ${id}`)

/** Ends a deletion. Returns what was removed, or undefined if it had ended before. */
export const finishDeletion = async (
  db: Db,
  id: string,
  status: 'done' | 'failed',
  lastError: string | null,
): Promise<Record<string, number> | undefined> =>
  (
    await db.one<{ removed: Record<string, number> }>(sql`
      update user_deletions set status = ${status}, last_error = ${lastError}, finished_at = now()
      where id = ${id} and status = 'pending' returning removed`)
  )?.removed
