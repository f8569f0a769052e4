import { join } from 'node:path'
import type { FileSettings } from '../features/files/index.ts'
import type { Config } from '../platform/config.ts'
import { type FileStore, localStore, spoolDirectory } from '../platform/storage/index.ts'
import { StartupError } from '../platform/startup-error.ts'

const MEGABYTE = 1_000_000
const HOUR_MS = 3_600_000

type FileConfig = Pick<
  Config,
  | 'dataDir'
  | 'publicUrl'
  | 'filesPublicUrl'
  | 'fileMegabytesMax'
  | 'filesMegabytesPerProject'
  | 'fileRetentionHours'
>
type StoreConfig = Pick<
  Config,
  | 'filesS3Bucket'
  | 'filesS3Endpoint'
  | 'filesS3Region'
  | 'filesS3AccessKeyId'
  | 'filesS3SecretAccessKey'
  | 'filesS3PathStyle'
>

/** Where files are kept and for how long. Nothing is opened or made before a file comes. @throws StartupError for half a bucket */
export async function filesOf(config: FileConfig & Partial<StoreConfig>): Promise<FileSettings> {
  const directory = join(config.dataDir, 'files')
  return {
    store: (await bucketOf(config)) ?? localStore(directory),
    spool: spoolDirectory(join(directory, 'incoming')),
    url: config.filesPublicUrl ?? config.publicUrl,
    bytesMax: config.fileMegabytesMax * MEGABYTE,
    projectBytesMax: config.filesMegabytesPerProject * MEGABYTE,
    retentionMs: config.fileRetentionHours * HOUR_MS,
  }
}

async function bucketOf({
  filesS3Bucket: bucket,
  filesS3Endpoint: endpoint,
  filesS3Region: region = 'us-east-1',
  filesS3AccessKeyId: accessKeyId,
  filesS3SecretAccessKey: secretAccessKey,
  filesS3PathStyle,
}: Partial<StoreConfig>): Promise<FileStore | undefined> {
  if (bucket === undefined) return undefined
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw new StartupError(
      'FILES_S3_BUCKET is set without the credentials for it.',
      'Set FILES_S3_ACCESS_KEY_ID and FILES_S3_SECRET_ACCESS_KEY, or leave the bucket out to keep files in DATA_DIR.',
    )
  const { s3Store } = await import('../platform/storage/s3.ts')
  return s3Store({
    bucket,
    endpoint,
    region,
    accessKeyId,
    secretAccessKey,
    pathStyle: filesS3PathStyle === 'true',
  })
}
