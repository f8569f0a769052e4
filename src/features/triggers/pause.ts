/** Seconds. No poll is nearer to the one before, but for what a poll had to leave. */
const PAUSE_MIN_S = 60
/** With an OAuth app of the operator. */
const MANAGED_MIN_S = 900
/** What a poll had to leave is fetched soon, and not at once: others wait too. */
const MORE_S = 2
/** Failing polls come further and further apart, up to this. */
const FAILING_MAX_S = 3_600
/** Polls that begin together do not stay together. */
const JITTER = 0.05

export interface Rhythm {
  intervalS: number
  isManaged: boolean
  random: number
}

/** The pause after a poll: shorter where there was something new, towards the least that is allowed; longer where there was nothing, towards the interval that was asked for. */
export function pauseAfter(pauseS: number, isBusy: boolean, { intervalS, isManaged }: Rhythm): number {
  const least = Math.min(intervalS, isManaged ? MANAGED_MIN_S : PAUSE_MIN_S)
  return Math.round(Math.min(intervalS, Math.max(least, isBusy ? pauseS / 2 : pauseS * 1.5)))
}

/** Until the next poll, in seconds. */
export const delayAfter = (pauseS: number, hasMore: boolean, { random }: Rhythm): number =>
  hasMore ? MORE_S : pauseS * (1 - JITTER + 2 * JITTER * random)

/** Until the next poll after `failures` that came to nothing; not before the application wants one. */
export function delayAfterFailure(
  failures: number,
  retryAfterMs: number | undefined,
  { intervalS, random }: Rhythm,
): number {
  const backoff = Math.min(
    Math.max(FAILING_MAX_S, intervalS),
    Math.max(PAUSE_MIN_S, intervalS) * 2 ** Math.min(failures, 10),
  )
  return (
    Math.max(
      retryAfterMs === undefined ? backoff : Math.min(intervalS, backoff),
      (retryAfterMs ?? 0) / 1_000,
    ) *
    (1 + JITTER * random)
  )
}

const REFUSALS_MIN = 10
const REFUSED_FOR_S = 3_600
const FAILING_FOR_S = 5 * 86_400

/** Whether polling has failed for so long that it is given up: refusals that say so themselves after an hour, whatever may pass by itself after five days. */
export const isHopeless = (failures: number, failingForS: number, isRefusal: boolean): boolean =>
  isRefusal ? failures >= REFUSALS_MIN && failingForS >= REFUSED_FOR_S : failingForS >= FAILING_FOR_S
