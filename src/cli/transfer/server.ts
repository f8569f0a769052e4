import type { ApiVersion } from '../../contract/route.ts'
import { CallError } from '../api-client/call.ts'
import type { Connection } from '../api-client/connection.ts'
import { EXIT, type Io } from '../io.ts'

/** A server to read from or to write to. */
export interface Server {
  io: Io
  connection: Connection
  version: ApiVersion
}

/** Returns the message and the suggested fix of an error of the API. */
export function errorText(body: unknown): { message: string; fix: string } {
  const { error } = body as { error?: { message?: string; suggested_fix?: string } }
  return { message: error?.message ?? 'without a message', fix: error?.suggested_fix ?? '' }
}

/** Whether a response says that further requests fail too, unlike the rejection of one object. */
export const isServerTrouble = (status: number): boolean => [401, 403, 429].includes(status) || status >= 500

export function rejected(url: string, path: string, status: number, body: unknown): CallError {
  const { message, fix } = errorText(body)
  return new CallError(
    `${url} rejected ${path} with HTTP ${status}: ${message}`,
    fix || 'Check the URL and the API key.',
    status >= 500 ? EXIT.serverFault : EXIT.apiError,
  )
}
