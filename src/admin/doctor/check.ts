import type { Catalog } from '../../catalog/index.ts'
import type { Config } from '../../platform/config.ts'
import type { LockHolder } from '../../platform/instance-lock.ts'

/** `warn`: the server can still start. `skip`: not checked, because of the result of another check. */
export type Status = 'ok' | 'warn' | 'fail' | 'skip'

export interface CheckResult {
  status: Status
  /** The result in words, without secrets. */
  detail: string
  /** What to do. */
  fix?: string
}

/** Results of earlier checks for later ones. */
export interface CheckContext {
  config?: Config
  catalog?: Catalog
  /** The server that runs on this data directory, or that responds at this URL. */
  running?: LockHolder | 'unknown' | undefined
  /** The URL of a reachable database. */
  databaseUrl?: string
  /** Functions that run at the end, in reverse order. */
  afterwards: (() => Promise<void>)[]
}

export interface Check {
  /** One or two words, for the first column. */
  name: string
  /** Time limit. Default 10,000 ms. */
  timeoutMs?: number
  /** Skipped without valid settings. */
  needsConfig?: true
  run(found: CheckContext): Promise<CheckResult | CheckResult[]>
}

export const ok = (detail: string): CheckResult => ({ status: 'ok', detail })
export const skip = (detail: string): CheckResult => ({ status: 'skip', detail })
export const warn = (detail: string, fix: string): CheckResult => ({ status: 'warn', detail, fix })
export const fail = (detail: string, fix: string): CheckResult => ({ status: 'fail', detail, fix })
