import { pipeline, type Readable } from 'node:stream'
import { ApiError } from '../../platform/http/api-error.ts'
import { decryptBytes, encryptedSize } from '../../platform/storage/index.ts'
import type { FileContext } from './context.ts'
import { readFileKey } from './file-key.ts'
import { translateStorageErrors } from './storage-errors.ts'
import * as store from './store.ts'

type StoredFileRow = store.FileRow & { size: number }

const notFound = (name: string) =>
  new ApiError('File_NotFound', `File ${name} not found, not uploaded, or expired.`)

/** Checks that a file is uploaded and not expired. @throws ApiError 404 */
function assertAvailable(
  { clock }: FileContext,
  row: store.FileRow | undefined,
  name: string,
): StoredFileRow {
  if (!row || row.size === null || row.expires_at.getTime() < clock.now()) throw notFound(name)
  return row as StoredFileRow
}

/** Opens the content of a file in clear. The stream fails if the stored bytes were changed. @throws ApiError 404 */
export async function openStream(
  { settings, db }: Pick<FileContext, 'settings' | 'db'>,
  row: Pick<StoredFileRow, 'id' | 'object_key' | 'size' | 'encrypted_key'>,
): Promise<Readable> {
  const key = readFileKey(db, row)
  const size = key ? encryptedSize(row.size) : row.size
  const bytes = await translateStorageErrors(() => settings.store.read(row.object_key, size))
  if (!bytes) throw notFound(row.object_key)
  if (!key) return bytes
  // An error of either stream is that of the returned one.
  return pipeline(bytes, decryptBytes(key), () => {})
}

async function readWhole(context: FileContext, row: StoredFileRow) {
  const chunks: Buffer[] = []
  for await (const chunk of await openStream(context, row)) chunks.push(chunk as Buffer)
  return { filename: row.filename, mimetype: row.mimetype, bytes: Buffer.concat(chunks, row.size) }
}

/** Opens the file of a signed URL as a stream. @throws ApiError */
export async function openFile(context: FileContext, token: unknown) {
  const { projectId, id } = context.urls.verify('get', token, context.clock.now())
  const row = assertAvailable(context, await store.findFile(context.db, projectId, id), 'of this URL')
  const { size, filename, mimetype } = row
  return { bytes: await openStream(context, row), size, filename, mimetype }
}

/** Reads a file of a project by its object key. @throws ApiError */
export async function readFile(context: FileContext, projectId: string, key: string) {
  const row = await store.findFileByKey(context.db, projectId, key)
  return readWhole(context, assertAvailable(context, row, key.slice(0, 200)))
}

/** Reads a file of a project by its id. @throws ApiError */
export async function readFileById(context: FileContext, projectId: string, id: string) {
  return readWhole(context, assertAvailable(context, await store.findFile(context.db, projectId, id), id))
}

/** Reads the file behind a signed URL of this server; undefined for any other URL. @throws ApiError */
export async function readFileByUrl(context: FileContext, projectId: string, url: string) {
  const { db, clock, settings, urls } = context
  if (!url.startsWith(`${settings.url}/files/get/`)) return undefined
  const file = urls.verify('get', URL.parse(url)?.searchParams.get('pass'), clock.now())
  const row = file.projectId === projectId ? await store.findFile(db, projectId, file.id) : undefined
  return readWhole(context, assertAvailable(context, row, 'of this URL'))
}
