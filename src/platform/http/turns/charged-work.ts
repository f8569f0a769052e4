import { currentTurn, type RequestTurn } from './request-turns.ts'

/** Shorter work is as cheap as measuring it, and is not counted. */
const CHARGED_MIN_MS = 1

/**
 * Runs synchronous work that can be expensive, and counts its time for the project of a request.
 * @param turn default: that of the running request
 */
export function runCharged<T>(work: () => T, turn = currentTurn()): T {
  if (!turn) return work()
  const startedAt = turn.now()
  try {
    return work()
  } finally {
    chargeSince(turn, startedAt)
  }
}

/** Counts the time since `startedAt`, a time of the turn, unless it was short. */
export function chargeSince(turn: RequestTurn, startedAt: number): void {
  const ms = turn.now() - startedAt
  if (ms >= CHARGED_MIN_MS) turn.charge(ms)
}
