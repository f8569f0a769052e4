import { LRUCache } from 'lru-cache'
import type { Db } from '../../../platform/db/sql.ts'
import { compileWhen, type Facts, type Rule } from './evaluate-policies.ts'
import { inForce, type PolicyRow } from '../store.ts'
import type { Sure } from './three-valued-logic.ts'

const PROJECTS_MAX = 10_000
/** Changes are announced by the database at once; this bound holds when an announcement is lost. */
const CACHE_TTL_MS = 10_000

export interface RulesDeps {
  db: Db
  /** False while announcements of changes cannot be heard: then the database is asked every time. */
  mayRemember(): boolean
}

/** The policies of projects, compiled. Most projects have none, and that is remembered too: they cost a call nothing. */
export function rulesOf({ db, mayRemember }: RulesDeps) {
  const known = new LRUCache<string, readonly Rule[]>({ max: PROJECTS_MAX, ttl: CACHE_TTL_MS })
  let generation = 0

  async function load(projectId: string): Promise<readonly Rule[]> {
    const asked = generation
    const rules = (await inForce(db, projectId)).map(ruleOf)
    if (asked === generation && mayRemember()) known.set(projectId, rules)
    return rules
  }

  return {
    of: (projectId: string): readonly Rule[] | Promise<readonly Rule[]> =>
      (mayRemember() ? known.get(projectId) : undefined) ?? load(projectId),
    /** Called when policies changed anywhere. */
    forget() {
      generation++
      known.clear()
    },
  }
}
export type Rules = ReturnType<typeof rulesOf>

function ruleOf({
  id,
  name,
  outcome,
  fallback,
  message,
  covers_proxy: coversProxy,
  approval_seconds: approvalSeconds,
  approval_link: approvalLink,
  conditions,
}: PolicyRow): Rule {
  return {
    id,
    name,
    outcome,
    fallback,
    message,
    coversProxy,
    approvalSeconds,
    approvalLink,
    about: compiled(),
  }

  /** A condition that this release cannot read holds nobody up where it allows, and everybody where it does not. */
  function compiled(): (call: Facts) => Sure {
    try {
      return compileWhen(conditions)
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      return () => 'maybe'
    }
  }
}
