import { createCache } from '../../platform/cache.ts'
import { type Db, sql } from '../../platform/db/sql.ts'

/** Calls that are counted. The bound keeps the query at milliseconds for a project with many. */
const CALLS_MAX = 10_000
const CACHE_MS = 60_000
const PROJECTS_MAX = 1_000

/** Returns a function that counts the latest tool calls of a project by toolkit slug. Counts are up to a minute old. */
export function createCallCounter(db: Db): (projectId: string) => Promise<ReadonlyMap<string, number>> {
  const counts = createCache<string, Promise<ReadonlyMap<string, number>>>({
    max: PROJECTS_MAX,
    ttl: CACHE_MS,
  })
  return (projectId) => {
    const known = counts.get(projectId)
    if (known) return known
    const counting = countByToolkit(db, projectId)
    counts.set(projectId, counting)
    // A failure is not cached.
    counting.catch(() => counts.delete(projectId))
    return counting
  }
}

async function countByToolkit(db: Db, projectId: string): Promise<ReadonlyMap<string, number>> {
  const rows = await db.rows<{ slug: string; calls: number }>(sql`
    select toolkit_slug as slug, count(*)::int as calls
    from (
      select toolkit_slug from tool_executions where project_id = ${projectId} and not dry_run
      order by created_at desc limit ${CALLS_MAX}) latest
    group by toolkit_slug`)
  return new Map(rows.map(({ slug, calls }) => [slug, calls]))
}
