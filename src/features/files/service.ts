import { Readable } from 'node:stream'
import type { UploadRequest } from '../../contract/files.ts'
import type { Files, NewFile, SavedFile } from '../../engine/index.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Encryptor } from '../../platform/crypto/index.ts'
import type { Pool } from '../../platform/db/sql.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { newId, randomText } from '../../platform/ids.ts'
import { type FileStore, type Spool, type Spooled, TooManyBytes } from '../../platform/storage/index.ts'
import { fileAddresses, type FileAddresses, safeName } from './addresses.ts'
import { essenceOf } from './media-types.ts'
import { type MountFiles, mountFiles } from './mounts.ts'
import { stored } from './stored.ts'
import * as store from './store.ts'

export interface FileSettings {
  /** Keeps the bytes. */
  store: FileStore
  /** Where bytes wait until they are known to be good. */
  spool: Spool
  /** Where clients reach the files; no slash at the end. */
  url: string
  bytesMax: number
  /** All files of a project together. */
  projectBytesMax: number
  retentionMs: number
}

export interface FileDeps {
  db: Pool
  encryptor: Encryptor
  clock: Clock
  settings: FileSettings
}

/** However small they are. */
const FILES_A_PROJECT_MAX = 100_000
/** Bytes that were under way when the address expired still find their place. */
const GRACE_MS = 300_000
const SWEEP_BATCH = 50

export interface FileService extends Files {
  requestUpload(
    projectId: string,
    request: UploadRequest,
    secondsValid: number,
  ): Promise<{ id: string; key: string; url: string }>
  /** Bytes for an address. @throws ApiError */
  receive(
    pass: unknown,
    contentType: string | undefined,
    length: number | undefined,
    bytes: Readable,
  ): Promise<void>
  /** The file of an address. @throws ApiError */
  open(pass: unknown): Promise<{ bytes: Readable; size: number; filename: string; mimetype: string }>
  list(
    projectId: string,
    filter: { toolkit?: string | undefined; tool?: string | undefined },
    page: { limit: number; offset: number },
  ): ReturnType<typeof store.list>
  /** Files of sessions. */
  readonly mounts: MountFiles
  /** Removes what has expired, in batches. */
  sweep(): Promise<void>
}

/** Files of projects: what callers upload for tools, and what tools answer with. */
export function fileService({ db, encryptor, clock, settings }: FileDeps): FileService {
  const { store: bytesStore, spool, bytesMax, projectBytesMax, retentionMs } = settings
  const addresses: FileAddresses = fileAddresses(encryptor, settings.url)
  const megabytes = Math.floor(bytesMax / 1_000_000)

  /** Not exact under many at once: a bound on growth, not an account. */
  async function checkRoom(projectId: string, more: number): Promise<void> {
    const { files, bytes } = await store.usage(db, projectId)
    if (files >= FILES_A_PROJECT_MAX || bytes + more > projectBytesMax) {
      throw new ApiError(
        'File_QuotaExceeded',
        `The project has ${files} files of ${Math.ceil(bytes / 1_000_000)} MB together; it may have ${FILES_A_PROJECT_MAX} and ${Math.floor(projectBytesMax / 1_000_000)} MB.`,
      )
    }
  }

  async function takeIn(bytes: Readable): Promise<Spooled> {
    return stored(() => spool.take(bytes, bytesMax)).catch((error: unknown) => {
      if (error instanceof TooManyBytes) throw tooLarge()
      throw error
    })
  }
  const tooLarge = () => new ApiError('File_TooLarge', `A file may have at most ${megabytes} MB.`)

  async function inUse(
    row: store.FileRow | undefined,
    name: string,
  ): Promise<store.FileRow & { size: number }> {
    if (!row || row.size === null || row.expires_at.getTime() < clock.now())
      throw new ApiError('File_NotFound', `File ${name} not found, not uploaded, or expired.`)
    return row as store.FileRow & { size: number }
  }

  async function bytesOf(row: store.FileRow & { size: number }): Promise<Readable> {
    const bytes = await stored(() => bytesStore.read(row.object_key, row.size))
    if (!bytes)
      throw new ApiError('File_NotFound', `File ${row.object_key} not found, not uploaded, or expired.`)
    return bytes
  }

  async function whole(row: store.FileRow & { size: number }) {
    const chunks: Buffer[] = []
    for await (const chunk of await bytesOf(row)) chunks.push(chunk as Buffer)
    return { filename: row.filename, mimetype: row.mimetype, bytes: Buffer.concat(chunks, row.size) }
  }

  const mounts = mountFiles({
    db,
    clock,
    bytes: bytesStore,
    addresses,
    checkRoom,
    takeIn,
    dropSpooled: (file) => spool.drop(file),
  })

  return {
    bytesMax,
    mounts,

    async requestUpload(projectId, given, secondsValid) {
      const request = { ...given, md5: given.md5.toLowerCase() }
      await checkRoom(projectId, 0)
      const expiresAt = clock.now() + secondsValid * 1_000
      const {
        id,
        object_key: key,
        filename,
      } = await store.upsertRequest(
        db,
        projectId,
        { ...request, id: newId('req_file'), object_key: keyOf(projectId, 'requests', request) },
        new Date(expiresAt + GRACE_MS),
      )
      return { id, key, url: addresses.addressOf('put', { projectId, id, filename }, expiresAt) }
    },

    async receive(pass, contentType, length, bytes) {
      const { projectId, id } = addresses.read('put', pass, clock.now())
      const row = await store.byId(db, projectId, id)
      if (!row) throw new ApiError('File_NotFound', 'The file of this address is gone.')
      if (row.mimetype !== '' && essenceOf(contentType ?? '') !== essenceOf(row.mimetype))
        throw new ApiError(
          'File_TypeMismatch',
          `The upload was requested as ${row.mimetype}, and came as ${contentType ?? 'no type'}.`,
        )
      if (length !== undefined && length > bytesMax) throw tooLarge()
      const file = await takeIn(bytes)
      try {
        if (row.kind === 'mount') return await mounts.keep(row, file, contentType)
        if (file.md5 !== row.md5) {
          throw row.uploaded_at
            ? new ApiError('File_AlreadyUploaded', 'Other bytes were uploaded to this address before.')
            : new ApiError(
                'File_DigestMismatch',
                `The bytes have the MD5 ${file.md5}; ${row.md5} was announced.`,
              )
        }
        if (row.uploaded_at) return
        await checkRoom(projectId, file.size)
        await stored(() => bytesStore.put(row.object_key, file))
        await store.markUploaded(db, projectId, id, file.size, new Date(clock.now() + retentionMs))
      } finally {
        await spool.drop(file)
      }
    },

    async open(pass) {
      const { projectId, id } = addresses.read('get', pass, clock.now())
      const row = await inUse(await store.byId(db, projectId, id), 'of this address')
      return { bytes: await bytesOf(row), size: row.size, filename: row.filename, mimetype: row.mimetype }
    },

    async read(projectId, key) {
      return whole(await inUse(await store.byKey(db, projectId, key), key.slice(0, 200)))
    },

    async readAddress(projectId, url) {
      if (!url.startsWith(`${settings.url}/files/get/`)) return undefined
      const pass = addresses.read('get', URL.parse(url)?.searchParams.get('pass'), clock.now())
      const row = pass.projectId === projectId ? await store.byId(db, projectId, pass.id) : undefined
      return whole(await inUse(row, 'of this address'))
    },

    async save(projectId, file: NewFile, secondsValid): Promise<SavedFile> {
      await checkRoom(projectId, file.bytes.length)
      const spooled = await takeIn(Readable.from([file.bytes], { objectMode: false }))
      try {
        const id = newId('file')
        const [key, now] = [
          keyOf(projectId, 'results', {
            toolkit_slug: file.toolkit,
            tool_slug: file.tool,
            filename: file.name,
          }),
          clock.now(),
        ]
        await stored(() => bytesStore.put(key, spooled))
        const [addressEnds, fileEnds] = [
          now + secondsValid * 1_000,
          now + Math.max(retentionMs, secondsValid * 1_000),
        ]
        await store.insertResult(db, {
          id,
          project_id: projectId,
          object_key: key,
          toolkit_slug: file.toolkit,
          tool_slug: file.tool,
          filename: file.name,
          mimetype: file.mimetype,
          md5: spooled.md5,
          size: spooled.size,
          expires_at: new Date(fileEnds),
        })
        return {
          name: file.name,
          mimetype: file.mimetype,
          size: spooled.size,
          key,
          url: addresses.addressOf('get', { projectId, id, filename: file.name }, addressEnds),
          expiresAt: new Date(addressEnds).toISOString(),
        }
      } finally {
        await spool.drop(spooled)
      }
    },

    list: (projectId, filter, page) => store.list(db, projectId, filter, page),

    async sweep() {
      await spool.sweep(clock.now())
      for (;;) {
        const removed = await db.begin(async (tx) => {
          const expired = await store.holdExpired(tx, SWEEP_BATCH)
          for (const { object_key: key } of expired) await bytesStore.remove(key)
          if (expired.length)
            await store.remove(
              tx,
              expired.map(({ id }) => id),
            )
          return expired.length
        })
        if (removed < SWEEP_BATCH) return
      }
    },
  }
}

/** Below the project, so that a look into the store tells whose it is; with chance in it, so that none can be guessed. */
function keyOf(
  projectId: string,
  kind: 'requests' | 'results',
  {
    toolkit_slug: toolkit,
    tool_slug: tool,
    filename,
  }: { toolkit_slug: string; tool_slug: string; filename: string },
): string {
  const name = safeName(filename)
  const dot = name.lastIndexOf('.')
  const [stem, end] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  return `projects/${projectId}/${kind}/${toolkit}/${tool}/${stem}_${randomText(12)}${end}`
}
