import { type Db, sql } from '../../../platform/db/sql.ts'

/** How long the pages of an answer can be fetched, in minutes. */
export const KEPT_MINUTES = 60

export interface Segment {
  id: string
  first_page: number
  last_page: number
  encrypted_payload: string
}

/** Writes the pages of an answer, and says until when they are there; undefined, and nothing is written, when the project keeps too much already. */
export async function insert(
  db: Db,
  projectId: string,
  responseId: string,
  segments: readonly Segment[],
  bytesMax: number,
): Promise<Date | undefined> {
  const row = await db.one<{ expires_at: Date }>(sql`
    insert into response_pages (id, project_id, response_id, first_page, last_page, encrypted_payload, expires_at)
    select s.id, ${projectId}, ${responseId}, s.first_page, s.last_page, decode(s.encrypted_payload, 'base64'), now() + make_interval(mins => ${KEPT_MINUTES})
    from json_to_recordset(${JSON.stringify(segments)}::json) as s (id text, first_page int, last_page int, encrypted_payload text)
    where (select coalesce(sum(octet_length(encrypted_payload)), 0) from response_pages where project_id = ${projectId} and expires_at > now()) < ${bytesMax}
    returning expires_at`)
  return row?.expires_at
}

/** The rows that hold this page, and the last page of the answer. */
export const find = (
  db: Db,
  projectId: string,
  responseId: string,
  page: number,
): Promise<{ id: string; first_page: number; encrypted_payload: Buffer; pages: number; expires_at: Date } | undefined> =>
  db.one(sql`
  select id, first_page, encrypted_payload, expires_at, (select max(last_page) from response_pages where project_id = ${projectId} and response_id = ${responseId}) as pages
  from response_pages where project_id = ${projectId} and response_id = ${responseId} and first_page <= ${page} and last_page >= ${page} and expires_at > now()`)

const ROWS_A_STATEMENT = 1_000

/** Answers whether there may be more. */
export const removeOld = async (db: Db): Promise<boolean> =>
  (await db.run(sql`
  delete from response_pages where id in (select id from response_pages where expires_at < now() limit ${ROWS_A_STATEMENT})`)) ===
  ROWS_A_STATEMENT
