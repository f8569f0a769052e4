import { createCache } from '../../../platform/cache.ts'
import type { PolicyCondition } from '../../../contract/policies/index.ts'
import type { Db } from '../../../platform/db/sql.ts'
import { listEnabled, type PolicyRow } from '../store.ts'
import { compileConditions, type CompiledPolicy } from './evaluate-policies.ts'

const PROJECTS_MAX = 10_000
/** Changes arrive by NOTIFY at once. This limit applies if a notification is lost. */
const CACHE_TTL_MS = 10_000

export interface PolicyCacheDeps {
  db: Db
  /** False while notifications of changes cannot be received. Then every call reads the database. */
  canCache(): boolean
}

/** Caches the compiled policies of projects, including empty lists: most projects have no policies. */
export function createPolicyCache({ db, canCache }: PolicyCacheDeps) {
  const cache = createCache<string, readonly CompiledPolicy[]>({ max: PROJECTS_MAX, ttl: CACHE_TTL_MS })
  let generation = 0

  async function load(projectId: string): Promise<readonly CompiledPolicy[]> {
    const generationAtStart = generation
    const policies = (await listEnabled(db, projectId)).map(compilePolicy)
    if (generationAtStart === generation && canCache()) cache.set(projectId, policies)
    return policies
  }

  return {
    policiesFor: (projectId: string): readonly CompiledPolicy[] | Promise<readonly CompiledPolicy[]> =>
      (canCache() ? cache.get(projectId) : undefined) ?? load(projectId),
    /** Call it when policies changed on any server. */
    clear() {
      generation++
      cache.clear()
    },
  }
}
export type PolicyCache = ReturnType<typeof createPolicyCache>

const compilePolicy = (row: PolicyRow): CompiledPolicy => ({
  id: row.id,
  name: row.name,
  outcome: row.outcome,
  fallback: row.fallback,
  message: row.message,
  coversProxy: row.covers_proxy,
  approvalSeconds: row.approval_seconds,
  approvalLink: row.approval_link,
  untrustedContent: row.conditions.untrusted_content,
  appliesTo: compileOrMaybe(row.conditions),
})

/**
 * A condition that this release cannot compile is `maybe`: the policy then applies if it asks or denies, and does
 * not apply if it allows.
 */
function compileOrMaybe(conditions: PolicyCondition): CompiledPolicy['appliesTo'] {
  try {
    return compileConditions(conditions)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return () => 'maybe'
  }
}
