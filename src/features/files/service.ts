import { Readable } from 'node:stream'
import type { UploadRequest } from '../../contract/files.ts'
import type { FileStorage, NewFile, SavedFile } from '../../engine/index.ts'
import type { Db } from '../../platform/db/sql.ts'
import { newId } from '../../platform/ids.ts'
import { newFileKey } from '../../platform/storage/index.ts'
import type { PageWindow } from '../../platform/list-page.ts'
import type { FileContext, FileDeps } from './context.ts'
import { keyColumn } from './file-key.ts'
import { createFileUrls } from './file-urls.ts'
import { encryptClearFiles } from './mounts/encrypt-clear-files.ts'
import { type MountFiles, mountFiles } from './mounts/mount-files.ts'
import { newObjectKey } from './object-key.ts'
import { publishObject } from './publish-object.ts'
import { assertQuota, recordStorage } from './quota.ts'
import { openFile, readFile, readFileByUrl } from './read.ts'
import * as store from './store.ts'
import { createUploadSlots } from './upload-slots.ts'
import { receiveUpload, requestUpload, spoolBytes } from './upload.ts'

const SWEEP_BATCH = 50

export interface FileService extends FileStorage {
  requestUpload(
    projectId: string,
    request: UploadRequest,
    secondsValid: number,
  ): Promise<{ id: string; key: string; url: string }>
  /** Stores the content that is uploaded to a signed URL. @throws ApiError */
  receive(
    token: unknown,
    contentType: string | undefined,
    length: number | undefined,
    bytes: Readable,
  ): Promise<void>
  /** Opens the file of a signed URL. @throws ApiError */
  open(token: unknown): Promise<{ bytes: Readable; size: number; filename: string; mimetype: string }>
  list(
    projectId: string,
    filter: { toolkit?: string | undefined; tool?: string | undefined },
    page: PageWindow,
  ): ReturnType<typeof store.listFiles>
  /** Files of sessions. */
  readonly mounts: MountFiles
  /** Removes expired files, in batches. */
  sweep(): Promise<void>
  /** Encrypts files of sessions that an earlier release stored in clear. */
  encryptClearFiles(): Promise<void>
  /** Removes one batch of the files of a project, with their bytes. Returns its size. */
  removeOfProject(projectId: string): Promise<number>
}

/** Files of projects: uploads of callers for tools, and results of tools. */
export function fileService(deps: FileDeps): FileService {
  const { db, settings } = deps
  const context: FileContext = {
    ...deps,
    urls: createFileUrls(deps.encryptor, settings.url),
    uploads: createUploadSlots(settings.bytesMax),
  }
  const mounts = mountFiles(context)
  return {
    bytesMax: settings.bytesMax,
    mounts,
    requestUpload: (projectId, upload, secondsValid) =>
      requestUpload(context, projectId, upload, secondsValid),
    receive: (token, contentType, length, bytes) =>
      receiveUpload(context, mounts, token, { contentType, length }, bytes),
    open: (token) => openFile(context, token),
    read: (projectId, key) => readFile(context, projectId, key),
    readUrl: (projectId, url) => readFileByUrl(context, projectId, url),
    save: (projectId, file, secondsValid) => saveResult(context, projectId, file, secondsValid),
    list: (projectId, filter, page) => store.listFiles(db, projectId, filter, page),
    sweep: () => sweep(context),
    encryptClearFiles: () => encryptClearFiles(context),
    removeOfProject: (projectId) =>
      removeFiles(db, settings.store, (tx) => store.lockProjectFiles(tx, projectId, SWEEP_BATCH)),
  }
}

/** Stores a result of a tool and returns it with a signed download URL. */
async function saveResult(
  context: FileContext,
  projectId: string,
  { toolkit, tool, name, mimetype, bytes }: NewFile,
  secondsValid: number,
): Promise<SavedFile> {
  const { db, clock, settings, urls } = context
  await assertQuota(context, projectId, bytes.length)
  const fileKey = newFileKey(newId('file'))
  const spooled = await spoolBytes(context, Readable.from([bytes], { objectMode: false }), fileKey)
  try {
    const { size, md5 } = spooled
    const { id } = fileKey
    const labels = { toolkit_slug: toolkit, tool_slug: tool, filename: name }
    const key = newObjectKey(projectId, 'results', labels)
    const now = clock.now()
    const urlExpiresAt = now + secondsValid * 1_000
    const fileExpiresAt = now + Math.max(settings.retentionMs, secondsValid * 1_000)
    const row = {
      id,
      project_id: projectId,
      object_key: key,
      encrypted_key: keyColumn(projectId, fileKey),
      ...labels,
      mimetype,
      md5,
      size,
      expires_at: new Date(fileExpiresAt),
    }
    await publishObject(context, { key, file: spooled }, () => store.insertResult(db, row))
    await recordStorage(context, projectId)
    const url = urls.urlFor('get', { projectId, id, filename: name }, urlExpiresAt)
    return { name, mimetype, size, key, url, expiresAt: new Date(urlExpiresAt).toISOString() }
  } finally {
    await settings.spool.drop(spooled)
  }
}

async function sweep({ db, clock, settings }: FileContext): Promise<void> {
  await settings.spool.sweep(clock.now())
  for (;;) {
    const removed = await removeFiles(db, settings.store, (tx) => store.lockExpiredFiles(tx, SWEEP_BATCH))
    if (removed < SWEEP_BATCH) return
  }
}

/** Removes files with their bytes. Returns their number. */
const removeFiles = (
  db: FileContext['db'],
  bytes: FileContext['settings']['store'],
  lock: (tx: Db) => Promise<Pick<store.FileRow, 'id' | 'object_key'>[]>,
): Promise<number> =>
  db.begin(async (tx) => {
    const files = await lock(tx)
    for (const { object_key: key } of files) await bytes.remove(key)
    const ids = files.map(({ id }) => id)
    if (ids.length) await store.deleteFiles(tx, ids)
    return ids.length
  })
