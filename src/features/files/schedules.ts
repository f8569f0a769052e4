import type { Schedule } from '../../platform/jobs/index.ts'
import type { FileService } from './service.ts'

/** The scheduled jobs of files: removal of expired uploads, results and session files, and encryption of older ones. */
export const fileSchedules = (
  files: Pick<FileService, 'sweep' | 'encryptClearFiles'>,
): readonly Schedule[] => [
  { task: 'files.sweep', cron: '*/10 * * * *', run: files.sweep },
  { task: 'files.encrypt', cron: '17 * * * *', run: files.encryptClearFiles },
]
