import {
  budgetRoutes,
  budgetSchedules,
  createBudgetCache,
  createBudgetMeter,
} from '../../features/budgets/index.ts'
import type { HttpPart } from './http.ts'
import type { PlatformPart } from './platform.ts'

/** Budgets, and the meter that counts for them. */
export function wireBudgets({ db, clock, log, changes }: PlatformPart, { api }: HttpPart) {
  const cache = createBudgetCache({ db, canCache: () => changes.connected })
  changes.on('budgets_changed', cache.clear, cache.clear)
  budgetRoutes(api, { db, clock, cache })
  return { meter: createBudgetMeter({ db, cache, clock, log }), schedules: budgetSchedules({ db }) }
}
