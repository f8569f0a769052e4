import type { Config } from '../config.ts'
import { consoleSignInSettings } from './console-sign-in-settings.ts'
import { managedAuth, managedAuthFile } from './managed-auth-credentials.ts'
import {
  allowList,
  databaseUrl,
  directory,
  headerNames,
  mailServerUrl,
  keyRing,
  listenHost,
  matching,
  oneOf,
  optional,
  processCount,
  proxyList,
  publicUrl,
  secondsList,
  wholeNumber,
  type Rule,
} from './rules.ts'
import { hostPatterns, pairs, share } from './telemetry-rules.ts'

export interface Setting<T> {
  name: string
  rule: Rule<T>
  /** The text of the variable ('' is no value), or a function of the settings above it. */
  default: string | ((before: Partial<Config>) => T)
  /** Replaces the default in the reference, where it is not a fixed text. */
  defaultMeans?: string
  /** Shown in `.env.example` when there is no default. */
  example?: string
  /** The value is never shown. */
  secret?: true
  description: string
}

const apiKey = (prefix: string): Rule<string> =>
  matching(
    new RegExp(`^${prefix}_[A-Za-z0-9_-]{32,128}$`),
    `\`${prefix}_\` and 32 to 128 random letters, digits, _ or -`,
  )

/** Every setting. `.env.example` and `docs/reference/configuration.md` are generated from this table. */
export const settings: { [Field in keyof Config]: Setting<Config[Field]> } = {
  port: {
    name: 'PORT',
    rule: wholeNumber(0, 65535),
    default: '3900',
    description: 'The port to listen on. 0 uses any free port, for tests.',
  },
  host: {
    name: 'HOST',
    rule: listenHost,
    default: '127.0.0.1',
    description:
      'The IP address or host name to listen on. The default accepts connections from this machine only, ' +
      'because a server that stores credentials should not be open to a network by accident. ' +
      'Set 0.0.0.0 in a container, or to accept connections from other machines.',
  },
  publicUrl: {
    name: 'PUBLIC_URL',
    rule: publicUrl,
    default: ({ port }) => `http://localhost:${port}`,
    defaultMeans: '`http://localhost:PORT`',
    example: 'https://patchbay.example.com',
    description:
      'The URL at which users and providers reach this server. Redirect URIs, webhook URLs and links start with it.',
  },
  filesPublicUrl: {
    name: 'FILES_PUBLIC_URL',
    rule: optional(publicUrl),
    default: '',
    defaultMeans: 'PUBLIC_URL',
    example: 'https://files.example.com',
    description:
      'The URL at which clients reach files, if it is not PUBLIC_URL: a separate host isolates files ' +
      'from the API. Route it to this server.',
  },
  dataDir: {
    name: 'DATA_DIR',
    rule: directory,
    default: '.patchbay',
    description: 'The directory of the built-in PostgreSQL, of files and of the key file. Back it up.',
  },
  sharedCacheDir: {
    name: 'CACHE_DIR',
    rule: directory,
    default: ({ dataDir }) => `${dataDir}/cache`,
    defaultMeans: '`cache` in DATA_DIR',
    example: '/var/cache/patchbay',
    description:
      'Files that every server of a release makes in the same way at its first start, in a few seconds: the ' +
      'search index, the pages of the console, and the prepared Python. Servers of one machine or image can share it.',
  },
  databaseUrl: {
    name: 'DATABASE_URL',
    rule: optional(databaseUrl),
    default: '',
    defaultMeans: 'the built-in PostgreSQL, in DATA_DIR',
    example: 'postgres://user:password@localhost:5432/patchbay',
    secret: true,
    description: 'The URL of a PostgreSQL 14 or later. Required to run several servers.',
  },
  databaseDirectUrl: {
    name: 'DATABASE_DIRECT_URL',
    rule: optional(databaseUrl),
    default: '',
    defaultMeans: 'DATABASE_URL is PostgreSQL itself',
    example: 'postgres://user:password@db.example.com:5432/patchbay',
    secret: true,
    description:
      'The URL of PostgreSQL itself, if DATABASE_URL leads to a connection pooler in transaction mode, such as ' +
      'PgBouncer. Notifications, background jobs, migrations and backups use it, because they need a connection of ' +
      'their own. See docs/guides/high-availability.md.',
  },
  databasePoolMax: {
    name: 'DATABASE_POOL_MAX',
    rule: wholeNumber(1, 1000),
    default: '10',
    description: 'The maximum number of database connections of this process.',
  },
  rowLevelSecurity: {
    name: 'ROW_LEVEL_SECURITY',
    rule: oneOf('auto', 'required', 'off'),
    default: 'auto',
    description:
      'Whether PostgreSQL checks that statements of a project touch rows of this project only. It needs a role, ' +
      'which the server creates if the user of DATABASE_URL may; otherwise `auto` starts without the check and says ' +
      'so, and `required` does not start.',
  },
  role: {
    name: 'ROLE',
    rule: oneOf('all', 'serve', 'work'),
    default: 'all',
    description:
      'The role of this process: `serve` handles HTTP requests, `work` runs jobs, `all` does both.',
  },
  workers: {
    name: 'WORKERS',
    rule: processCount,
    default: '1',
    description:
      'The number of processes that share the port. `auto` is one for each processor core. A process that ends is ' +
      'replaced. SIGUSR2 replaces all of them, one after another, without a failed request. With ROLE=all, the first ' +
      'one runs the background jobs.',
  },
  monitoringPort: {
    name: 'MONITORING_PORT',
    rule: optional(wholeNumber(0, 65535)),
    default: '',
    defaultMeans: 'no separate port',
    example: '9464',
    description:
      'A second port, with `/healthz`, `/readyz` and `/metrics` only. A process with ROLE=work listens on no other ' +
      'port, so probes and Prometheus need it there. With several WORKERS, each has one: this one and the numbers after it. 0 uses any free port, for tests.',
  },
  wireBrand: {
    name: 'WIRE_BRAND',
    rule: matching(/^[a-z][a-z0-9]{1,30}$/, '2 to 31 lower-case letters and digits, starting with a letter'),
    default: 'service',
    description:
      'The word that replaces `service` in field names, headers and other names of the API, for clients ' +
      'of another server.',
  },
  encryptionKeys: {
    name: 'ENCRYPTION_KEYS',
    rule: optional(keyRing),
    default: '',
    defaultMeans: 'a key that the first start creates in `DATA_DIR/encryption.keys`',
    example: '2026a:<output of: openssl rand -base64 32>',
    secret: true,
    description:
      'The keys that encrypt stored credentials. The first one encrypts, all of them decrypt: to rotate, ' +
      'add a new key in front of the old ones. ' +
      'If a key is lost, everything that it encrypted is lost. Servers that share a database need the same keys.',
  },
  bootstrapProjectApiKey: {
    name: 'BOOTSTRAP_PROJECT_API_KEY',
    rule: optional(apiKey('ak')),
    default: '',
    defaultMeans: 'a random key',
    example: 'ak_<32 to 128 random characters>',
    secret: true,
    description: 'The API key of the first project, which the first start on an empty database creates.',
  },
  bootstrapOrgApiKey: {
    name: 'BOOTSTRAP_ORG_API_KEY',
    rule: optional(apiKey('oak')),
    default: '',
    defaultMeans: 'a random key',
    example: 'oak_<32 to 128 random characters>',
    secret: true,
    description: 'The API key of the organization, which the first start on an empty database creates.',
  },
  managedAuthFile: {
    name: 'MANAGED_AUTH_FILE',
    rule: optional(managedAuthFile),
    default: '',
    defaultMeans: 'none',
    example: '/run/secrets/managed-auth.json',
    description:
      'A file with your OAuth apps, for all projects of this server: if it has credentials for a ' +
      'toolkit, projects can use `use_service_managed_auth`. See docs/guides/managed-oauth-apps.md.',
  },
  managedAuth: {
    name: 'MANAGED_AUTH',
    rule: optional(managedAuth),
    default: '',
    defaultMeans: 'none',
    example: '{"github":{"OAUTH2":{"client_id":"…","client_secret":"…"}}}',
    secret: true,
    description:
      'The content of MANAGED_AUTH_FILE as a variable. If both are set, each scheme of a toolkit may be ' +
      'in only one of them.',
  },
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
  llmBaseUrl: {
    name: 'LLM_BASE_URL',
    rule: optional(publicUrl),
    default: '',
    defaultMeans: 'no language model',
    example: 'https://api.openai.com/v1',
    description:
      'The URL of an OpenAI-compatible API, with its version. The model generates tool arguments from ' +
      'text (`text` of an execution). It may have a private IP address, such as a model on your machine.',
  },
  llmModel: {
    name: 'LLM_MODEL',
    rule: optional(matching(/^[\x21-\x7e]{1,200}$/, '1 to 200 printable characters without spaces')),
    default: '',
    defaultMeans: 'required with LLM_BASE_URL',
    example: 'gpt-5-mini',
    description: 'The name of the language model.',
  },
  llmApiKey: {
    name: 'LLM_API_KEY',
    rule: optional(matching(/^[\x21-\x7e]{1,1000}$/, '1 to 1000 printable characters without spaces')),
    default: '',
    defaultMeans: 'no key is sent',
    example: 'sk-…',
    secret: true,
    description: 'The API key for LLM_BASE_URL.',
  },
  llmGatewayHeaders: {
    name: 'LLM_GATEWAY_HEADERS',
    rule: headerNames,
    default:
      'x-request-id,x-trace-id,traceparent,tracestate,baggage,x-portkey-metadata,x-portkey-trace-id,' +
      'helicone-user-id,helicone-session-*,helicone-property-*,cf-aig-metadata,langfuse-*',
    description:
      'The headers that callers may send to LLM_BASE_URL with `x-llm-gateway-headers`; `*` at the end matches any ' +
      'rest. List only headers that do not choose a provider, a route or a key: requests have your LLM_API_KEY.',
  },
  embeddingsBaseUrl: {
    name: 'EMBEDDINGS_BASE_URL',
    rule: optional(publicUrl),
    default: '',
    defaultMeans: 'tools are searched by words only',
    example: 'https://api.openai.com/v1',
    description:
      'The URL of an OpenAI-compatible API, with its version, for the tool search. It receives names and descriptions ' +
      'of tools once, and the text of every search. It may have a private IP address. See docs/guides/tool-search.md.',
  },
  embeddingsModel: {
    name: 'EMBEDDINGS_MODEL',
    rule: optional(matching(/^[\x21-\x7e]{1,200}$/, '1 to 200 printable characters without spaces')),
    default: '',
    defaultMeans: 'required with EMBEDDINGS_BASE_URL',
    example: 'text-embedding-3-small',
    description: 'The name of the embedding model. Vectors of another model are made again.',
  },
  embeddingsApiKey: {
    name: 'EMBEDDINGS_API_KEY',
    rule: optional(matching(/^[\x21-\x7e]{1,1000}$/, '1 to 1000 printable characters without spaces')),
    default: '',
    defaultMeans: 'no key is sent',
    example: 'sk-…',
    secret: true,
    description: 'The API key for EMBEDDINGS_BASE_URL.',
  },
  embeddingsDimensions: {
    name: 'EMBEDDINGS_DIMENSIONS',
    rule: optional(wholeNumber(8, 1024)),
    default: '',
    defaultMeans: 'as many as the model returns; the first 1024 are used',
    example: '512',
    description:
      'The number of dimensions to ask for, if the model can return fewer. A tool takes about 0.6 bytes of memory for ' +
      'each dimension.',
  },
  workbenchDriver: {
    name: 'WORKBENCH_DRIVER',
    rule: oneOf('wasm', 'bubblewrap', 'remote', 'disabled'),
    default: 'wasm',
    description:
      'How code of agents runs (the meta tools REMOTE_WORKBENCH and REMOTE_BASH_TOOL): `wasm` in WebAssembly, in one ' +
      'process per session without network and files of this machine; `bubblewrap` with Python and bash of this machine in ' +
      'namespaces of Linux; `remote` in the sandbox service of WORKBENCH_REMOTE_URL; `disabled` not at all. See ' +
      'docs/guides/workbench.md.',
  },
  workbenchRemoteUrl: {
    name: 'WORKBENCH_REMOTE_URL',
    rule: optional(publicUrl),
    default: '',
    defaultMeans: 'WORKBENCH_DRIVER=remote is rejected',
    example: 'https://sandboxes.internal/v1',
    description:
      'The URL of the sandbox service for WORKBENCH_DRIVER=remote. It implements the API of ' +
      'docs/guides/remote-sandboxes.md. Its IP address may be private.',
  },
  workbenchRemoteToken: {
    name: 'WORKBENCH_REMOTE_TOKEN',
    rule: optional(matching(/^[\x21-\x7e]{1,1000}$/, '1 to 1000 printable characters without spaces')),
    default: '',
    defaultMeans: 'no token is sent',
    example: 'sbx-…',
    secret: true,
    description: 'The bearer token for WORKBENCH_REMOTE_URL.',
  },
  workbenchSandboxesMax: {
    name: 'WORKBENCH_SANDBOXES_MAX',
    rule: wholeNumber(1, 10_000),
    default: '20',
    description:
      'The number of sandboxes of this process. Each needs about 250 MB, and at most the size of its session. When all ' +
      'are started, the one that was idle for the longest time is replaced.',
  },
  workbenchWarm: {
    name: 'WORKBENCH_WARM',
    rule: wholeNumber(0, 100),
    default: '1',
    description:
      'The number of sandboxes that are started in advance, after the first session has used one. They make the first ' +
      'call of a session fast.',
  },
  workbenchIdleMinutes: {
    name: 'WORKBENCH_IDLE_MINUTES',
    rule: wholeNumber(1, 10_000),
    default: '10',
    description: 'A sandbox stops after this time without a call. Its variables are lost; /mnt/files stays.',
  },
  workbenchHoursMax: {
    name: 'WORKBENCH_HOURS_MAX',
    rule: wholeNumber(1, 1_000),
    default: '24',
    description: 'The maximum age of a sandbox. It is replaced before the first call after that time.',
  },
  workbenchMegabytesPerSession: {
    name: 'WORKBENCH_MEGABYTES_PER_SESSION',
    rule: wholeNumber(1, 1_000_000),
    default: '1000',
    description: 'The total size of the files that code of one session may store in /mnt/files.',
  },
  workbenchSearchTool: {
    name: 'WORKBENCH_SEARCH_TOOL',
    rule: optional(matching(/^[A-Z][A-Z0-9_]{1,63}$/, 'the slug of a tool: capital letters, digits and _')),
    default: '',
    defaultMeans: 'web_search returns an error',
    example: 'EXA_SEARCH',
    description: 'The tool that the helper `web_search` of the workbench runs, with the argument `query`.',
  },
  egressAllow: {
    name: 'EGRESS_ALLOW',
    rule: allowList,
    default: '',
    defaultMeans: 'public IP addresses only',
    example: '10.0.0.0/8,[fd00::1]:8443,jira.internal:443',
    description:
      'The destinations that requests to providers, webhooks and proxies may reach in addition to public ' +
      'IP addresses. A host name allows every IP address it resolves to, for that name only.',
  },
  simulatorUrl: {
    name: 'SIMULATOR_URL',
    rule: optional(publicUrl),
    default: '',
    defaultMeans: 'none',
    example: 'http://127.0.0.1:9400',
    description:
      'For tests and demos: the URL of a simulator (`npm run simulate`) that receives every request to ' +
      'an application or provider, with its credentials. No application is called. See ' +
      'docs/guides/test-an-agent-offline.md.',
  },
  recordFile: {
    name: 'RECORD_FILE',
    rule: optional(directory),
    default: '',
    defaultMeans: 'none',
    example: 'recording.jsonl',
    description:
      'For tests: the file to which this process writes every execution, without secrets. `patchbay ' +
      'record` sets it. Keep the file private: it contains responses of applications.',
  },
  recordProject: {
    name: 'RECORD_PROJECT',
    rule: optional(matching(/^pr_[A-Za-z0-9_-]+$/, 'the id of a project, `pr_…`')),
    default: '',
    defaultMeans: 'every project',
    example: 'pr_Xy12',
    description: 'The project whose executions are written to RECORD_FILE.',
  },
  replayFile: {
    name: 'REPLAY_FILE',
    rule: optional(directory),
    default: '',
    defaultMeans: 'none',
    example: 'recording.jsonl',
    description:
      'For tests: the recording from which executions are answered. No connected account is needed and ' +
      'no application is called. `patchbay replay` sets it.',
  },
  consentPage: {
    name: 'CONSENT_PAGE',
    rule: oneOf('managed', 'always'),
    default: 'managed',
    description:
      'Which sign-ins at a provider start with a page of this server that names the application, the toolkit and the ' +
      'user: those with a managed OAuth app, which all projects share, or all of them (`always`).',
  },
  unknownFields: {
    name: 'UNKNOWN_FIELDS',
    rule: oneOf('reject', 'warn'),
    default: 'reject',
    description:
      'What happens to body fields and query parameters that an operation of `/api/v3.1` does not declare: the request is ' +
      'rejected with the name that was probably meant, or runs without them, with the header `x-patchbay-warning` and an ' +
      'entry in the log. `/api/v3` always warns.',
  },
  rateLimitPerMinute: {
    name: 'RATE_LIMIT_PER_MINUTE',
    rule: wholeNumber(0, 100_000_000),
    default: '10000',
    description:
      'The number of requests that an organization may make in a minute, with all its keys and on all ' +
      'servers. 0 is no limit.',
  },
  projectRateLimitPerMinute: {
    name: 'PROJECT_RATE_LIMIT_PER_MINUTE',
    rule: wholeNumber(0, 100_000_000),
    default: ({ rateLimitPerMinute }) => Math.ceil((rateLimitPerMinute ?? 0) * 0.8),
    defaultMeans: '80 % of RATE_LIMIT_PER_MINUTE',
    example: '2000',
    description:
      'The number of requests that one project may make in a minute, so that it cannot use up the limit of its ' +
      'organization. 0 is no limit.',
  },
  keyRateLimitPerMinute: {
    name: 'KEY_RATE_LIMIT_PER_MINUTE',
    rule: wholeNumber(0, 100_000_000),
    default: ({ projectRateLimitPerMinute }) => projectRateLimitPerMinute ?? 0,
    defaultMeans: 'PROJECT_RATE_LIMIT_PER_MINUTE',
    example: '1000',
    description: 'The number of requests that one key of a project may make in a minute. 0 is no limit.',
  },
  trustedProxies: {
    name: 'TRUSTED_PROXIES',
    rule: proxyList,
    default: '',
    defaultMeans: 'none: X-Forwarded-For is ignored',
    example: '10.0.0.0/8,192.0.2.7',
    description:
      'The IP addresses and CIDR ranges of the reverse proxies in front of this server. Their X-Forwarded-For header ' +
      'has the IP address of the client, which the limits of failed keys, `allowed_ips` of keys and the limits of ' +
      'registrations use. Without it, all clients behind a proxy share one IP address.',
  },
  metricsToken: {
    name: 'METRICS_TOKEN',
    rule: optional(matching(/^[\x21-\x7e]{16,256}$/, '16 to 256 printable characters without spaces')),
    default: '',
    defaultMeans: '/metrics responds to requests from this machine only',
    example: '<output of: openssl rand -hex 32>',
    secret: true,
    description: 'The token that /metrics requires, as `Authorization: Bearer <token>`.',
  },
  smtpUrl: {
    name: 'SMTP_URL',
    rule: optional(mailServerUrl),
    default: '',
    defaultMeans: 'alerts are not sent by email',
    example: 'smtp://user:password@mail.example.com:587',
    secret: true,
    description:
      'The mail server that sends alerts. `smtps://` uses TLS from the start, `smtp://` if the server offers it.',
  },
  smtpFrom: {
    name: 'SMTP_FROM',
    rule: optional(matching(/^[^\r\n]{3,200}$/, 'an email address, with an optional name in front')),
    default: '',
    defaultMeans: 'required with SMTP_URL',
    example: 'Patchbay <patchbay@example.com>',
    description: 'The sender of alerts.',
  },
  otlpEndpoint: {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    rule: optional(publicUrl),
    default: '',
    defaultMeans: 'no traces are recorded, and metrics are only at /metrics',
    example: 'http://collector.example.com:4318',
    description:
      'The URL of an OpenTelemetry collector that accepts OTLP over HTTP. Traces go to `/v1/traces` below it, metrics ' +
      'to `/v1/metrics`.',
  },
  otlpHeaders: {
    name: 'OTEL_EXPORTER_OTLP_HEADERS',
    rule: pairs,
    default: '',
    defaultMeans: 'none',
    example: 'authorization=Bearer%20<token>',
    secret: true,
    description: 'Headers for the collector, such as the key of a monitoring service.',
  },
  otlpProtocol: {
    name: 'OTEL_EXPORTER_OTLP_PROTOCOL',
    rule: oneOf('http/protobuf', 'http/json'),
    default: 'http/protobuf',
    description: 'The encoding of traces and metrics.',
  },
  otlpServiceName: {
    name: 'OTEL_SERVICE_NAME',
    rule: matching(/^[\w.:/-]{1,100}$/, '1 to 100 letters, digits and . _ : / -'),
    default: 'patchbay',
    description: 'The name of this program in traces and metrics.',
  },
  otlpResourceAttributes: {
    name: 'OTEL_RESOURCE_ATTRIBUTES',
    rule: pairs,
    default: '',
    defaultMeans: 'none',
    example: 'deployment.environment.name=production',
    description: 'Attributes of all traces and metrics of this process.',
  },
  otlpSampledShare: {
    name: 'OTEL_TRACES_SAMPLER_ARG',
    rule: share,
    default: '1',
    description:
      'The share of traces that is recorded, from 0 to 1. A request with a `traceparent` header is recorded if its ' +
      'caller records it.',
  },
  otlpMetricIntervalMs: {
    name: 'OTEL_METRIC_EXPORT_INTERVAL',
    rule: wholeNumber(1_000, 3_600_000),
    default: '60000',
    description: 'The time between two exports of metrics, in milliseconds.',
  },
  tracePropagationHosts: {
    name: 'TRACE_PROPAGATION_HOSTS',
    rule: hostPatterns,
    default: '',
    defaultMeans: 'none',
    example: 'api.internal.example.com,*.example.org',
    description:
      'Hosts of applications whose requests carry `traceparent`, so that their traces continue ours. Other ' +
      'applications never see ids of traces.',
  },
  logRetentionDays: {
    name: 'LOG_RETENTION_DAYS',
    rule: wholeNumber(0, 36_500),
    default: '30',
    description:
      'How many days the log of tool executions is stored; usage statistics are calculated from it. 0 ' +
      'stores it for ever. Older rows are removed every ten minutes.',
  },
  auditRetentionDays: {
    name: 'AUDIT_RETENTION_DAYS',
    rule: wholeNumber(0, 36_500),
    default: '400',
    description:
      'How many days entries of the audit log are stored. 0 stores them for ever. Older entries are removed once a ' +
      'day; the chain of hashes continues from the last one removed.',
  },
  webhookRetrySeconds: {
    name: 'WEBHOOK_RETRY_SECONDS',
    rule: secondsList(20, 86_400),
    default: '5,300,1800,7200,18000,36000,36000',
    description:
      'The waiting times before each retry of a failed webhook delivery, in seconds. There are as many ' +
      'retries as waiting times. Each time is varied by up to a fifth.',
  },
  console: {
    name: 'CONSOLE',
    rule: oneOf('on', 'off'),
    default: 'on',
    description: 'Whether the server has the console for people, at `/console`.',
  },
  consoleDev: {
    name: 'CONSOLE_DEV',
    rule: oneOf('0', '1'),
    default: '0',
    description: 'For work on the console: `1` builds it again for every page load.',
  },
  ...consoleSignInSettings,
  logLevel: {
    name: 'LOG_LEVEL',
    rule: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    default: 'info',
    description: 'The lowest level of log lines that are written.',
  },
}
