import { CallError } from '../api-client/call.ts'
import { EXIT, type Io, painter, printable } from '../io.ts'
import { UsageError } from '../arguments/usage-error.ts'
import { printJson } from './reply.ts'

interface ApiErrorBody {
  error?: {
    message?: string
    code?: number
    slug?: string
    status?: number
    request_id?: string
    suggested_fix?: string
    errors?: readonly string[]
  }
}

/**
 * A 502 with an error of Patchbay is about the application: its URL is not allowed, or it does not respond. The
 * server itself works. Without such an error, a proxy responded for a server that does not.
 */
const exitCodeOf = (status: number, { slug }: NonNullable<ApiErrorBody['error']>): number =>
  status >= 500 && !(status === 502 && slug !== undefined) ? EXIT.serverFault : EXIT.apiError

/** Prints an error response, and returns the exit code. */
export function printApiError(io: Io, status: number, body: unknown, asJson: boolean): number {
  const { error = {} } = (body ?? {}) as ApiErrorBody
  const exitCode = exitCodeOf(status, error)
  if (asJson) {
    printJson(io, body)
    return exitCode
  }
  const paint = painter(io, io.stderr)
  const identity = [
    error.slug && `${error.slug}${error.code === undefined ? '' : ` (${error.code})`}`,
    `HTTP ${status}`,
    error.request_id && `request ${error.request_id}`,
  ]
  write(io, [
    `${paint('red', 'error:')} ${printable(error.message ?? `The server returned ${status}.`)}`,
    ...(error.errors ?? [])
      .filter((detail) => detail !== error.message)
      .map((detail) => `  - ${printable(detail)}`),
    ...(error.suggested_fix ? [`${paint('green', 'fix:')} ${printable(error.suggested_fix)}`] : []),
    paint('dim', printable(identity.filter(Boolean).join(' · '))),
  ])
  return exitCode
}

/** Prints why a call could not be made, and returns the exit code. */
export function printLocalError(io: Io, failure: UsageError | CallError, asJson: boolean): number {
  const paint = painter(io, io.stderr)
  if (asJson)
    io.stderr.write(
      `${JSON.stringify({ error: { message: failure.message, suggested_fix: failure.fix } }, null, 2)}\n`,
    )
  else
    write(io, [
      `${paint('red', 'error:')} ${printable(failure.message)}`,
      `${paint('green', 'fix:')} ${failure.fix}`,
    ])
  return failure instanceof CallError ? failure.exitCode : EXIT.usage
}

function write(io: Io, lines: readonly string[]): void {
  io.stderr.write(lines.map((line) => `${line}\n`).join(''))
}
