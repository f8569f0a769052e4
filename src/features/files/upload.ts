import { Readable } from 'node:stream'
import type { UploadRequest } from '../../contract/files.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { newId } from '../../platform/ids.ts'
import { type FileKey, newFileKey, type SpooledFile, TooManyBytes } from '../../platform/storage/index.ts'
import type { FileContext } from './context.ts'
import { keyColumn, readFileKey } from './file-key.ts'
import { mediaTypeWithoutParameters } from './media-types.ts'
import type { MountFiles } from './mounts/mount-files.ts'
import { newObjectKey } from './object-key.ts'
import { publishObject } from './publish-object.ts'
import { assertQuota, recordStorage } from './quota.ts'
import { translateStorageErrors } from './storage-errors.ts'
import * as store from './store.ts'

/** An upload that is in progress when its URL expires can still finish. */
const GRACE_MS = 300_000

/** Writes a stream to a temporary file, encrypted with the key of the file it becomes. @throws ApiError if it is too large */
export async function spoolBytes(
  { settings }: FileContext,
  bytes: Readable,
  key: FileKey | undefined,
): Promise<SpooledFile> {
  return translateStorageErrors(() => settings.spool.take(bytes, settings.bytesMax, key)).catch(
    (error: unknown) => {
      throw error instanceof TooManyBytes ? tooLarge(settings.bytesMax) : error
    },
  )
}

const tooLarge = (bytesMax: number) =>
  new ApiError('File_TooLarge', `A file can have at most ${Math.floor(bytesMax / 1_000_000)} MB.`)

const deletedFile = () =>
  new ApiError('File_NotFound', 'The file of this URL was deleted. Request a new upload.')

/** Registers an upload and returns its signed URL. Equal requests share one file. */
export async function requestUpload(
  context: FileContext,
  projectId: string,
  upload: UploadRequest,
  secondsValid: number,
): Promise<{ id: string; key: string; url: string }> {
  const { db, clock, urls } = context
  const request = { ...upload, md5: upload.md5.toLowerCase() }
  await assertQuota(context, projectId, 0)
  const expiresAt = clock.now() + secondsValid * 1_000
  const newKey = newFileKey(newId('req_file'))
  const row = {
    ...request,
    id: newKey.id,
    object_key: newObjectKey(projectId, 'requests', request),
    encrypted_key: keyColumn(projectId, newKey),
  }
  const {
    id,
    object_key: key,
    filename,
  } = await store.upsertRequest(db, projectId, row, new Date(expiresAt + GRACE_MS))
  return { id, key, url: urls.urlFor('put', { projectId, id, filename }, expiresAt) }
}

/** Stores the content that is uploaded to a signed URL. @throws ApiError */
export async function receiveUpload(
  context: FileContext,
  mounts: MountFiles,
  token: unknown,
  { contentType, length }: { contentType: string | undefined; length: number | undefined },
  bytes: Readable,
): Promise<void> {
  const { db, clock, settings, urls } = context
  const { projectId, id } = urls.verify('put', token, clock.now())
  const row = await store.findFile(db, projectId, id)
  if (!row) throw deletedFile()
  if (
    row.mimetype !== '' &&
    mediaTypeWithoutParameters(contentType ?? '') !== mediaTypeWithoutParameters(row.mimetype)
  )
    throw new ApiError(
      'File_TypeMismatch',
      `The upload was requested as ${row.mimetype}, but its content type is ${contentType ?? 'missing'}.`,
    )
  if (length !== undefined && length > settings.bytesMax) throw tooLarge(settings.bytesMax)
  await context.uploads.run({ fileId: row.id, projectId, length }, async () => {
    await assertRoom(context, row)
    const target = row.kind === 'mount' ? row : await withKey(context, row)
    // The content of a mount can be replaced, also by two servers at once: each upload has its own key and object.
    const key = row.kind === 'mount' ? newFileKey(row.id) : readFileKey(db, target)
    const file = await spoolBytes(context, bytes, key)
    try {
      if (row.kind === 'mount') await mounts.storeUpload(target, { file, key: key as FileKey }, contentType)
      else await storeRequestedFile(context, target, file)
    } finally {
      await settings.spool.drop(file)
    }
  })
}

/** Returns a file with its key. One of an earlier release gets a key, unless its content is uploaded already. */
async function withKey({ db }: FileContext, row: store.FileRow): Promise<store.FileRow> {
  if (row.encrypted_key) return row
  return (
    (await store.assignKey(db, row.project_id, row.id, keyColumn(row.project_id, newFileKey(row.id)))) ?? row
  )
}

/** Checks the quota with all uploads in progress, before bytes are read. A repeated upload adds nothing. */
async function assertRoom(context: FileContext, row: store.FileRow): Promise<void> {
  if (row.uploaded_at === null)
    await assertQuota(context, row.project_id, context.uploads.reservedOf(row.project_id), row.session_id)
}

async function storeRequestedFile(
  context: FileContext,
  row: store.FileRow,
  file: SpooledFile,
): Promise<void> {
  const { db, clock, settings } = context
  if (file.md5 !== row.md5)
    throw row.uploaded_at
      ? new ApiError('File_AlreadyUploaded', 'Different content was uploaded to this URL before.')
      : new ApiError(
          'File_DigestMismatch',
          `The content has the MD5 ${file.md5}, but ${row.md5} was requested.`,
        )
  if (row.uploaded_at) return
  await assertQuota(context, row.project_id, file.size)
  const expiresAt = new Date(clock.now() + settings.retentionMs)
  const published = await publishObject(context, { key: row.object_key, file, isShared: true }, async () => {
    await store.markUploaded(db, row.project_id, row.id, file.size, expiresAt)
    // Another server may have stored the same content meanwhile.
    return store.findFile(db, row.project_id, row.id)
  })
  if (!published) throw deletedFile()
  await recordStorage(context, row.project_id)
}
