import type { SessionCaller, SessionScope } from '../../features/sessions/index.ts'
import {
  createRunForwarder,
  createSandboxLease,
  type ForwardedRun,
  runForwarded,
  type WorkbenchDeps,
} from '../../features/sessions/workbench/index.ts'
import { runInProject } from '../../platform/db/project-scope.ts'
import { randomText } from '../../platform/ids.ts'
import { createSandboxes } from '../../sandbox/index.ts'
import type { AppOptions, WorkbenchOptions } from '../options.ts'
import type { ExecutionPart } from './execution.ts'
import type { PlatformPart } from './platform.ts'

export type Workbench = Omit<WorkbenchDeps, 'isMeta'> & { readonly owner: string }
/** Opens a session for a caller of another server. */
export type OpenSession = (sessionId: string, caller: SessionCaller) => Promise<SessionScope>

const RUN_MS = 180_000

/** The sandboxes of sessions in this process. */
export function createWorkbench(
  { driver, limits, mountBytesMax, timeoutMs = RUN_MS, searchTool }: WorkbenchOptions,
  { wireBrand }: AppOptions,
  { db, encryptor, changes }: PlatformPart,
  { engine, files, model, budgets: { meter } }: ExecutionPart,
): Workbench {
  const owner = randomText(16)
  const sandboxes = createSandboxes(driver, limits)
  changes.on('sandbox_moved', ({ sessionId, owner: newOwner }) => {
    if (newOwner !== owner) sandboxes.stop(sessionId, 'the session moved to another server')
  })
  return {
    meter: {
      requireRemaining: (scope) => meter.requireRemaining(scope, 'sandbox_seconds'),
      record: (scope, seconds) => meter.record(scope, 'sandbox_seconds', seconds),
    },
    sandboxes,
    owner,
    lease: createSandboxLease({ db, encryptor }, owner),
    forwarder: createRunForwarder({ db, encryptor }, owner),
    proxy: engine.executeProxy,
    mounts: files.mounts,
    saveFile: files.save,
    model,
    searchTool,
    mountBytesMax,
    timeoutMs,
    brand: wireBrand,
  }
}

/** Runs code for other servers whose sessions have their sandboxes in this process. */
export function serveForwardedRuns(
  deps: WorkbenchDeps & Pick<Workbench, 'owner'>,
  { changes, log }: PlatformPart,
  open: OpenSession,
): void {
  changes.on('sandbox_run_waiting', ({ runId, projectId, owner }) => {
    if (owner !== deps.owner) return
    const perform = ({ caller, sessionId, ...run }: ForwardedRun) =>
      runForwarded(deps, { ...run, caller, sessionId }, () =>
        open(sessionId, { ...caller, projectId, log: log.child({ request_id: caller.requestId }) }),
      )
    runInProject(projectId, () => deps.forwarder.serve(runId, perform)).catch((error: unknown) =>
      log.error({ err: error, project_id: projectId }, 'code of another server could not be run'),
    )
  })
}
