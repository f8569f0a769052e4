import { DEMO_CALLS, DEMO_DAYS, type DemoCall } from './content.ts'

const DAY_MS = 86_400_000
/** Fractional part of the golden ratio: its multiples are spread evenly over an interval, without a pattern. */
const SPREAD = 0.618_033_988_749_895

export interface PastCall extends DemoCall {
  /** Milliseconds since the epoch. */
  at: number
  /** Simulated time of the network and the application. */
  latencyMs: number
}

/** Returns the calls of the past days, oldest first. The same `now` has the same calls. */
export function pastCalls(now: number): PastCall[] {
  const perDay = DEMO_CALLS.flatMap((call) => Array<DemoCall>(call.perDay).fill(call))
  return Array.from({ length: DEMO_DAYS }, (_, day) =>
    perDay.map((call, index) => {
      const number = day * perDay.length + index + 1
      return {
        ...call,
        at: Math.floor(now - (day + ((number * SPREAD) % 1)) * DAY_MS),
        latencyMs: 60 + ((number * 137) % 340),
      }
    }),
  )
    .flat()
    .sort((a, b) => a.at - b.at)
}
