import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { STATUS_CODES } from '../node-http.ts'
import { ApiError, badRequest } from '../api-error.ts'

/**
 * Responds with the error envelope to data that is not an HTTP request, or that arrives too slowly to be one:
 * no route or hook sees it. The connection is closed, because the start of the next request is unknown.
 */
export function respondToInvalidRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  if (socket.writable) socket.write(response(failureOf(error.code), randomUUID()))
  socket.destroy(error)
}

function failureOf(code: string | undefined): ApiError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new ApiError('HTTP_RequestTimeout', 'The request did not arrive in time.')
  if (code === 'HPE_HEADER_OVERFLOW')
    return new ApiError('HTTP_HeadersTooLarge', 'The URL and headers are larger than 16 KB.')
  return badRequest('Error in headers: the request is not valid HTTP')
}

function response(failure: ApiError, requestId: string): string {
  const body = JSON.stringify(failure.toEnvelope(requestId))
  return [
    `HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    'connection: close',
    '',
    body,
  ].join('\r\n')
}
