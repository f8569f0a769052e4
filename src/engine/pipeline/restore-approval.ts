import type { RunReport } from '../../platform/pipeline.ts'
import type { CallStart, HasAuthorization, StepDeps } from './context.ts'

/**
 * Restores the approval of a call that failed before anything was sent, for example because the application could not
 * be reached or a file was missing. The person need not approve the same call twice.
 */
export async function restoreApproval(
  { trace, usedApproval }: CallStart & HasAuthorization,
  _deps: StepDeps,
  { outcome }: RunReport<object>,
): Promise<void> {
  const hasFailed = outcome === undefined || ('successful' in outcome && !outcome.successful)
  if (usedApproval && hasFailed && !trace.wasSent) await usedApproval.restore()
}
