import { Readable } from 'node:stream'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Pool } from '../../platform/db/sql.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { newId, randomText } from '../../platform/ids.ts'
import type { FileStore, Spooled } from '../../platform/storage/index.ts'
import { type FileAddresses, safeName } from './addresses.ts'
import { essenceOf } from './media-types.ts'
import * as store from './mount-store.ts'
import type { FileRow } from './store.ts'
import { stored } from './stored.ts'

/** An address of one file; it needs no key beside it. */
export interface MountAddress {
  url: string
  expiresAt: Date
}

/** Files of sessions, each at its path below the mount. Whoever calls has seen that the session is the project's. */
export interface MountFiles {
  list(
    projectId: string,
    sessionId: string,
    page: { prefix: string; after: string; limit: number },
  ): Promise<store.MountFile[]>
  /** Where the bytes of a path are brought, new ones or others in place of those there. */
  uploadAddress(
    projectId: string,
    sessionId: string,
    file: { path: string; mimetype: string | undefined },
    secondsValid: number,
  ): Promise<MountAddress>
  /** @throws ApiError 404 */
  downloadAddress(
    projectId: string,
    sessionId: string,
    path: string,
    secondsValid: number,
  ): Promise<MountAddress>
  /** What is not there counts as removed. */
  remove(projectId: string, sessionId: string, path: string): Promise<void>
  /** Writes a file of this server's own; answers where it is fetched. @throws ApiError when there is no room */
  write(
    projectId: string,
    sessionId: string,
    file: { path: string; mimetype: string; bytes: Buffer },
    secondsValid: number,
  ): Promise<MountAddress>
  /** The session is gone: its files stay for a day. Part of the caller's transaction. */
  release(tx: Db, projectId: string, sessionId: string): Promise<void>
  /** Bytes that came for an address of `uploadAddress`. */
  keep(row: FileRow, file: Spooled, contentType: string | undefined): Promise<void>
}

interface Parts {
  db: Pool
  clock: Clock
  bytes: FileStore
  addresses: FileAddresses
  checkRoom(projectId: string, more: number): Promise<void>
  takeIn(bytes: Readable): Promise<Spooled>
  dropSpooled(file: Spooled): Promise<void>
}

const GRACE_MS = 300_000
const DAY_MS = 86_400_000
/** Files of a mount stay as long as their session. */
const NEVER = new Date('9999-12-31T00:00:00Z')
const ANY_TYPE = 'application/octet-stream'

export function mountFiles({
  db,
  clock,
  bytes,
  addresses,
  checkRoom,
  takeIn,
  dropSpooled,
}: Parts): MountFiles {
  const until = (secondsValid: number) => new Date(clock.now() + secondsValid * 1_000)

  async function announce(
    projectId: string,
    sessionId: string,
    path: string,
    mimetype: string,
    expiresAt: Date,
  ) {
    const filename = path.slice(path.lastIndexOf('/') + 1)
    const row = {
      id: newId('file'),
      project_id: projectId,
      session_id: sessionId,
      mount_path: path,
      filename,
      mimetype,
      object_key: `projects/${projectId}/mounts/${sessionId}/${randomText(12)}_${safeName(filename)}`,
      expires_at: expiresAt,
    }
    await store.insert(db, row)
    return row
  }

  async function keep(row: FileRow, file: Spooled, mimetype: string): Promise<void> {
    await checkRoom(row.project_id, file.size)
    await stored(() => bytes.put(row.object_key, file))
    const former = await db.begin((tx) =>
      store.replace(tx, row, { size: file.size, md5: file.md5, mimetype }, NEVER),
    )
    for (const key of former) await stored(() => bytes.remove(key))
  }

  return {
    list: (projectId, sessionId, page) => store.list(db, projectId, sessionId, page),

    async uploadAddress(projectId, sessionId, { path, mimetype = '' }, secondsValid) {
      await checkRoom(projectId, 0)
      const expiresAt = until(secondsValid)
      const { id, filename } = await announce(
        projectId,
        sessionId,
        path,
        mimetype,
        new Date(expiresAt.getTime() + GRACE_MS),
      )
      return { url: addresses.addressOf('put', { projectId, id, filename }, expiresAt.getTime()), expiresAt }
    },

    async downloadAddress(projectId, sessionId, path, secondsValid) {
      const file = await store.find(db, projectId, sessionId, path)
      if (!file)
        throw new ApiError(
          'File_NotFound',
          `There is no file ${path.slice(0, 200)} in the mount of this session.`,
        )
      const expiresAt = until(secondsValid)
      return {
        url: addresses.addressOf(
          'get',
          { projectId, id: file.id, filename: file.filename },
          expiresAt.getTime(),
        ),
        expiresAt,
      }
    },

    async remove(projectId, sessionId, path) {
      const key = await store.remove(db, projectId, sessionId, path)
      if (key !== undefined) await stored(() => bytes.remove(key))
    },

    async write(projectId, sessionId, { path, mimetype, bytes: content }, secondsValid) {
      const spooled = await takeIn(Readable.from([content], { objectMode: false }))
      try {
        const row = await announce(projectId, sessionId, path, mimetype, new Date(clock.now() + GRACE_MS))
        await keep(
          { ...row, kind: 'mount', toolkit_slug: '', tool_slug: '', md5: '', size: null, uploaded_at: null },
          spooled,
          mimetype,
        )
        const expiresAt = until(secondsValid)
        return {
          url: addresses.addressOf(
            'get',
            { projectId, id: row.id, filename: row.filename },
            expiresAt.getTime(),
          ),
          expiresAt,
        }
      } finally {
        await dropSpooled(spooled)
      }
    },

    release: (tx, projectId, sessionId) =>
      store.release(tx, projectId, sessionId, new Date(clock.now() + DAY_MS)),
    keep: (row, file, contentType) =>
      keep(row, file, row.mimetype || essenceOf(contentType ?? '').slice(0, 255) || ANY_TYPE),
  }
}
