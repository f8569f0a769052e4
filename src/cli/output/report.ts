import type { ApiReply } from '../api-client/call.ts'
import { EXIT, type Io } from '../io.ts'
import { printExecution } from './execution.ts'
import { printApiError } from './failure.ts'
import { printReply } from './reply.ts'

/** Prints a response, and returns the exit code. */
export function printResult(
  io: Io,
  operationId: string,
  { status, body }: ApiReply,
  asJson: boolean,
): number {
  if (status >= 400) return printApiError(io, status, body, asJson)
  if (operationId === 'tools.execute') return printExecution(io, body, asJson)
  printReply(io, operationId, body, asJson)
  return EXIT.ok
}
