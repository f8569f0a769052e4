import type { Pool } from '../../platform/db/sql.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { readUsage } from './store.ts'

const FILES_PER_PROJECT_MAX = 100_000
const MEGABYTE = 1_000_000

/**
 * Checks that a project may store more bytes. Not exact for concurrent uploads: it limits growth, it is not
 * an account.
 * @throws ApiError
 */
export async function assertQuota(
  db: Pool,
  projectBytesMax: number,
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
}
