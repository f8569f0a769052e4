import { matching, oneOf, optional, publicUrl, wholeNumber } from '../rules.ts'
import type { SomeSettings } from './setting.ts'

/** Settings of responses in memory and stored files. */
export const filesSettings = {
  responseMegabytesMax: {
    name: 'RESPONSE_MEGABYTES_MAX',
    rule: wholeNumber(16, 100_000),
    default: '256',
    description:
      'The total size of the responses of applications that a process has in memory, in megabytes. Above three ' +
      'quarters of it, new calls are rejected with 503 and Retry-After. Set it to less than half of the memory.',
  },
  fileMegabytesMax: {
    name: 'FILE_MEGABYTES_MAX',
    rule: wholeNumber(1, 1_000),
    default: '100',
    description: 'The largest file that can be uploaded or returned by a tool, in megabytes.',
  },
  filesMegabytesPerProject: {
    name: 'FILES_MEGABYTES_PER_PROJECT',
    rule: wholeNumber(1, 100_000_000),
    default: '10000',
    description:
      'The total size of the files of one project, in megabytes. When it is reached, no file is stored ' +
      'until older files expire.',
  },
  fileRetentionHours: {
    name: 'FILE_RETENTION_HOURS',
    rule: wholeNumber(1, 8_760),
    default: '24',
    description: 'How long a file is stored after it was uploaded or returned, in hours.',
  },
  filesS3Bucket: {
    name: 'FILES_S3_BUCKET',
    rule: optional(
      matching(
        /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
        'the name of a bucket: 3 to 63 lower-case letters, digits, dots and hyphens',
      ),
    ),
    default: '',
    defaultMeans: 'files are stored in `DATA_DIR/files`',
    example: 'patchbay-files',
    description:
      'A bucket of Amazon S3, or of a server with the same API, that stores files. Required for servers ' +
      'on several machines, which do not share a directory.',
  },
  filesS3Endpoint: {
    name: 'FILES_S3_ENDPOINT',
    rule: optional(publicUrl),
    default: '',
    defaultMeans: 'the endpoint of Amazon S3 for FILES_S3_REGION',
    example: 'http://minio.internal:9000',
    description: 'The endpoint of the bucket. It may have a private IP address.',
  },
  filesS3Region: {
    name: 'FILES_S3_REGION',
    rule: matching(/^[a-z0-9-]{2,40}$/, 'the name of a region: lower-case letters, digits and hyphens'),
    default: 'us-east-1',
    description: 'The region of the bucket, for which requests are signed.',
  },
  filesS3AccessKeyId: {
    name: 'FILES_S3_ACCESS_KEY_ID',
    rule: optional(matching(/^[\x21-\x7e]{1,256}$/, '1 to 256 printable characters without spaces')),
    default: '',
    defaultMeans:
      'the credentials that the AWS SDK finds: variables, profile, web identity, or role of the container or machine',
    example: 'AKIA…',
    description:
      'Id of the key that may read, write and delete objects in the bucket. Leave it out to use a role or a profile.',
  },
  filesS3SecretAccessKey: {
    name: 'FILES_S3_SECRET_ACCESS_KEY',
    rule: optional(matching(/^[\x21-\x7e]{1,512}$/, '1 to 512 printable characters without spaces')),
    default: '',
    defaultMeans: 'needed with FILES_S3_ACCESS_KEY_ID',
    example: '<secret>',
    secret: true,
    description: 'The secret of FILES_S3_ACCESS_KEY_ID.',
  },
  filesS3SessionToken: {
    name: 'FILES_S3_SESSION_TOKEN',
    rule: optional(matching(/^[\x21-\x7e]{1,4096}$/, '1 to 4096 printable characters without spaces')),
    default: '',
    defaultMeans: 'none',
    example: '<session token>',
    secret: true,
    description:
      'The session token of temporary credentials. They are not refreshed: use a role where the server ' +
      'runs for longer.',
  },
  filesS3PathStyle: {
    name: 'FILES_S3_PATH_STYLE',
    rule: oneOf('false', 'true'),
    default: 'false',
    description:
      'Whether the bucket is in the path of URLs instead of the host name. Most servers other than ' +
      'Amazon S3 require it.',
  },
} satisfies SomeSettings
