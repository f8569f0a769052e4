/** The shortest interval, in seconds, except after a poll that left items. */
const INTERVAL_SECONDS_MIN = 60
/** With an OAuth app of the administrator, which all projects share. */
const MANAGED_INTERVAL_SECONDS_MIN = 900
/** What a poll left is read soon, but not at once, so that other instances have their turn. */
const MORE_DELAY_SECONDS = 2
/** The longest delay after failures, unless the interval is longer. */
const RETRY_DELAY_SECONDS_MAX = 3_600
/** Spreads polls that start at the same time. */
const JITTER = 0.05

export interface IntervalSettings {
  /** The interval that the user set. */
  intervalSeconds: number
  isManaged: boolean
  /** From 0 up to 1. */
  random: number
}

/**
 * The interval after a poll: shorter after new items, down to the shortest that is allowed; longer after none, up to
 * the interval that the user set.
 */
export function nextInterval(
  current: number,
  hasNewItems: boolean,
  { intervalSeconds, isManaged }: Pick<IntervalSettings, 'intervalSeconds' | 'isManaged'>,
): number {
  const shortest = Math.min(intervalSeconds, isManaged ? MANAGED_INTERVAL_SECONDS_MIN : INTERVAL_SECONDS_MIN)
  return Math.round(Math.min(intervalSeconds, Math.max(shortest, hasNewItems ? current / 2 : current * 1.5)))
}

/** Seconds until the next poll after a success. */
export const successDelay = (
  interval: number,
  hasMore: boolean,
  { random }: Pick<IntervalSettings, 'random'>,
) => (hasMore ? MORE_DELAY_SECONDS : interval * (1 - JITTER + 2 * JITTER * random))

/** Seconds until the next poll after `failures` failed ones, and at least the time that the application asks for. */
export function retryDelay(
  failures: number,
  retryAfterMs: number | undefined,
  { intervalSeconds, random }: Pick<IntervalSettings, 'intervalSeconds' | 'random'>,
): number {
  const backoff = Math.min(
    Math.max(RETRY_DELAY_SECONDS_MAX, intervalSeconds),
    Math.max(INTERVAL_SECONDS_MIN, intervalSeconds) * 2 ** Math.min(failures, 10),
  )
  const delay = retryAfterMs === undefined ? backoff : Math.min(intervalSeconds, backoff)
  return Math.max(delay, (retryAfterMs ?? 0) / 1_000) * (1 + JITTER * random)
}

const PERMANENT_FAILURES_MIN = 10
const PERMANENT_FAILURE_SECONDS = 3_600
const FAILURE_SECONDS = 5 * 86_400

/** Permanent failures disable an instance after ten polls and an hour, failures that may end after five days. */
export const shouldDisable = (failures: number, failingSeconds: number, isPermanent: boolean): boolean =>
  isPermanent
    ? failures >= PERMANENT_FAILURES_MIN && failingSeconds >= PERMANENT_FAILURE_SECONDS
    : failingSeconds >= FAILURE_SECONDS
