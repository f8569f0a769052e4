import { md5 } from '@noble/hashes/legacy.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { requestUpload, UploadRequest } from '../../../contract/files.ts'
import type { ReplyOf } from '../../../contract/route.ts'
import { ApiFailure, type ApiRequest, callApi, PREFIX } from '../../api/index.ts'
import { readFailure } from '../../api/failure.ts'
import { checkReachability, checkUnavailable } from '../../api/reachability.ts'

/** A file as tools take it: an argument that is marked with `file_uploadable`. */
export interface FileArgument {
  name: string
  mimetype: string
  s3key: string
}

/** What reads the file. */
export type UploadTarget = Pick<UploadRequest, 'toolkit_slug' | 'tool_slug'>

const ANY_TYPE = 'application/octet-stream'

/**
 * Uploads a file for a tool. Returns the argument of the tool, and the request that code has to send for the same.
 * @param onProgress called with the part that was sent, from 0 to 1
 * @throws ApiFailure
 */
export async function uploadFile(
  file: File,
  target: UploadTarget,
  onProgress: (part: number) => void,
  signal: AbortSignal,
): Promise<{ argument: FileArgument; request: ApiRequest }> {
  const mimetype = file.type || ANY_TYPE
  const body: UploadRequest = { ...target, filename: file.name, mimetype, md5: await hash(file, signal) }
  const request: ApiRequest = { method: 'POST', path: '/files/upload/request', body }
  const { key, new_presigned_url: url } = await callApi<ReplyOf<typeof requestUpload>>(request, signal)
  await send(onThisServer(url), file, mimetype, onProgress, signal)
  return { argument: { name: file.name, mimetype, s3key: key }, request }
}

/**
 * Returns a signed URL of a file on the host of the page. FILES_PUBLIC_URL may name another host, which the content
 * security policy does not allow; the server is the same.
 */
export function onThisServer(url: string): string {
  const { pathname, search } = new URL(url)
  const at = pathname.search(/\/files\/(?:get|put)\/[^/]*$/)
  return at < 0 ? url : `${PREFIX}${pathname.slice(at)}${search}`
}

async function hash(file: File, signal: AbortSignal): Promise<string> {
  const digest = md5.create()
  const reader = file.stream().getReader()
  try {
    for (;;) {
      signal.throwIfAborted()
      const { done, value } = await reader.read()
      if (done) return bytesToHex(digest.digest())
      digest.update(value)
    }
  } catch (error) {
    signal.throwIfAborted()
    throw new ApiFailure('The file cannot be read.', {
      fix: 'Check that it still exists and that you may read it, then choose it again.',
      ...(error instanceof Error && { slug: error.name }),
    })
  } finally {
    reader.releaseLock()
  }
}

/** Sends the content. `fetch` reports no progress of what it sends. */
function send(
  url: string,
  file: File,
  mimetype: string,
  onProgress: (part: number) => void,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('PUT', url)
    request.setRequestHeader('content-type', mimetype)
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    request.onload = () => {
      if (request.status < 300) resolve()
      else {
        checkUnavailable(request.status)
        void readFailure(new Response(request.responseText, { status: request.status })).then(reject)
      }
    }
    request.onerror = () => {
      void checkReachability()
      reject(
        new ApiFailure('The upload was interrupted.', {
          fix: 'Check the connection and the size of the file, then try again.',
        }),
      )
    }
    signal.addEventListener('abort', () => {
      request.abort()
      reject(signal.reason as Error)
    })
    request.send(file)
  })
}
