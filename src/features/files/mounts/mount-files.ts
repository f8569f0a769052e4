import { Readable } from 'node:stream'
import type { Db } from '../../../platform/db/sql.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import { newId, randomText } from '../../../platform/ids.ts'
import { type FileKey, newFileKey, type SpooledFile } from '../../../platform/storage/index.ts'
import type { FileContext } from '../context.ts'
import { keyColumn } from '../file-key.ts'
import { mediaTypeWithoutParameters } from '../media-types.ts'
import * as store from './store.ts'
import type { FileRow } from '../store.ts'
import { assertQuota, recordStorage } from '../quota.ts'
import { publishObject } from '../publish-object.ts'
import { readContent } from '../read.ts'
import { spoolBytes } from '../upload.ts'
import { translateStorageErrors } from '../storage-errors.ts'

/** Signed URL of one file; needs no API key. */
export interface MountFileUrl {
  url: string
  expiresAt: Date
}

/** Content of a file, encrypted with a key of its own. */
export interface NewContent {
  file: SpooledFile
  key: FileKey
}

/**
 * Files of sessions, each at a path below the mount. Callers have checked that the session belongs to the
 * project.
 */
export interface MountFiles {
  list(
    projectId: string,
    sessionId: string,
    page: { prefix: string; after: string; limit: number },
  ): Promise<store.MountFile[]>
  /** Creates a URL to upload a new file, or to replace the file at this path. */
  createUploadUrl(
    projectId: string,
    sessionId: string,
    file: { path: string; mimetype: string | undefined },
    secondsValid: number,
  ): Promise<MountFileUrl>
  /** @throws ApiError 404 */
  createDownloadUrl(
    projectId: string,
    sessionId: string,
    path: string,
    secondsValid: number,
  ): Promise<MountFileUrl>
  /** Removes a file; a missing file counts as removed. */
  remove(projectId: string, sessionId: string, path: string): Promise<void>
  /**
   * Writes a file that this server created; returns its id, which changes with the content, and its download URL.
   * @throws ApiError if the quota is exceeded
   */
  write(
    projectId: string,
    sessionId: string,
    file: { path: string; mimetype: string; bytes: Buffer },
    secondsValid: number,
  ): Promise<MountFileUrl & { id: string }>
  /** Reads a whole file. @throws ApiError 404 */
  read(projectId: string, sessionId: string, path: string): Promise<Buffer>
  /** Lets the files of deleted sessions expire after a day, in the transaction of the caller. */
  expireFiles(tx: Db, projectIds: readonly string[], sessionIds: readonly string[]): Promise<void>
  /** Stores the content that was uploaded to a URL of `createUploadUrl`. @throws ApiError 404 if it was deleted */
  storeUpload(row: FileRow, content: NewContent, contentType: string | undefined): Promise<void>
}

/** An upload that is in progress when its URL expires can still finish. */
const GRACE_MS = 300_000
const DAY_MS = 86_400_000
/** Expiry of mount files: they stay as long as their session. */
const NEVER = new Date('9999-12-31T00:00:00Z')
const ANY_TYPE = 'application/octet-stream'

const missingFile = (path: string) =>
  new ApiError('File_NotFound', `There is no file ${path.slice(0, 200)} in the mount of this session.`)

/** Files of sessions. */
export function mountFiles(context: FileContext): MountFiles {
  const { db, clock, settings } = context
  const until = (secondsValid: number) => new Date(clock.now() + secondsValid * 1_000)
  const signedUrl = (
    purpose: 'put' | 'get',
    file: { projectId: string; id: string; filename: string },
    expiresAt: Date,
  ): MountFileUrl => ({ url: context.urls.urlFor(purpose, file, expiresAt.getTime()), expiresAt })
  return {
    list: (projectId, sessionId, page) => store.listMountFiles(db, projectId, sessionId, page),

    async createUploadUrl(projectId, sessionId, { path, mimetype = '' }, secondsValid) {
      await assertQuota(context, projectId, 0, sessionId)
      const expiresAt = until(secondsValid)
      const lastsUntil = new Date(expiresAt.getTime() + GRACE_MS)
      const key = newFileKey(newId('file'))
      const file = { path, mimetype, key }
      const { id, filename } = await insertFile(context, projectId, sessionId, file, lastsUntil)
      return signedUrl('put', { projectId, id, filename }, expiresAt)
    },

    async createDownloadUrl(projectId, sessionId, path, secondsValid) {
      const file = await store.findMountFile(db, projectId, sessionId, path)
      if (!file) throw missingFile(path)
      return signedUrl('get', { projectId, id: file.id, filename: file.filename }, until(secondsValid))
    },

    async remove(projectId, sessionId, path) {
      const key = await store.deleteMountFile(db, projectId, sessionId, path)
      if (key !== undefined) await translateStorageErrors(() => settings.store.remove(key))
    },

    async write(projectId, sessionId, file, secondsValid) {
      const { id, filename } = await writeFile(context, projectId, sessionId, file)
      return { id, ...signedUrl('get', { projectId, id, filename }, until(secondsValid)) }
    },

    async read(projectId, sessionId, path) {
      const { bytes } = await readContent(context, {
        find: () => store.findMountFileRow(db, projectId, sessionId, path),
        missing: () => missingFile(path),
      })
      return bytes
    },

    expireFiles: (tx, projectIds, sessionIds) =>
      store.expireMountFiles(tx, projectIds, sessionIds, new Date(clock.now() + DAY_MS)),
    storeUpload: (row, content, contentType) =>
      storeFile(
        context,
        row,
        content,
        row.mimetype || mediaTypeWithoutParameters(contentType ?? '').slice(0, 255) || ANY_TYPE,
      ),
  }
}

/** Inserts a file whose content is not uploaded yet. */
async function insertFile(
  { db }: FileContext,
  projectId: string,
  sessionId: string,
  { path, mimetype, key }: { path: string; mimetype: string; key: FileKey },
  expiresAt: Date,
) {
  const filename = path.slice(path.lastIndexOf('/') + 1)
  const row = {
    id: key.id,
    project_id: projectId,
    session_id: sessionId,
    mount_path: path,
    filename,
    mimetype,
    object_key: newMountKey(projectId, sessionId),
    expires_at: expiresAt,
  }
  await store.insertMountFile(db, { ...row, encrypted_key: keyColumn(projectId, key) })
  return row
}

/** A bucket shows the names of its objects, so that they do not contain those of files. */
export const newMountKey = (projectId: string, sessionId: string): string =>
  `projects/${projectId}/mounts/${sessionId}/${randomText(24)}`

/**
 * Stores the content of a file, and removes the previous file at its path. The bytes are an object of their own, which
 * the row names together with the key and the size of the bytes. @throws ApiError 404 if the file was deleted
 */
async function storeFile(
  context: FileContext,
  row: Pick<FileRow, 'id' | 'project_id' | 'session_id' | 'mount_path'>,
  { file, key }: NewContent,
  mimetype: string,
): Promise<void> {
  const { db, settings } = context
  const { project_id: projectId, session_id: sessionId, mount_path: path } = row
  await assertQuota(context, projectId, file.size, sessionId)
  const content = {
    object_key: newMountKey(projectId, sessionId as string),
    encrypted_key: keyColumn(projectId, key),
    size: file.size,
    md5: file.md5,
    mimetype,
  }
  const replacedKeys = await publishObject(context, { key: content.object_key, file }, () =>
    db.begin((tx) => store.replaceMountFile(tx, row, content, NEVER)),
  )
  if (!replacedKeys) throw missingFile(path as string)
  for (const replaced of replacedKeys) await translateStorageErrors(() => settings.store.remove(replaced))
  await recordStorage(context, projectId, sessionId)
}

async function writeFile(
  context: FileContext,
  projectId: string,
  sessionId: string,
  { path, mimetype, bytes }: { path: string; mimetype: string; bytes: Buffer },
) {
  const key = newFileKey(newId('file'))
  const spooled = await spoolBytes(context, Readable.from([bytes], { objectMode: false }), key)
  try {
    const lastsUntil = new Date(context.clock.now() + GRACE_MS)
    const row = await insertFile(context, projectId, sessionId, { path, mimetype, key }, lastsUntil)
    await storeFile(context, row, { file: spooled, key }, mimetype)
    return row
  } finally {
    await context.settings.spool.drop(spooled)
  }
}
