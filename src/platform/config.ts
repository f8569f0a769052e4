import type { Environment } from './config/environment.ts'
import type { KeyRing } from './crypto/index.ts'
import type { AllowRule } from './egress/index.ts'

export type Role = 'all' | 'serve' | 'work'
export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'

/** The settings of one process. The table in `config/settings.ts` has their rules, defaults and descriptions. */
export interface Config {
  port: number
  host: string
  /** Origin and optional path, without a slash at the end. */
  publicUrl: string
  /** Absolute. */
  dataDir: string
  /** Undefined: run our own PostgreSQL in the data directory. Secret: it holds a password. */
  databaseUrl: string | undefined
  databasePoolMax: number
  role: Role
  wireBrand: string
  /** Undefined: use the key file in the data directory. */
  encryptionKeys: KeyRing | undefined
  /** Secret. */
  bootstrapProjectApiKey: string | undefined
  /** Secret. */
  bootstrapOrgApiKey: string | undefined
  egressAllow: AllowRule[]
  /** Requests of one project; 0 is no limit. */
  rateLimitPerMinute: number
  logLevel: LogLevel
}

/**
 * Reads the settings from environment variables. Pure: no file, no clock, no `process`.
 * @throws StartupError that lists everything that is wrong with them, by variable and rule, without any value.
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  throw new Error(`not built: ${Object.keys(env).length}`)
}

/**
 * What the process was given: the environment, and under it the `.env` file of `cwd`, if there is one.
 * @throws StartupError for unreadable files and for names in the file that are not settings.
 */
export function readEnvironment(cwd: string = process.cwd(), env: Record<string, string | undefined> = process.env): Environment {
  throw new Error(`not built: ${cwd} ${Object.keys(env).length}`)
}

/** The settings of this process, from its environment and `.env`: every problem of both in one StartupError. */
export function loadConfig(cwd: string = process.cwd(), env: Record<string, string | undefined> = process.env): Config {
  throw new Error(`not built: ${cwd} ${Object.keys(env).length}`)
}
