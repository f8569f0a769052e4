import type { Config } from '../config.ts'
import { managedAuth, managedAuthFile } from './managed-auth-credentials.ts'
import {
  allowList,
  databaseUrl,
  directory,
  keyRing,
  listenHost,
  matching,
  oneOf,
  optional,
  publicUrl,
  secondsList,
  wholeNumber,
  type Rule,
} from './rules.ts'

export interface Setting<T> {
  name: string
  rule: Rule<T>
  /** As it would be written in the environment, '' being no value; or what follows from the settings before it. */
  default: string | ((before: Partial<Config>) => T)
  /** In place of the default in the reference, where no fixed text says it. */
  defaultMeans?: string
  /** Shown in `.env.example` when there is no default. */
  example?: string
  /** Its value is never shown, in no message. */
  secret?: true
  description: string
}

const apiKey = (prefix: string): Rule<string> =>
  matching(
    new RegExp(`^${prefix}_[A-Za-z0-9_-]{16,128}$`),
    `\`${prefix}_\` and 16 to 128 letters, digits, _ or -`,
  )

/** Every setting there is. `.env.example` and `docs/reference/configuration.md` are written from this table. */
export const settings: { [Field in keyof Config]: Setting<Config[Field]> } = {
  port: {
    name: 'PORT',
    rule: wholeNumber(0, 65535),
    default: '3900',
    description: 'The port to listen on. 0 takes any free one, for tests.',
  },
  host: {
    name: 'HOST',
    rule: listenHost,
    default: '127.0.0.1',
    description:
      'The address to listen on. The default can be reached from this machine only, because a server that holds credentials should not be open to a network by accident. ' +
      'Set 0.0.0.0 in a container, or to be reached from other machines.',
  },
  publicUrl: {
    name: 'PUBLIC_URL',
    rule: publicUrl,
    default: ({ port }) => `http://localhost:${port}`,
    defaultMeans: '`http://localhost:PORT`',
    example: 'https://patchbay.example.com',
    description:
      'Where users and providers reach this server. OAuth redirect addresses, webhook addresses and links begin with it.',
  },
  filesPublicUrl: {
    name: 'FILES_PUBLIC_URL',
    rule: optional(publicUrl),
    default: '',
    defaultMeans: 'PUBLIC_URL',
    example: 'https://files.example.com',
    description:
      'Where clients reach uploaded and answered files, if not at PUBLIC_URL: a host of its own keeps them apart from the API. Send it to this server.',
  },
  dataDir: {
    name: 'DATA_DIR',
    rule: directory,
    default: '.patchbay',
    description: 'Where the built-in PostgreSQL, files and the key file are kept. Back it up.',
  },
  databaseUrl: {
    name: 'DATABASE_URL',
    rule: optional(databaseUrl),
    default: '',
    defaultMeans: 'a PostgreSQL of its own, in DATA_DIR',
    example: 'postgres://user:password@localhost:5432/patchbay',
    secret: true,
    description: 'A PostgreSQL 14 or later. Needed to run several servers.',
  },
  databasePoolMax: {
    name: 'DATABASE_POOL_MAX',
    rule: wholeNumber(1, 1000),
    default: '10',
    description: 'Connections to the database that this process opens at most.',
  },
  role: {
    name: 'ROLE',
    rule: oneOf('all', 'serve', 'work'),
    default: 'all',
    description: 'What this process does: `serve` answers HTTP, `work` runs jobs, `all` does both.',
  },
  wireBrand: {
    name: 'WIRE_BRAND',
    rule: matching(/^[a-z][a-z0-9]{1,30}$/, '2 to 31 lower-case letters and digits, beginning with a letter'),
    default: 'service',
    description:
      'The word that stands in place of `service` in the keys, headers and names of the API, for clients that were made for another server.',
  },
  encryptionKeys: {
    name: 'ENCRYPTION_KEYS',
    rule: optional(keyRing),
    default: '',
    defaultMeans: 'a key made at the first start, in `DATA_DIR/encryption.keys`',
    example: '2026a:<output of: openssl rand -base64 32>',
    secret: true,
    description:
      'The keys that stored credentials are encrypted with. The first encrypts, all of them decrypt: to rotate, put a new one in front and keep the old ones. ' +
      'Whoever loses a key loses what it encrypted. Servers that share a database need the same keys.',
  },
  bootstrapProjectApiKey: {
    name: 'BOOTSTRAP_PROJECT_API_KEY',
    rule: optional(apiKey('ak')),
    default: '',
    defaultMeans: 'a random key',
    example: 'ak_<16 to 128 characters>',
    secret: true,
    description: 'The API key of the first project, made at the first start on an empty database.',
  },
  bootstrapOrgApiKey: {
    name: 'BOOTSTRAP_ORG_API_KEY',
    rule: optional(apiKey('oak')),
    default: '',
    defaultMeans: 'a random key',
    example: 'oak_<16 to 128 characters>',
    secret: true,
    description: 'The API key of the organization, made at the first start on an empty database.',
  },
  managedAuthFile: {
    name: 'MANAGED_AUTH_FILE',
    rule: optional(managedAuthFile),
    default: '',
    defaultMeans: 'none',
    example: '/run/secrets/managed-auth.json',
    description:
      'Your own OAuth apps, for every project of this server: with credentials for a toolkit here, projects can use `use_service_managed_auth`. See docs/guides/managed-oauth-apps.md.',
  },
  managedAuth: {
    name: 'MANAGED_AUTH',
    rule: optional(managedAuth),
    default: '',
    defaultMeans: 'none',
    example: '{"github":{"OAUTH2":{"client_id":"…","client_secret":"…"}}}',
    secret: true,
    description:
      'The content of MANAGED_AUTH_FILE itself, where a variable is easier to give than a file. With both, each scheme of a toolkit may stand in one of them.',
  },
  fileMegabytesMax: {
    name: 'FILE_MEGABYTES_MAX',
    rule: wholeNumber(1, 1_000),
    default: '100',
    description: 'The size of the largest file that can be uploaded, or that a tool can answer with.',
  },
  filesMegabytesPerProject: {
    name: 'FILES_MEGABYTES_PER_PROJECT',
    rule: wholeNumber(1, 100_000_000),
    default: '10000',
    description:
      'All files of one project together. Beyond it nothing more is stored until older files have expired.',
  },
  fileRetentionHours: {
    name: 'FILE_RETENTION_HOURS',
    rule: wholeNumber(1, 8_760),
    default: '24',
    description: 'How long a file is kept after it was uploaded or answered.',
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
    defaultMeans: 'files are kept in `DATA_DIR/files`',
    example: 'patchbay-files',
    description:
      "Keeps files in this bucket of Amazon S3, or of a server that speaks its protocol. Servers on several machines need it: a directory is only one machine's.",
  },
  filesS3Endpoint: {
    name: 'FILES_S3_ENDPOINT',
    rule: optional(publicUrl),
    default: '',
    defaultMeans: 'Amazon, in FILES_S3_REGION',
    example: 'http://minio.internal:9000',
    description: 'Where the bucket is. It may be a private address.',
  },
  filesS3Region: {
    name: 'FILES_S3_REGION',
    rule: matching(/^[a-z0-9-]{2,40}$/, 'the name of a region: lower-case letters, digits and hyphens'),
    default: 'us-east-1',
    description: 'The region that requests to the bucket are signed for.',
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
      'The session token of temporary credentials. They are not refreshed: use a role where the server runs for longer.',
  },
  filesS3PathStyle: {
    name: 'FILES_S3_PATH_STYLE',
    rule: oneOf('false', 'true'),
    default: 'false',
    description:
      'Whether the bucket stands in the path of addresses in place of the host name, as most servers other than Amazon want it.',
  },
  llmBaseUrl: {
    name: 'LLM_BASE_URL',
    rule: optional(publicUrl),
    default: '',
    defaultMeans: 'no language model',
    example: 'https://api.openai.com/v1',
    description:
      'An OpenAI-compatible API, with its version, that reads tasks in words (`text` of an execution). It may be a private address, such as a model on your own machine.',
  },
  llmModel: {
    name: 'LLM_MODEL',
    rule: optional(matching(/^[\x21-\x7e]{1,200}$/, '1 to 200 printable characters without spaces')),
    default: '',
    defaultMeans: 'needed with LLM_BASE_URL',
    example: 'gpt-5-mini',
    description: 'The model to ask.',
  },
  llmApiKey: {
    name: 'LLM_API_KEY',
    rule: optional(matching(/^[\x21-\x7e]{1,1000}$/, '1 to 1000 printable characters without spaces')),
    default: '',
    defaultMeans: 'none is sent',
    example: 'sk-…',
    secret: true,
    description: 'The key for LLM_BASE_URL.',
  },
  egressAllow: {
    name: 'EGRESS_ALLOW',
    rule: allowList,
    default: '',
    defaultMeans: 'public addresses only',
    example: '10.0.0.0/8,[fd00::1]:8443,jira.internal:443',
    description:
      'What requests to providers, webhooks and proxies may reach besides public addresses. A host name opens every address it resolves to, for that name only.',
  },
  simulatorUrl: {
    name: 'SIMULATOR_URL',
    rule: optional(publicUrl),
    default: '',
    defaultMeans: 'none',
    example: 'http://127.0.0.1:9400',
    description:
      'For tests and demos: every request to an application or a provider goes to this simulator instead (`npm run simulate`), with the credentials that it carries, and reaches no application. See docs/guides/test-an-agent-offline.md.',
  },
  recordFile: {
    name: 'RECORD_FILE',
    rule: optional(directory),
    default: '',
    defaultMeans: 'none',
    example: 'cassette.jsonl',
    description:
      'For tests: every execution of this process is written to this file, without secrets; `patchbay record` sets it. What applications answered is in it, so keep it private.',
  },
  recordProject: {
    name: 'RECORD_PROJECT',
    rule: optional(matching(/^pr_[A-Za-z0-9_-]+$/, 'the id of a project, `pr_…`')),
    default: '',
    defaultMeans: 'every project',
    example: 'pr_Xy12',
    description: 'The one project whose executions RECORD_FILE gets.',
  },
  replayFile: {
    name: 'REPLAY_FILE',
    rule: optional(directory),
    default: '',
    defaultMeans: 'none',
    example: 'cassette.jsonl',
    description:
      'For tests: executions are answered from this cassette and need no connected account; no application is reached. `patchbay replay` sets it.',
  },
  rateLimitPerMinute: {
    name: 'RATE_LIMIT_PER_MINUTE',
    rule: wholeNumber(0, 100_000_000),
    default: '10000',
    description:
      'Requests that one organization may make in a minute, all its keys and all servers together. 0 is no limit.',
  },
  logRetentionDays: {
    name: 'LOG_RETENTION_DAYS',
    rule: wholeNumber(0, 36_500),
    default: '30',
    description:
      'How many days the log of tool executions is kept; usage is counted from it. 0 keeps it for ever. Older rows are removed every ten minutes.',
  },
  webhookRetrySeconds: {
    name: 'WEBHOOK_RETRY_SECONDS',
    rule: secondsList(20, 86_400),
    default: '5,300,1800,7200,18000,36000,36000',
    description:
      'How long a webhook delivery that failed waits before each further attempt, in seconds; as many attempts as there are waits, after the first. Each is up to a fifth shorter or longer.',
  },
  logLevel: {
    name: 'LOG_LEVEL',
    rule: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    default: 'info',
    description: 'The least important lines that are logged.',
  },
}
