import type { EncryptedValue } from '../../../platform/db/encrypted-value.ts'
import { type Db, escapeLike, sql, values } from '../../../platform/db/sql.ts'
import { FILE_COLUMNS, type FileRow } from '../store.ts'

export interface MountFile {
  id: string
  mount_path: string
  filename: string
  size: number
  uploaded_at: Date
}
const COLUMNS = sql`id, mount_path, filename, size, uploaded_at`
const isThere = (projectId: string, sessionId: string) =>
  sql`project_id = ${projectId} and session_id = ${sessionId} and kind = 'mount' and uploaded_at is not null`

/** Lists files by path, in byte order. `after`: the last path of the previous page. */
export const listMountFiles = (
  db: Db,
  projectId: string,
  sessionId: string,
  { prefix, after, limit }: { prefix: string; after: string; limit: number },
): Promise<MountFile[]> =>
  db.rows(sql`
  select ${COLUMNS} from files where ${isThere(projectId, sessionId)}
    and mount_path like ${`${escapeLike(prefix)}%`} and mount_path collate "C" > ${after}
    order by mount_path collate "C" limit ${limit}`)

export const findMountFile = (
  db: Db,
  projectId: string,
  sessionId: string,
  path: string,
): Promise<MountFile | undefined> =>
  db.one(sql`
  select ${COLUMNS} from files where ${isThere(projectId, sessionId)} and mount_path collate "C" = ${path}`)

export const findMountFileRow = (
  db: Db,
  projectId: string,
  sessionId: string,
  path: string,
): Promise<FileRow | undefined> =>
  db.one(sql`
  select ${FILE_COLUMNS} from files where ${isThere(projectId, sessionId)} and mount_path collate "C" = ${path}`)

/** Inserts a file whose content is not uploaded yet. `mimetype` is empty if any type is allowed. */
export const insertMountFile = (
  db: Db,
  row: Pick<FileRow, 'id' | 'project_id' | 'object_key' | 'filename' | 'mimetype' | 'expires_at'> & {
    session_id: string
    mount_path: string
    encrypted_key: EncryptedValue
  },
): Promise<number> =>
  db.run(sql`
  insert into files ${values({ ...row, kind: 'mount', toolkit_slug: '', tool_slug: '', md5: '' })}`)

/** The content of a file as its row names it. */
export type StoredContent = Pick<FileRow, 'object_key' | 'md5' | 'mimetype'> & {
  size: number
  encrypted_key: EncryptedValue
}

/**
 * Makes stored bytes the content of a file, and deletes its previous version. Returns the object keys of the previous
 * versions; undefined if the file does not exist any more.
 */
export async function replaceMountFile(
  tx: Db,
  {
    id,
    project_id: project,
    session_id: session,
    mount_path: path,
  }: Pick<FileRow, 'id' | 'project_id' | 'session_id' | 'mount_path'>,
  { object_key: key, encrypted_key: encryptedKey, size, md5, mimetype }: StoredContent,
  expiresAt: Date,
): Promise<string[] | undefined> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`mount ${session} ${path}`}, 0))`)
  const own = await tx.one<Pick<FileRow, 'object_key' | 'uploaded_at'>>(sql`
    select object_key, uploaded_at from files where project_id = ${project} and id = ${id} for update`)
  if (!own) return undefined
  const former = await tx.rows<{ object_key: string }>(sql`
    delete from files where project_id = ${project} and session_id = ${session}
      and mount_path collate "C" = ${path} and kind = 'mount' and uploaded_at is not null and id <> ${id}
      returning object_key`)
  await tx.run(
    sql`update files set object_key = ${key}, encrypted_key = ${encryptedKey}, size = ${size}, md5 = ${md5},
        mimetype = ${mimetype}, uploaded_at = now(), expires_at = ${expiresAt}
      where project_id = ${project} and id = ${id}`,
  )
  return [...former, ...(own.uploaded_at ? [own] : [])].map((row) => row.object_key)
}

/** Deletes a file; returns the object key of its content. */
export const deleteMountFile = async (
  db: Db,
  projectId: string,
  sessionId: string,
  path: string,
): Promise<string | undefined> =>
  (
    await db.one<{ object_key: string }>(sql`
  delete from files where ${isThere(projectId, sessionId)} and mount_path collate "C" = ${path} returning object_key`)
  )?.object_key

/** Deletes pending uploads and lets the uploaded files expire. */
export async function expireMountFiles(
  db: Db,
  projectIds: readonly string[],
  sessionIds: readonly string[],
  at: Date,
): Promise<void> {
  const ofSessions = sql`project_id = any(${projectIds as string[]}::text[])
    and session_id = any(${sessionIds as string[]}::text[]) and kind = 'mount'`
  await db.run(sql`delete from files where ${ofSessions} and uploaded_at is null`)
  await db.run(sql`update files set expires_at = ${at} where ${ofSessions} and uploaded_at is not null`)
}

/** No URL is valid any more that an earlier release created to upload one of these files again. */
const URL_DAYS_MAX = 8

export type ClearFile = Pick<FileRow, 'id' | 'project_id' | 'session_id' | 'object_key' | 'size'>

/** Returns files whose bytes are not encrypted, of all projects, in the order of their ids. */
export const listClearFiles = (db: Db, after: string, limit: number): Promise<ClearFile[]> =>
  db.rows(sql`
  select id, project_id, session_id, object_key, size from files
  where kind = 'mount' and encrypted_key is null and uploaded_at is not null and id > ${after}
    and created_at < now() - make_interval(days => ${URL_DAYS_MAX})
  order by id limit ${limit}`)

/** Makes a file one that is stored encrypted under another key. Returns whether it still exists. */
export const replaceObject = async (
  db: Db,
  { id, project_id: projectId, object_key: former }: ClearFile,
  objectKey: string,
  key: EncryptedValue,
): Promise<boolean> =>
  (await db.run(sql`
  update files set object_key = ${objectKey}, encrypted_key = ${key}
  where project_id = ${projectId} and id = ${id} and object_key = ${former} and encrypted_key is null`)) > 0
