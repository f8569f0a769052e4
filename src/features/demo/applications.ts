import { createCache } from '../../platform/cache.ts'
import type { EgressOf } from '../../catalog/index.ts'
import type { Pool } from '../../platform/db/sql.ts'
import type { Egress } from '../../platform/egress/index.ts'
import { createDemoCheck } from '../projects/index.ts'
import { DEMO_TOOLKITS } from './content.ts'

/** Each demo project has applications of its own, in memory. */
const SIMULATIONS_MAX = 8

export interface ApplicationDeps {
  db: Pool
  egress: Egress
  /** Returns an HTTP client that reaches simulations only; undefined if this server has none. */
  simulate: ((toolkits: readonly string[]) => Promise<Egress>) | undefined
}

/**
 * Returns how each project reaches applications. The requests of a demo project never leave the process: they go to
 * simulations, also when a user of the project connects an account with real credentials.
 */
export function createEgressOf({ db, egress, simulate }: ApplicationDeps): EgressOf {
  const isDemo = createDemoCheck(db)
  const simulations = createCache<string, Promise<Egress>>({ max: SIMULATIONS_MAX })
  return async (projectId) => {
    if (!(await isDemo(projectId))) return egress
    if (!simulate) throw new Error('This server cannot simulate the applications of a demo project.')
    const known = simulations.get(projectId)
    if (known) return known
    const created = simulate(DEMO_TOOLKITS)
    simulations.set(projectId, created)
    created.catch(() => simulations.delete(projectId))
    return created
  }
}
