import type { Figures } from '../../bench/sizing/measure.ts'

/** What one connected account does on an average day. */
export interface Workload {
  executions: number
  tokenRefreshes: number
  polls: number
  events: number
}

/** An assistant that calls 20 tools a day; every fifth account has a trigger that is polled each 15 minutes. */
export const WORKLOAD: Workload = { executions: 20, tokenRefreshes: 8, polls: 19.2, events: 5 }
export const ACCOUNTS = [1_000, 100_000, 10_000_000]

/** The busiest minute has this many times the average. */
export const PEAK_FACTOR = 5
/** The share of a core that is planned for at the peak. */
export const UTILIZATION = 0.6
export const RETENTION_DAYS = 30
/** Provider requests are kept per account, at most this many. */
const PROVIDER_REQUESTS_PER_ACCOUNT = 20
const POLLED_SHARE = 0.2
const SECONDS_PER_DAY = 86_400

export interface Need {
  accounts: number
  /** At the peak. */
  executionsPerSecond: number
  eventsPerSecond: number
  pollsPerSecond: number
  tokenRefreshesPerSecond: number
  serverCores: number
  postgresCores: number
  /** With indexes, after the retention period; without room for vacuum. */
  databaseGigabytes: number
  /** Rows that are inserted per second at the peak. */
  insertsPerSecond: number
}

export function needOf({ costs, row_bytes }: Figures, accounts: number, workload = WORKLOAD): Need {
  const { executions, tokenRefreshes, polls, events } = workload
  const atPeak = (perDay: number) => (perDay * accounts * PEAK_FACTOR) / SECONDS_PER_DAY
  const coresFor = (kind: 'server_us' | 'postgres_us') =>
    (atPeak(executions) * costs.execution[kind] +
      atPeak(tokenRefreshes) * costs.token_refresh[kind] +
      atPeak(polls) * costs.poll[kind] +
      atPeak(events) * costs.event_and_delivery[kind]) /
    1e6 /
    UTILIZATION
  const bytes = (table: string) => row_bytes[table] ?? 0
  const perAccount =
    bytes('connected_accounts') +
    PROVIDER_REQUESTS_PER_ACCOUNT * bytes('provider_requests') +
    POLLED_SHARE * (bytes('trigger_instances') + bytes('trigger_polls')) +
    RETENTION_DAYS * executions * bytes('tool_executions') +
    RETENTION_DAYS *
      events *
      (bytes('events') + bytes('trigger_logs') + bytes('webhook_deliveries') + bytes('webhook_attempts'))
  return {
    accounts,
    executionsPerSecond: atPeak(executions),
    eventsPerSecond: atPeak(events),
    pollsPerSecond: atPeak(polls),
    tokenRefreshesPerSecond: atPeak(tokenRefreshes),
    serverCores: coresFor('server_us'),
    postgresCores: coresFor('postgres_us'),
    databaseGigabytes: (perAccount * accounts) / 1e9,
    insertsPerSecond: atPeak(executions) + atPeak(tokenRefreshes) + 4 * atPeak(events),
  }
}
