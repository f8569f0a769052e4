import { createLogRow } from '../execution-log/log-row.ts'
import type {
  CallStart,
  HasArguments,
  HasConnection,
  HasOperation,
  HasStartedRow,
  StepDeps,
} from './context.ts'

const NOT_LOGGED: HasStartedRow = { isStartLogged: false }
const LOGGED: HasStartedRow = { isStartLogged: true }

type Loggable = CallStart & HasOperation & HasConnection & HasArguments

/**
 * Writes the log row of a call that may change something, so that a crash while it is sent leaves a trace. A call
 * that sends several requests is logged before the first one; if that fails, nothing is sent.
 */
export function logBeforeSend(context: Loggable, deps: StepDeps): HasStartedRow | Promise<HasStartedRow> {
  const { operation, trace } = context
  if (operation.tool.effect === 'read') return NOT_LOGGED
  trace.startRow ??= writeStartRow(context, deps)
  return trace.startRow.then(() => LOGGED)
}

async function writeStartRow(context: Loggable, deps: StepDeps): Promise<void> {
  await deps.writeLogRow(createLogRow(context))
  context.call.onBeforeSend?.()
}
