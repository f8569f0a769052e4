import { FileBytes } from '../../catalog/index.ts'
import { EgressError } from '../../platform/egress/index.ts'
import { ApiError, badRequest } from '../../platform/http/api-error.ts'
import type { EngineDeps, ProxyCall } from '../types.ts'

const TIMEOUT_MS = 60_000
export const BASE64_BYTES_MAX = 4 * 1024 * 1024
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

/** The bytes of `binary_body`: given as base64, or fetched from an address, without any credentials. @throws ApiError */
export async function proxyBytes(
  deps: EngineDeps,
  { projectId, binaryBody, body, signal }: ProxyCall,
): Promise<FileBytes | undefined> {
  if (!binaryBody) return undefined
  if (body !== undefined && body !== null)
    throw badRequest('Error in payload.binary_body: not together with body')
  const { url, base64 } = binaryBody
  if ((url === undefined) === (base64 === undefined))
    throw badRequest('Error in payload.binary_body: has either url or base64')
  if (url !== undefined) return (await own(deps, projectId, url)) ?? fetched(deps, url, signal)
  if (!BASE64.test(base64 as string)) throw badRequest('Error in payload.binary_body.base64: is not base64')
  const bytes = Buffer.from(base64 as string, 'base64')
  if (bytes.length > BASE64_BYTES_MAX)
    throw badRequest('Error in payload.binary_body.base64: holds more than 4 MB; give a url instead')
  return new FileBytes('file', undefined, bytes)
}

/** What another tool answered with is here already; from outside this server may not even be reached under that address. */
async function own({ files }: EngineDeps, projectId: string, url: string): Promise<FileBytes | undefined> {
  const file = await files.readAddress?.(projectId, url)
  return file && new FileBytes(file.filename, file.mimetype, file.bytes)
}

async function fetched({ egress, files }: EngineDeps, url: string, signal: AbortSignal): Promise<FileBytes> {
  try {
    const { status, headers, body } = await egress.send({
      method: 'GET',
      url,
      headers: { accept: '*/*' },
      timeoutMs: TIMEOUT_MS,
      bytesMax: files.bytesMax,
      signal,
    })
    if (status < 200 || status > 299) throw badRequest(`Error in payload.binary_body.url: answers ${status}`)
    return new FileBytes('file', String(headers['content-type'] ?? '') || undefined, body)
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    if (error.kind === 'too_large')
      throw new ApiError(
        'File_TooLarge',
        `The file at binary_body.url is larger than ${Math.floor(files.bytesMax / 1_000_000)} MB.`,
        { cause: error },
      )
    throw badRequest(`Error in payload.binary_body.url: ${error.message}`)
  }
}
