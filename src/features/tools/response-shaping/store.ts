import { runBatch } from '../../../platform/db/run-batch.ts'
import { type Db, sql } from '../../../platform/db/sql.ts'

/** How long the pages of a response can be read, in minutes. */
const PAGE_MINUTES = 60

/** A row: one or more pages that are encrypted together. */
export interface PageSegment {
  id: string
  first_page: number
  last_page: number
  /** Base64. */
  encrypted_payload: string
}

export interface PageRow {
  id: string
  first_page: number
  encrypted_payload: Buffer
  /** The number of pages of the response. */
  pages: number
  expires_at: Date
}

/** Stores the pages of a response and returns when they expire. Returns undefined if the project stores too much. */
export async function insertPages(
  db: Db,
  projectId: string,
  responseId: string,
  segments: readonly PageSegment[],
  bytesMax: number,
): Promise<Date | undefined> {
  const row = await db.one<{ expires_at: Date }>(sql`
    insert into response_pages (id, project_id, response_id, first_page, last_page, encrypted_payload, expires_at)
    select s.id, ${projectId}, ${responseId}, s.first_page, s.last_page, decode(s.encrypted_payload, 'base64'),
      now() + make_interval(mins => ${PAGE_MINUTES})
    from json_to_recordset(${JSON.stringify(segments)}::json)
      as s (id text, first_page int, last_page int, encrypted_payload text)
    where (
      select coalesce(sum(octet_length(encrypted_payload)), 0) from response_pages
      where project_id = ${projectId} and expires_at > now()) < ${bytesMax}
    returning expires_at`)
  return row?.expires_at
}

/** Returns the row that contains a page. */
export const findPage = (
  db: Db,
  projectId: string,
  responseId: string,
  page: number,
): Promise<PageRow | undefined> =>
  db.one(sql`
    select id, first_page, encrypted_payload, expires_at, (
      select max(last_page) from response_pages
      where project_id = ${projectId} and response_id = ${responseId}) as pages
    from response_pages
    where project_id = ${projectId} and response_id = ${responseId} and first_page <= ${page}
      and last_page >= ${page} and expires_at > now()`)

/** Removes a batch of expired pages. Returns whether there may be more. */
export const removeExpiredPages = (db: Db): Promise<boolean> =>
  runBatch(
    db,
    (limit) => sql`
    delete from response_pages where id in (
      select id from response_pages where expires_at < now() limit ${limit})`,
  )
