import type { BudgetPeriod } from '../../contract/budgets/index.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Returns the period that contains a time, in UTC. A budget without periods starts in 1970 and never ends. */
export function periodAt(period: BudgetPeriod, nowMs: number): { start: Date; end: Date | undefined } {
  switch (period) {
    case 'hour':
      return fixedPeriod(nowMs, HOUR_MS)
    case 'day':
      return fixedPeriod(nowMs, DAY_MS)
    case 'month': {
      const now = new Date(nowMs)
      const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
      return { start: new Date(Date.UTC(year, month)), end: new Date(Date.UTC(year, month + 1)) }
    }
    case 'total':
      return { start: new Date(0), end: undefined }
  }
}

function fixedPeriod(nowMs: number, lengthMs: number): { start: Date; end: Date } {
  const start = Math.floor(nowMs / lengthMs) * lengthMs
  return { start: new Date(start), end: new Date(start + lengthMs) }
}
