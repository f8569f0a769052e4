import { join } from 'node:path'
import type { FileSettings } from '../features/files/index.ts'
import type { Config } from '../platform/config.ts'
import { type FileStore, localStore, spoolDirectory } from '../platform/storage/index.ts'
import type { S3Credentials } from '../platform/storage/s3.ts'
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
  | 'filesS3SessionToken'
  | 'filesS3PathStyle'
>

/**
 * Returns where and how long files are stored. Opens nothing yet. @throws StartupError for incomplete
 * settings
 */
export async function fileSettings(config: FileConfig & Partial<StoreConfig>): Promise<FileSettings> {
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

async function bucketOf(config: Partial<StoreConfig>): Promise<FileStore | undefined> {
  const { filesS3Bucket: bucket, filesS3Region: region = 'us-east-1', filesS3Endpoint: endpoint } = config
  if (bucket === undefined) return undefined
  const credentials = credentialsOf(config)
  const { s3Store } = await import('../platform/storage/s3.ts')
  return s3Store({ bucket, endpoint, region, credentials, pathStyle: config.filesS3PathStyle === 'true' })
}

/** The keys of the settings, or undefined for the credentials that the AWS SDK finds. @throws StartupError */
function credentialsOf({
  filesS3AccessKeyId: accessKeyId,
  filesS3SecretAccessKey: secretAccessKey,
  filesS3SessionToken: sessionToken,
}: Partial<StoreConfig>): S3Credentials | undefined {
  if (accessKeyId !== undefined && secretAccessKey !== undefined)
    return { accessKeyId, secretAccessKey, sessionToken }
  if (accessKeyId === undefined && secretAccessKey === undefined && sessionToken === undefined)
    return undefined
  throw new StartupError(
    'The credentials for FILES_S3_BUCKET are incomplete.',
    'Set FILES_S3_ACCESS_KEY_ID and FILES_S3_SECRET_ACCESS_KEY (and FILES_S3_SESSION_TOKEN for temporary ' +
      'credentials), or none of them to use a role or profile.',
  )
}
