import { unknownSettingText, withEnvFile, type Environment } from './config/environment.ts'
import { isUnknown, misspelledSetting, valueOf, type Variables } from './config/names.ts'
import type { ManagedAuthCredentials } from './config/managed-auth-credentials.ts'
import type { ConsoleRole } from './config/console-sign-in-settings.ts'
import { settings, type Setting } from './config/settings.ts'
import type { KeyRing } from './crypto/index.ts'
import type { KmsKey } from './crypto/kms/index.ts'
import type { AllowRule } from './egress/index.ts'
import { StartupError } from './startup-error.ts'

export {
  ManagedAuthCredentials,
  type ManagedAuthEntry,
  readManagedAuthFile,
} from './config/managed-auth-credentials.ts'

export type { ConsoleRole }
export type Role = 'all' | 'serve' | 'work'
export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'

/** The settings of one process. The tables in `config/settings/` have their rules, defaults and descriptions. */
export interface Config {
  port: number
  host: string
  /** Origin and optional path, without a slash at the end. */
  publicUrl: string
  /** Undefined: `publicUrl`. */
  filesPublicUrl: string | undefined
  /** Absolute path. */
  dataDir: string
  sharedCacheDir: string
  /** Undefined: the built-in PostgreSQL runs in the data directory. Secret: the URL contains a password. */
  databaseUrl: string | undefined
  /** Undefined: `databaseUrl` is no connection pooler. Secret. */
  databaseDirectUrl: string | undefined
  /** Undefined: there is no replica. Secret. */
  databaseReadUrl: string | undefined
  databasePoolMax: number
  rowLevelSecurity: 'auto' | 'required' | 'off'
  role: Role
  workers: number
  monitoringPort: number | undefined
  wireBrand: string
  /** Undefined: use the key file in the data directory. */
  encryptionKeys: KeyRing | undefined
  /** Undefined: the keys in the key file are not encrypted. */
  kmsKey: KmsKey | undefined
  kmsEndpoint: string | undefined
  /** Secret. */
  vaultToken: string | undefined
  googleCredentialsFile: string | undefined
  /** Secret. */
  bootstrapProjectApiKey: string | undefined
  /** Secret. */
  bootstrapOrgApiKey: string | undefined
  /**
   * Secret. OAuth apps and other credentials of the administrator, by toolkit and scheme. Can be read once.
   */
  managedAuthFile: ManagedAuthCredentials | undefined
  /** Secret. */
  managedAuth: ManagedAuthCredentials | undefined
  toolkitsDir: string | undefined
  /** Slugs of shipped toolkits that those of `toolkitsDir` may replace. */
  toolkitsReplace: readonly string[]
  responseMegabytesMax: number
  fileMegabytesMax: number
  filesMegabytesPerProject: number
  fileRetentionHours: number
  /** Undefined: files are stored in the data directory. */
  filesS3Bucket: string | undefined
  filesS3Endpoint: string | undefined
  filesS3Region: string
  filesS3AccessKeyId: string | undefined
  /** Secret. */
  filesS3SecretAccessKey: string | undefined
  /** Secret. Of temporary credentials. */
  filesS3SessionToken: string | undefined
  filesS3PathStyle: 'true' | 'false'
  /** Undefined: no language model. Without a slash at the end. */
  llmBaseUrl: string | undefined
  /** Secret. */
  llmApiKey: string | undefined
  llmModel: string | undefined
  /** Undefined: tools are searched by words only. Without a slash at the end. */
  embeddingsBaseUrl: string | undefined
  embeddingsModel: string | undefined
  /** Secret. */
  embeddingsApiKey: string | undefined
  /** Undefined: the model decides. */
  embeddingsDimensions: number | undefined
  /** Names of headers that callers may send to the language model, in lower case, with an optional `*` at the end. */
  llmGatewayHeaders: readonly string[]
  workbenchDriver: 'wasm' | 'bubblewrap' | 'remote' | 'disabled'
  workbenchRemoteUrl: string | undefined
  workbenchRemoteToken: string | undefined
  workbenchSandboxesMax: number
  workbenchMemoryMegabytes: number | undefined
  workbenchWarm: number
  workbenchPackagesDir: string | undefined
  workbenchIdleMinutes: number
  workbenchHoursMax: number
  workbenchMegabytesPerSession: number
  /** Undefined: code cannot search the web. */
  workbenchSearchTool: string | undefined
  egressAllow: AllowRule[]
  /**
   * Receives every request to an application. Undefined: requests go to the applications. Without a slash at
   * the end.
   */
  simulatorUrl: string | undefined
  /** Absolute path. Executions are written to this recording, of `recordProject` only if it is set. */
  recordFile: string | undefined
  recordProject: string | undefined
  /** Absolute path. Executions are answered from this recording, and no other request is sent. */
  replayFile: string | undefined
  /** Which authorization flows start with a page that names the application. */
  consentPage: 'managed' | 'always'
  validateCredentials: 'on' | 'request'
  unknownFields: 'reject' | 'warn'
  /** Requests of one organization. 0 is no limit. */
  rateLimitPerMinute: number
  /** Requests of one project, and of one of its keys. 0 is no limit. */
  projectRateLimitPerMinute: number
  keyRateLimitPerMinute: number
  projectRateLimitPerSecond: number
  projectConcurrency: number
  projectQueueMax: number
  /** IP addresses and CIDR ranges. */
  trustedProxies: readonly string[]
  /** Secret. Undefined: /metrics responds to requests from this machine only. */
  metricsToken: string | undefined
  /** Secret. Undefined: alerts are not sent by email. */
  smtpUrl: string | undefined
  smtpFrom: string | undefined
  otlpEndpoint: string | undefined
  /** Secret. */
  otlpHeaders: Readonly<Record<string, string>>
  otlpProtocol: 'http/protobuf' | 'http/json'
  otlpServiceName: string
  otlpResourceAttributes: Readonly<Record<string, string>>
  otlpSampledShare: number
  otlpMetricIntervalMs: number
  tracePropagationHosts: readonly string[]
  /** Of the log of tool executions. 0 stores it for ever. */
  logRetentionDays: number
  auditRetentionDays: number
  webhookRetrySeconds: readonly number[]
  /** Whether the server has a console for people. */
  console: 'on' | 'off'
  /** Whether the console is built again for every page load. */
  consoleDev: '0' | '1'
  /** Undefined: members sign in to the console with passwords and passkeys. */
  consoleOidcIssuer: string | undefined
  consoleOidcClientId: string | undefined
  /** Secret. */
  consoleOidcClientSecret: string | undefined
  consoleOidcName: string
  consoleOidcScopes: string
  /** In lower case. Empty: all. */
  consoleOidcAllowedDomains: readonly string[]
  consoleOidcTrustEmail: '0' | '1'
  consoleOidcRoleClaim: string
  consoleOidcRoleMap: Readonly<Record<string, ConsoleRole>>
  consoleOidcDefaultRole: ConsoleRole | 'none'
  consoleOidcOnly: '0' | '1'
  logLevel: LogLevel
}

/**
 * Reads the settings from environment variables, each as NAME or PATCHBAY_NAME. Relative paths start in `cwd`.
 * @throws StartupError that lists all problems (and `earlier` ones) with variable and rule, without secret values
 */
export function readConfig(env: Variables, cwd: string = process.cwd(), earlier: string[] = []): Config {
  const problems = [...earlier]
  for (const variable of Object.keys(env))
    if (isUnknown(variable)) problems.push(unknownSettingText(variable, variable))
  const values: Record<string, unknown> = {}
  for (const [field, setting] of Object.entries<Setting<unknown>>(settings))
    values[field] = read(setting, env, cwd, problems, values)
  if (problems.length > 0) throw wrong(problems)
  return values as unknown as Config // The type of `settings` binds each field to its rule.
}

/** Returns the environment and, with lower priority, the `.env` file of `cwd`. */
export function readEnvironment(cwd: string = process.cwd(), env: Variables = process.env): Environment {
  return withEnvFile(cwd, env)
}

/**
 * Reads the settings of this process from its environment and `.env`.
 * @throws StartupError with all problems
 */
export function loadConfig(cwd: string = process.cwd(), env: Variables = process.env): Config {
  const { values, problems } = readEnvironment(cwd, env)
  return readConfig(values, cwd, problems)
}

/** Returns a warning for each variable that has no effect and differs from a setting by one letter. */
export function environmentWarnings(env: Variables = process.env): string[] {
  return Object.keys(env).flatMap((variable) => {
    const setting = env[variable] ? misspelledSetting(variable) : undefined
    return setting === undefined ? [] : [`${variable} has no effect. Did you mean ${setting}?`]
  })
}

function read(
  setting: Setting<unknown>,
  env: Variables,
  cwd: string,
  problems: string[],
  before: Record<string, unknown>,
): unknown {
  const variable = valueOf(env, setting.name)
  if (!variable && typeof setting.default === 'function') return setting.default(before)
  try {
    return setting.rule.read(variable?.text ?? String(setting.default), cwd)
  } catch (error) {
    const reason = (error as Error).message
    const valueText = setting.secret || reason ? '' : `, not ${JSON.stringify(variable?.text.slice(0, 80))}`
    problems.push(
      `${variable?.variable ?? setting.name} must be ${setting.rule.must}${valueText}${reason ? `: ${reason}` : ''}.`,
    )
    return undefined
  }
}

function wrong(problems: string[]): StartupError {
  const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`
  return new StartupError(
    `The configuration has ${count}:\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
    'Correct these variables; docs/reference/configuration.md describes each.',
  )
}
