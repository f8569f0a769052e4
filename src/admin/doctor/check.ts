import type { Catalog } from '../../catalog/index.ts'
import type { Config } from '../../platform/config.ts'
import type { LockHolder } from '../../platform/instance-lock.ts'

/** `warn` is no reason not to start; `skip` could not be looked at, because of what another line says. */
export type Status = 'ok' | 'warn' | 'fail' | 'skip'

export interface CheckResult {
  status: Status
  /** What was found. Never a secret. */
  detail: string
  /** What to do about it. */
  fix?: string
}

/** What earlier checks found out for later ones. */
export interface CheckContext {
  config?: Config
  catalog?: Catalog
  /** The server that runs on this data directory, or answers at this address. */
  running?: LockHolder | 'unknown' | undefined
  /** Where the database can be asked; it was reached. */
  databaseUrl?: string
  /** Runs when all is done, last first. */
  afterwards: (() => Promise<void>)[]
}

export interface Check {
  /** One word or two, for the first column. */
  name: string
  /** Longest that it may take. Default 10,000 ms. */
  timeoutMs?: number
  /** Without valid settings it cannot run. */
  needsConfig?: true
  run(found: CheckContext): Promise<CheckResult | CheckResult[]>
}

export const ok = (detail: string): CheckResult => ({ status: 'ok', detail })
export const skip = (detail: string): CheckResult => ({ status: 'skip', detail })
export const warn = (detail: string, fix: string): CheckResult => ({ status: 'warn', detail, fix })
export const fail = (detail: string, fix: string): CheckResult => ({ status: 'fail', detail, fix })
