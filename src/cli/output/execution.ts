import { EXIT, type Io, painter, printable } from '../io.ts'
import { details } from './details.ts'
import { printJson } from './reply.ts'

interface Execution {
  successful?: boolean
  data?: unknown
  error?: string | null
  log_id?: string
}

/** Prints the result of a tool. A tool that failed has its own exit code. */
export function printExecution(io: Io, body: unknown, asJson: boolean): number {
  const { successful, data, error, log_id: logId } = body as Execution
  const exitCode = successful === false ? EXIT.toolFailed : EXIT.ok
  if (asJson) {
    printJson(io, body)
    return exitCode
  }
  const paint = painter(io, io.stderr)
  const isEmpty = typeof data !== 'object' || data === null || Object.keys(data).length === 0
  if (!isEmpty) io.stdout.write(details(io, data))
  if (exitCode !== EXIT.ok)
    io.stderr.write(`${paint('red', 'tool failed:')} ${printable(error || 'it returned no reason')}\n`)
  else if (isEmpty) io.stderr.write(`${paint('dim', 'Done. The tool returned no data.')}\n`)
  if (logId) io.stderr.write(`${paint('dim', `log ${printable(logId)}`)}\n`)
  return exitCode
}
