import type { UploadRequest } from '../../contract/files.ts'
import type { EncryptedValue } from '../../platform/db/encrypted-value.ts'
import { all, type Db, sql, values } from '../../platform/db/sql.ts'
import { newestFirst, type PageWindow, readListPage } from '../../platform/list-page.ts'

export interface FileRow {
  id: string
  project_id: string
  kind: 'request' | 'result' | 'mount'
  object_key: string
  toolkit_slug: string
  tool_slug: string
  filename: string
  mimetype: string
  md5: string
  size: number | null
  uploaded_at: Date | null
  expires_at: Date
  /** Only for files of a session. */
  session_id: string | null
  mount_path: string | null
  /** Null for files of earlier releases, whose bytes are not encrypted. */
  encrypted_key: Buffer | null
}

/** A file as it is inserted, with the key that encrypts its bytes. */
type NewFileRow<Column extends keyof FileRow> = Pick<FileRow, Column> & { encrypted_key: EncryptedValue }

export const FILE_COLUMNS = sql`id, project_id, kind, object_key, toolkit_slug, tool_slug, filename, mimetype, md5,
    size, uploaded_at, expires_at, session_id, mount_path, encrypted_key`

/** Inserts an upload request, or returns an equal one and extends its expiry to at least `expiresAt`. */
export const upsertRequest = async (
  db: Db,
  projectId: string,
  row: UploadRequest & NewFileRow<'id' | 'object_key'>,
  expiresAt: Date,
): Promise<FileRow> =>
  (await db.one<FileRow>(sql`
  insert into files ${values({
    id: row.id,
    project_id: projectId,
    kind: 'request',
    object_key: row.object_key,
    encrypted_key: row.encrypted_key,
    toolkit_slug: row.toolkit_slug,
    tool_slug: row.tool_slug,
    filename: row.filename,
    mimetype: row.mimetype,
    md5: row.md5,
    expires_at: expiresAt,
  })}
  on conflict (project_id, toolkit_slug, tool_slug, md5, filename, mimetype) where kind = 'request'
    do update set expires_at = greatest(files.expires_at, excluded.expires_at)
  returning ${FILE_COLUMNS}`)) as FileRow

export const insertResult = (
  db: Db,
  row: NewFileRow<
    Exclude<keyof FileRow, 'kind' | 'uploaded_at' | 'session_id' | 'mount_path' | 'encrypted_key'>
  >,
): Promise<number> =>
  db.run(sql`insert into files ${values({ ...row, kind: 'result', uploaded_at: sql`now()` as never })}`)

export const findFile = (db: Db, projectId: string, id: string): Promise<FileRow | undefined> =>
  db.one(sql`select ${FILE_COLUMNS} from files where project_id = ${projectId} and id = ${id}`)

export const findFileByKey = (db: Db, projectId: string, key: string): Promise<FileRow | undefined> =>
  db.one(sql`select ${FILE_COLUMNS} from files where project_id = ${projectId} and object_key = ${key}`)

/**
 * Gives a file that an earlier release registered, and whose content is not uploaded yet, a key; of two, the first
 * remains. Returns the file.
 */
export const assignKey = (
  db: Db,
  projectId: string,
  id: string,
  key: EncryptedValue,
): Promise<FileRow | undefined> =>
  db.one(sql`
  update files set encrypted_key = coalesce(encrypted_key, ${key}::bytea)
    where project_id = ${projectId} and id = ${id} and uploaded_at is null returning ${FILE_COLUMNS}`)

/** Marks a file as uploaded. Returns false if it was uploaded before. */
export const markUploaded = async (
  db: Db,
  projectId: string,
  id: string,
  size: number,
  expiresAt: Date,
): Promise<boolean> =>
  (await db.run(sql`
  update files set size = ${size}, uploaded_at = now(), expires_at = greatest(expires_at, ${expiresAt})
    where project_id = ${projectId} and id = ${id} and uploaded_at is null`)) > 0

/** Returns what a project stores, or the mounts of one session of it. */
export const readUsage = async (
  db: Db,
  projectId: string,
  sessionId?: string,
): Promise<{ files: number; bytes: number }> =>
  (await db.one<{ files: number; bytes: number }>(sql`
  select count(*)::int as files, coalesce(sum(size), 0)::bigint as bytes from files
    where ${all(sql`project_id = ${projectId}`, sessionId !== undefined && sql`session_id = ${sessionId}`)}`)) as {
    files: number
    bytes: number
  }

export async function listFiles(
  db: Db,
  projectId: string,
  filter: { toolkit?: string | undefined; tool?: string | undefined },
  page: PageWindow,
) {
  const where = all(
    sql`project_id = ${projectId}`,
    sql`kind <> 'mount'`,
    sql`uploaded_at is not null`,
    sql`expires_at > now()`,
    filter.toolkit !== undefined && sql`lower(toolkit_slug) = lower(${filter.toolkit})`,
    filter.tool !== undefined && sql`lower(tool_slug) = lower(${filter.tool})`,
  )
  const query = { columns: FILE_COLUMNS, from: sql`files`, where, order: newestFirst() }
  return readListPage<FileRow>(db, query, page)
}

/**
 * Reads expired files of all projects and locks them until the transaction ends: an equal upload request
 * waits, and then creates a new file.
 */
export const lockExpiredFiles = (tx: Db, limit: number): Promise<Pick<FileRow, 'id' | 'object_key'>[]> =>
  tx.rows(sql`
  select id, object_key from files where expires_at < now() order by expires_at limit ${limit} for update skip locked`)

/** Reads files of a project and locks them until the transaction ends. */
export const lockProjectFiles = (
  tx: Db,
  projectId: string,
  limit: number,
): Promise<Pick<FileRow, 'id' | 'object_key'>[]> =>
  tx.rows(sql`select id, object_key from files where project_id = ${projectId} limit ${limit} for update`)

export const deleteFiles = (tx: Db, ids: readonly string[]): Promise<number> =>
  tx.run(sql`delete from files where id = any(${[...ids]})`)
