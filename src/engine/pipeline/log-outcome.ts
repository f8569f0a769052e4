import { toApiError } from '../../platform/http/server/api-errors.ts'
import type { RunReport } from '../../platform/pipeline.ts'
import { createLogRow, type LoggedCall } from '../execution-log/log-row.ts'
import type { ToolResult } from '../types.ts'
import type { StepDeps } from './context.ts'

/** Writes the log row of a call that has ended, also if it failed before an account was chosen. */
export function logOutcome(
  logged: LoggedCall,
  deps: StepDeps,
  { outcome, error }: RunReport<ToolResult>,
): Promise<void> {
  return writeOutcome(logged, deps, outcome ? (outcome.loggedAs ?? outcome) : errorResult(error))
}

export function errorResult(error: unknown): ToolResult {
  return { data: {}, error: toApiError(error).message, successful: false, statusCode: null }
}

/**
 * The caller receives the outcome even if the row cannot be written: after an error the caller would repeat the
 * call, and an email would be sent twice.
 */
export async function writeOutcome(logged: LoggedCall, deps: StepDeps, result: ToolResult): Promise<void> {
  const { call, logId } = logged
  try {
    await deps.writeLogRow(createLogRow(logged, result))
  } catch (error) {
    call.log?.error(
      { err: error, log_id: logId, request_id: call.requestId },
      'The log row of a call could not be written.',
    )
  }
}
