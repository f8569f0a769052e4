import { ApiError } from '../../platform/http/api-error.ts'
import type { FileDeps } from './context.ts'
import { readUsage } from './store.ts'

const FILES_PER_PROJECT_MAX = 100_000
const MEGABYTE = 1_000_000

type QuotaDeps = Pick<FileDeps, 'db' | 'settings' | 'budget'>

/**
 * Checks that a project, and the session that the file belongs to, may store more bytes. Not exact for concurrent
 * uploads: it limits growth, it is not an account.
 * @throws ApiError
 */
export async function assertQuota(
  { db, settings: { projectBytesMax }, budget }: QuotaDeps,
  projectId: string,
  moreBytes: number,
  sessionId?: string | null,
): Promise<void> {
  const { files, bytes } = await readUsage(db, projectId)
  if (files >= FILES_PER_PROJECT_MAX || bytes + moreBytes > projectBytesMax)
    throw new ApiError(
      'File_QuotaExceeded',
      `The project has ${files} files with ${Math.ceil(bytes / MEGABYTE)} MB; the limits are ` +
        `${FILES_PER_PROJECT_MAX} files and ${Math.floor(projectBytesMax / MEGABYTE)} MB.`,
    )
  assertFits('project', bytes, moreBytes, await budget.bytesMax(projectId))
  if (!sessionId) return
  const sessionBytesMax = await budget.bytesMax(projectId, sessionId)
  if (sessionBytesMax === undefined) return
  const ofSession = await readUsage(db, projectId, sessionId)
  assertFits('session', ofSession.bytes, moreBytes, sessionBytesMax)
}

/** @throws ApiError Budget_Exceeded */
function assertFits(
  owner: 'project' | 'session',
  bytes: number,
  moreBytes: number,
  bytesMax: number | undefined,
): void {
  if (bytesMax === undefined || bytes + moreBytes <= bytesMax) return
  throw new ApiError(
    'Budget_Exceeded',
    `The ${owner} stores ${bytes} bytes of files, and its budget is ${bytesMax} bytes: ` +
      `${moreBytes} more do not fit.`,
  )
}

/** Reports what a project, and the session of the file, store after a file was added, to their budgets. */
export async function recordStorage(
  { db, budget }: QuotaDeps,
  projectId: string,
  sessionId?: string | null,
): Promise<void> {
  for (const session of sessionId ? [undefined, sessionId] : [undefined]) {
    if ((await budget.bytesMax(projectId, session)) === undefined) continue
    const { bytes } = await readUsage(db, projectId, session)
    await budget.record(projectId, bytes, session)
  }
}
