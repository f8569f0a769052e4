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

const isAvailable = ({ clock }: FileContext, row: store.FileRow | undefined): row is StoredFileRow =>
  row !== undefined && row.size !== null && row.expires_at.getTime() >= clock.now()

/** Opens the content of a file in clear; undefined if its object does not exist. */
async function openStream(
  { settings, db }: Pick<FileContext, 'settings' | 'db'>,
  row: Pick<StoredFileRow, 'id' | 'object_key' | 'size' | 'encrypted_key'>,
): Promise<Readable | undefined> {
  const key = readFileKey(db, row)
  const size = key ? encryptedSize(row.size) : row.size
  const bytes = await translateStorageErrors(() => settings.store.read(row.object_key, size))
  if (!bytes || !key) return bytes
  // An error of either stream is that of the returned one.
  return pipeline(bytes, decryptBytes(key), () => {})
}

/** A file to read. */
interface FileLookup {
  find(): Promise<store.FileRow | undefined>
  /** What is thrown if there is no file, it is not uploaded, or has expired. */
  missing(): ApiError
}

/** Reads of the row: its content can be replaced before its object is opened, and the row then has the next one. */
const LOOKUPS_MAX = 3

/** Opens the content of a file. The stream fails if the stored bytes were changed. @throws ApiError 404 */
async function openContent(
  context: FileContext,
  { find, missing }: FileLookup,
): Promise<{ row: StoredFileRow; bytes: Readable }> {
  for (let lookups = 0; lookups < LOOKUPS_MAX; lookups++) {
    const row = await find()
    if (!isAvailable(context, row)) break
    const bytes = await openStream(context, row)
    if (bytes) return { row, bytes }
  }
  throw missing()
}

/** Reads a whole file. @throws ApiError 404 */
export async function readContent(context: FileContext, lookup: FileLookup) {
  const { row, bytes } = await openContent(context, lookup)
  const chunks: Buffer[] = []
  for await (const chunk of bytes) chunks.push(chunk as Buffer)
  return { filename: row.filename, mimetype: row.mimetype, bytes: Buffer.concat(chunks, row.size) }
}

/** Opens the file of a signed URL as a stream. @throws ApiError */
export async function openFile(context: FileContext, token: unknown) {
  const { projectId, id } = context.urls.verify('get', token, context.clock.now())
  const { row, bytes } = await openContent(context, {
    find: () => store.findFile(context.db, projectId, id),
    missing: () => notFound('of this URL'),
  })
  const { size, filename, mimetype } = row
  return { bytes, size, filename, mimetype }
}

/** Reads a file of a project by its object key. @throws ApiError */
export const readFile = (context: FileContext, projectId: string, key: string) =>
  readContent(context, {
    find: () => store.findFileByKey(context.db, projectId, key),
    missing: () => notFound(key.slice(0, 200)),
  })

/** Reads the file behind a signed URL of this server; undefined for any other URL. @throws ApiError */
export async function readFileByUrl(context: FileContext, projectId: string, url: string) {
  const { db, clock, settings, urls } = context
  if (!url.startsWith(`${settings.url}/files/get/`)) return undefined
  const file = urls.verify('get', URL.parse(url)?.searchParams.get('pass'), clock.now())
  return readContent(context, {
    find: async () => (file.projectId === projectId ? store.findFile(db, projectId, file.id) : undefined),
    missing: () => notFound('of this URL'),
  })
}
