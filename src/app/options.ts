import type { FastifyInstance } from 'fastify'
import type { Catalog } from '../catalog/index.ts'
import type { ToolkitsFolder } from '../features/toolkits/folder/index.ts'
import type { Recordings } from '../engine/index.ts'
import type { SystemState } from '../contract/system.ts'
import type { MailSettings } from '../features/alerts/index.ts'
import type { ManagedAuth } from '../features/auth-configs/index.ts'
import type { ConsoleAssets } from '../features/console/index.ts'
import type { FileService, FileSettings } from '../features/files/index.ts'
import type { OidcSettings } from '../features/members/index.ts'
import type { CustomToolkits } from '../features/toolkits/custom/index.ts'
import type { Clock, Wait } from '../platform/clock.ts'
import type { Encryptor } from '../platform/crypto/index.ts'
import type { Pool } from '../platform/db/sql.ts'
import type { ObserveCall } from '../platform/http/call.ts'
import type { Egress } from '../platform/egress/index.ts'
import type { Schedule, Task } from '../platform/jobs/index.ts'
import type { EmbeddingModel, Model } from '../platform/llm/index.ts'
import type { Logger } from '../platform/log.ts'
import type { Telemetry } from '../platform/telemetry/index.ts'
import type { SandboxDriver, SandboxLimits } from '../sandbox/index.ts'

export interface WorkbenchOptions {
  driver: SandboxDriver
  limits: SandboxLimits
  /** All files of a session together. */
  mountBytesMax: number
  /** Default: 180 s. */
  timeoutMs?: number
  /** The tool of `web_search`. */
  searchTool?: string | undefined
}

/** Returns an HTTP client whose requests reach simulations of these toolkits, and no network. */
export type SimulateApplications = (toolkits: readonly string[]) => Promise<Egress>

export interface AppOptions {
  databaseUrl: string
  /** PostgreSQL itself, if `databaseUrl` leads to a pooler in transaction mode. Default: `databaseUrl`. */
  databaseDirectUrl?: string | undefined
  /** A replica for reads of logs and statistics. */
  databaseReadUrl?: string | undefined
  databasePoolMax: number
  /** The role of statements that run in a project. Default: row-level security is off. */
  tenantRole?: string | undefined
  publicUrl: string
  wireBrand: string
  rateLimitPerMinute: number
  /** Default 0: no limit of its own. */
  projectRateLimitPerMinute?: number
  /** Default 0: no limit of its own. */
  keyRateLimitPerMinute?: number
  /** Default 0: no limit of its own. */
  projectRateLimitPerSecond?: number
  /** Requests of a project that run while other projects are active. Default 0: no limit. */
  projectConcurrency?: number
  /** Requests of a project that wait. Default 256. */
  projectQueueMax?: number
  /** Proxies whose X-Forwarded-* headers are trusted. Default: none. */
  trustedProxies?: readonly string[]
  /** The token of /metrics. Default: only requests from this machine are answered. */
  metricsToken?: string | undefined
  /** Whether the app has a second server with the endpoints for monitoring only. Default false. */
  monitors?: boolean
  /** Headers that callers may send to the model. Default: none. */
  llmGatewayHeaders?: readonly string[]
  /** Which authorization flows start with a page that names the application. Default `managed`. */
  consentPage?: 'managed' | 'always'
  /** When credentials from the API are tried before they are stored. Default `on`. */
  validateCredentials?: 'on' | 'request'
  /** What happens to fields and parameters that an operation of v3.1 does not declare. Default `reject`. */
  unknownFields?: 'reject' | 'warn'
  /** Replaces what handlers receive, in tests. */
  observeCall?: ObserveCall | undefined
  /** Default 0: logs are kept without limit. */
  logRetentionDays?: number
  /** Default 0: the audit log is kept without limit. */
  auditRetentionDays?: number
  /** Seconds between the attempts of a webhook delivery. Default `RETRY_SECONDS`. */
  webhookRetrySeconds?: readonly number[]
  /** The built-in toolkits. */
  catalog: Catalog
  /** Toolkits of the administrator, which change while the server runs. Default: none. */
  toolkitsFolder?: Pick<ToolkitsFolder, 'catalog' | 'count' | 'problems' | 'onChange'> | undefined
  /** Folder of files that can be generated again. */
  cacheDir: string
  /** Folder of the files of `cacheDir` that servers can share. Default: `cacheDir`. */
  sharedCacheDir?: string | undefined
  /** Whether search indexes are prepared at the start. Default true. */
  searches?: boolean
  encryptor: Encryptor
  /** The files of the console. Default: the server has no console. */
  console?: ConsoleAssets | undefined
  /** The identity provider of the console. Default: members sign in here. */
  oidc?: OidcSettings | undefined
  /** OAuth clients of the administrator. Default: those of the catalog. */
  managed?: ManagedAuth | undefined
  egress: Egress
  /** The applications of demo projects. Default: there are no demo projects. */
  simulateApplications?: SimulateApplications | undefined
  files: FileSettings
  /** Without a model, calls that need one return 501. */
  model?: Model | undefined
  /** Default: searches use words only. */
  embeddings?: EmbeddingModel | undefined
  /** Default: no code is run, and the meta tools that need it are not listed. */
  workbench?: WorkbenchOptions | undefined
  clock: Clock
  /** How the time between two attempts of a request passes. */
  wait?: Wait | undefined
  /** Time between two messages of an idle event stream. Default 15,000. */
  streamHeartbeatMs?: number
  /** Time between two reads of a stream of logs. Default 1,000. */
  logStreamPollMs?: number
  /** Default: nothing is recorded or replayed. */
  recordings?: Recordings | undefined
  /** The mail server for alerts. Default: alerts are not sent by email. */
  mail?: MailSettings | undefined
  log: Logger
  /** Sends traces and metrics. Default: none are sent. */
  telemetry?: Telemetry | undefined
  version: string
  /** Settings of the process as the system page shows them, without values of secrets. Default: none. */
  settings?: SystemState['settings']
}

export interface App {
  http: FastifyInstance
  /** The server for monitoring, if the options ask for one. */
  monitoring: FastifyInstance | undefined
  db: Pool
  /** Encrypts and decrypts with the data keys of the projects. */
  encryptor: Encryptor
  files: FileService
  schedules: readonly Schedule[]
  tasks: readonly Task[]
  /** Starts to deliver events to webhook subscriptions, until the app closes. */
  startDeliveries(): void
  /** Starts to poll for triggers, until the app closes. */
  startPolling(): void
  /** Prepares the sandboxes of the workbench in the background, so that the first call of a session is fast. */
  prepareSandboxes(): void
  customToolkits: CustomToolkits
  /** Makes `/readyz` report that this process is stopping. */
  beginStopping(): void
  /** Waits for calls in progress, then closes everything that the app opened. */
  close(): Promise<void>
}
