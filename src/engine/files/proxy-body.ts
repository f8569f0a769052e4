import { FileBytes } from '../../catalog/index.ts'
import { EgressError } from '../../platform/egress/index.ts'
import { ApiError, badRequest } from '../../platform/http/api-error.ts'
import type { EngineDeps } from '../dependencies.ts'
import type { ProxyCall } from '../types.ts'

const TIMEOUT_MS = 60_000
export const BASE64_BYTES_MAX = 4 * 1024 * 1024
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/
const ERROR_IN_BODY = 'Error in payload.binary_body'

/** Returns the bytes of `binary_body`: from base64, or from a URL, without any credentials. @throws ApiError */
export async function readProxyBody(
  deps: EngineDeps,
  { projectId, binaryBody, body, signal }: ProxyCall,
): Promise<FileBytes | undefined> {
  if (!binaryBody) return undefined
  if (body !== undefined && body !== null) throw badRequest(`${ERROR_IN_BODY}: not together with body`)
  const { url, base64 } = binaryBody
  if ((url === undefined) === (base64 === undefined)) {
    throw badRequest(`${ERROR_IN_BODY}: must have either url or base64`)
  }
  if (url !== undefined)
    return (await readStoredFile(deps, projectId, url)) ?? downloadFile(deps, url, signal)
  if (!BASE64.test(base64 as string)) throw badRequest(`${ERROR_IN_BODY}.base64: is not base64`)
  const bytes = Buffer.from(base64 as string, 'base64')
  if (bytes.length > BASE64_BYTES_MAX) {
    throw badRequest(`${ERROR_IN_BODY}.base64: contains more than 4 MB; use url instead`)
  }
  return new FileBytes('file', undefined, bytes)
}

/** Reads a file that this server stores. It may not be able to reach its own public URL. */
async function readStoredFile(
  { files }: EngineDeps,
  projectId: string,
  url: string,
): Promise<FileBytes | undefined> {
  const file = await files.readUrl?.(projectId, url)
  return file && new FileBytes(file.filename, file.mimetype, file.bytes)
}

async function downloadFile(
  { egress, files }: EngineDeps,
  url: string,
  signal: AbortSignal,
): Promise<FileBytes> {
  const { bytesMax } = files
  const headers = { accept: '*/*' }
  try {
    const response = await egress.send({
      method: 'GET',
      url,
      headers,
      timeoutMs: TIMEOUT_MS,
      bytesMax,
      signal,
    })
    const { status, body } = response
    if (status < 200 || status > 299) throw badRequest(`${ERROR_IN_BODY}.url: returned status ${status}`)
    return new FileBytes('file', String(response.headers['content-type'] ?? '') || undefined, body)
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    if (error.kind !== 'too_large') throw badRequest(`${ERROR_IN_BODY}.url: ${error.message}`)
    const megabytes = Math.floor(bytesMax / 1_000_000)
    const message = `The file at binary_body.url is larger than ${megabytes} MB.`
    throw new ApiError('File_TooLarge', message, { cause: error })
  }
}
