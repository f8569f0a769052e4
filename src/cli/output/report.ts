import type { Answer } from '../api-client/call.ts'
import { EXIT, type Io } from '../io.ts'
import { printExecution } from './execution.ts'
import { printRefusal } from './failure.ts'
import { printReply } from './reply.ts'

/** Prints an answer and says which exit code it means. */
export function report(io: Io, operationId: string, { status, body }: Answer, asJson: boolean): number {
  if (status >= 400) return printRefusal(io, status, body, asJson)
  if (operationId === 'tools.execute') return printExecution(io, body, asJson)
  printReply(io, operationId, body, asJson)
  return EXIT.ok
}
