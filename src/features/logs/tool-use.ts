import { createCache } from '../../platform/cache.ts'
import { type Db, sql } from '../../platform/db/sql.ts'
import type { Logger } from '../../platform/log.ts'

/** Tool slugs to the number of their recent successful calls. */
export type ToolUses = ReadonlyMap<string, number>

/** Only the newest calls are read, so that a busy project costs as little as any other. */
const CALLS_MAX = 2_000
const DAYS_MAX = 30
const PROJECTS_MAX = 1_000
const CACHED_MS = 300_000

/**
 * Counts the successful calls of each tool among the newest 2,000 calls of a project in 30 days. The counts of
 * a project are read once in five minutes; outdated ones are returned while they are read again. A failure is
 * logged and counts as no calls, because the ranking of a search works without them.
 */
export function createToolUses({
  db,
  log,
}: {
  db: Db
  log: Logger
}): (projectId: string) => Promise<ToolUses> {
  const cache = createCache<string, ToolUses>({
    max: PROJECTS_MAX,
    ttl: CACHED_MS,
    allowStale: true,
    allowStaleOnFetchRejection: true,
    ignoreFetchAbort: true,
    fetchMethod: (projectId) =>
      readToolUses(db, projectId).catch((error: unknown) => {
        log.warn({ err: error, project_id: projectId }, 'the recent calls of a project could not be counted')
        throw error
      }),
  })
  return async (projectId) => (await cache.fetch(projectId)) ?? new Map()
}

async function readToolUses(db: Db, projectId: string): Promise<ToolUses> {
  const rows = await db.rows<{ tool_slug: string; calls: number }>(sql`
    select tool_slug, count(*)::int as calls from (
      select tool_slug, successful, dry_run from tool_executions
      where project_id = ${projectId} and created_at > now() - make_interval(days => ${DAYS_MAX})
      order by created_at desc limit ${CALLS_MAX}) newest
    where successful and not dry_run group by tool_slug`)
  return new Map(rows.map(({ tool_slug: slug, calls }) => [slug, calls]))
}
