import { ApiError } from '../../platform/http/api-error.ts'
import type { FileDeps } from './context.ts'
import { readUsage } from './store.ts'

const FILES_PER_PROJECT_MAX = 100_000
const MEGABYTE = 1_000_000

type QuotaDeps = Pick<FileDeps, 'db' | 'settings' | 'budget'>

/**
 * Checks that a project may store more bytes. Not exact for concurrent uploads: it limits growth, it is not
 * an account.
 * @throws ApiError
 */
export async function assertQuota(
  { db, settings: { projectBytesMax }, budget }: QuotaDeps,
  projectId: string,
  moreBytes: number,
): Promise<void> {
  const { files, bytes } = await readUsage(db, projectId)
  if (files >= FILES_PER_PROJECT_MAX || bytes + moreBytes > projectBytesMax)
    throw new ApiError(
      'File_QuotaExceeded',
      `The project has ${files} files with ${Math.ceil(bytes / MEGABYTE)} MB; the limits are ` +
        `${FILES_PER_PROJECT_MAX} files and ${Math.floor(projectBytesMax / MEGABYTE)} MB.`,
    )
  const budgetBytes = await budget.bytesMax(projectId)
  if (budgetBytes !== undefined && bytes + moreBytes > budgetBytes)
    throw new ApiError(
      'Budget_Exceeded',
      `The project stores ${bytes} bytes of files, and its budget is ${budgetBytes} bytes: ` +
        `${moreBytes} more do not fit.`,
    )
}

/** Reports what a project stores, after a file was added, to its budget. */
export async function recordStorage({ db, budget }: QuotaDeps, projectId: string): Promise<void> {
  if ((await budget.bytesMax(projectId)) === undefined) return
  const { bytes } = await readUsage(db, projectId)
  await budget.record(projectId, bytes)
}
