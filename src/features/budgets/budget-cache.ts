import { createCache } from '../../platform/cache.ts'
import type { Db } from '../../platform/db/sql.ts'
import { type BudgetRow, listEnabledBudgets } from './store.ts'

const PROJECTS_MAX = 10_000
/** Changes arrive by NOTIFY at once. This limit applies if a notification is lost. */
const CACHE_TTL_MS = 10_000

export interface BudgetCacheDeps {
  db: Db
  /** False while notifications of changes cannot be received. Then every call reads the database. */
  canCache(): boolean
}

/** Caches the enabled budgets of projects, including empty lists: most projects have none, and then nothing is read. */
export function createBudgetCache({ db, canCache }: BudgetCacheDeps) {
  const cache = createCache<string, readonly BudgetRow[]>({ max: PROJECTS_MAX, ttl: CACHE_TTL_MS })
  let generation = 0

  async function load(projectId: string): Promise<readonly BudgetRow[]> {
    const generationAtStart = generation
    const budgets = await listEnabledBudgets(db, projectId)
    if (generationAtStart === generation && canCache()) cache.set(projectId, budgets)
    return budgets
  }

  return {
    budgetsOf: (projectId: string): readonly BudgetRow[] | Promise<readonly BudgetRow[]> =>
      (canCache() ? cache.get(projectId) : undefined) ?? load(projectId),
    /** Call it when budgets changed on any server. */
    clear() {
      generation++
      cache.clear()
    },
  }
}
export type BudgetCache = ReturnType<typeof createBudgetCache>
