import type { ContentCategory } from '../../../contract/policies/content-categories.ts'
import { runBatch } from '../../../platform/db/run-batch.ts'
import { type Db, sql } from '../../../platform/db/sql.ts'

/** One source of content that other people wrote. Empty strings: no toolkit, tool or account. */
export interface UntrustedSourceRow {
  category: ContentCategory
  toolkit_slug: string
  tool_slug: string
  account: string
  note: string | null
  log_id: string | null
  first_read_at: Date
}
export type NewSource = Omit<UntrustedSourceRow, 'first_read_at'>

/** Identifies what an agent reads and sends in one conversation: a session, or an MCP server and its user. */
export interface FlowContext {
  projectId: string
  contextId: string
}

/** Lists the sources of many contexts in one statement, in the order of the keys, each in the order of reading. */
export async function findSources(
  db: Db,
  keys: readonly FlowContext[],
): Promise<(readonly UntrustedSourceRow[])[]> {
  const rows = await db.rows<UntrustedSourceRow & { n: number }>(sql`
    select k.n::int, s.* from
      unnest(${keys.map(({ projectId }) => projectId)}::text[], ${keys.map(({ contextId }) => contextId)}::text[])
        with ordinality k (project_id, context_id, n)
    cross join lateral (
      select category, toolkit_slug, tool_slug, account, note, log_id, first_read_at from untrusted_sources s
      where s.project_id = k.project_id and s.context_id = k.context_id
        and (s.expires_at is null or s.expires_at > now())
      order by first_read_at, category, toolkit_slug, account) s`)
  const found: UntrustedSourceRow[][] = keys.map(() => [])
  for (const { n, ...row } of rows) found[n - 1]?.push(row)
  return found
}

/**
 * Records a source. One that is known keeps its first tool and the time of its first read, and gets the new note.
 * @param secondsValid after which it no longer counts; null for ever
 */
export async function insertSource(
  db: Db,
  { projectId, contextId }: FlowContext,
  { category, toolkit_slug, tool_slug, account, note, log_id }: NewSource,
  secondsValid: number | null,
): Promise<void> {
  await db.run(sql`
    insert into untrusted_sources (
      project_id, context_id, category, toolkit_slug, tool_slug, account, note, log_id, expires_at)
    values (${projectId}, ${contextId}, ${category}, ${toolkit_slug}, ${tool_slug}, ${account}, ${note}, ${log_id},
      now() + make_interval(secs => ${secondsValid}))
    on conflict (project_id, context_id, category, toolkit_slug, account)
      do update set expires_at = excluded.expires_at, note = excluded.note`)
}

/** Deletes sources that expired, and those of sessions that were deleted. Returns whether there may be more. */
export const removeOldSources = (db: Db): Promise<boolean> =>
  runBatch(
    db,
    (limit) => sql`
    delete from untrusted_sources where ctid in (
      select u.ctid from untrusted_sources u where u.expires_at < now() or (u.expires_at is null and not exists (
        select 1 from sessions s
        where s.project_id = u.project_id and s.id = u.context_id and s.deleted_at is null))
      limit ${limit})`,
  )
