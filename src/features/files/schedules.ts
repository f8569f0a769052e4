import type { Schedule } from '../../platform/jobs/index.ts'
import type { FileService } from './service.ts'

/** The scheduled jobs of files: removal of expired uploads, results and session files. */
export const fileSchedules = (files: Pick<FileService, 'sweep'>): readonly Schedule[] => [
  { task: 'files.sweep', cron: '*/10 * * * *', run: files.sweep },
]
