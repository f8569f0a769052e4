import { createSandboxLease, type WorkbenchDeps } from '../../features/sessions/workbench/index.ts'
import { randomText } from '../../platform/ids.ts'
import { createSandboxes } from '../../sandbox/index.ts'
import type { AppOptions, WorkbenchOptions } from '../options.ts'
import type { ExecutionPart } from './execution.ts'
import type { PlatformPart } from './platform.ts'

export type Workbench = Omit<WorkbenchDeps, 'isMeta'>

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
    lease: createSandboxLease({ db, encryptor }, owner),
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
