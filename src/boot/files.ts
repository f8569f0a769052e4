import { join } from 'node:path'
import type { FileSettings } from '../features/files/index.ts'
import type { Config } from '../platform/config.ts'
import { localStore, spoolDirectory } from '../platform/storage/index.ts'

const MEGABYTE = 1_000_000
const HOUR_MS = 3_600_000

/** Where files are kept and for how long. Nothing is opened or made before a file comes. */
export function filesOf(config: Pick<Config, 'dataDir' | 'publicUrl' | 'filesPublicUrl' | 'fileMegabytesMax' | 'filesMegabytesPerProject' | 'fileRetentionHours'>): FileSettings {
  const directory = join(config.dataDir, 'files')
  return {
    store: localStore(directory), spool: spoolDirectory(join(directory, 'incoming')), url: config.filesPublicUrl ?? config.publicUrl,
    bytesMax: config.fileMegabytesMax * MEGABYTE, projectBytesMax: config.filesMegabytesPerProject * MEGABYTE, retentionMs: config.fileRetentionHours * HOUR_MS,
  }
}
