import { type Db, sql } from '../../platform/db/sql.ts'
import type { Search } from './search.ts'

export interface LogRow {
  id: string
  tool_slug: string
  toolkit_slug: string
  version: string
  effect: string | null
  dry_run: boolean
  user_id: string | null
  connected_account_id: string | null
  auth_config_id: string | null
  session_id: string | null
  sandbox_id: string | null
  request_id: string
  source: Record<string, string> | null
  timings: Record<string, number> | null
  requests: number | null
  request_bytes: number | null
  response_bytes: number | null
  /** Null: it was begun, and its end is not known. */
  successful: boolean | null
  status_code: number | null
  error: string | null
  duration_ms: number | null
  created_at: Date
  parent_id: string | null
  parent_tool: string | null
  /** When it began, in microseconds since the epoch. */
  at: number
}

const COLUMNS = sql`
  e.id, e.tool_slug, e.toolkit_slug, e.version, e.effect, e.dry_run, e.user_id, e.connected_account_id, e.auth_config_id, e.session_id, e.sandbox_id, e.request_id, e.source, e.timings,
  e.requests, e.request_bytes, e.response_bytes, e.successful, e.status_code, e.error, e.duration_ms, e.created_at, p.id as parent_id, p.tool_slug as parent_tool,
  (extract(epoch from e.created_at) * 1000000)::bigint as at`
const FROM = sql`tool_executions e left join tool_executions p on p.id = e.parent_id and p.project_id = e.project_id`

/** A page of executions, newest first, and where the next begins. Rows that began in one microsecond stay on one page, so it may be a little longer than asked. */
export async function search(
  db: Db,
  projectId: string,
  { where, before, limit }: Search,
): Promise<{ rows: LogRow[]; next: number | null }> {
  const earlier =
    before === undefined
      ? sql`true`
      : sql`e.created_at < timestamptz 'epoch' + ${before}::bigint * interval '1 microsecond'`
  const found = await db.rows<LogRow>(sql`
    select ${COLUMNS} from ${FROM} where e.project_id = ${projectId} and ${where} and ${earlier} order by e.created_at desc fetch first ${limit + 1} rows with ties`)
  const last = found[limit - 1]
  if (found.length <= limit || !last) return { rows: found, next: null }
  return { rows: found.filter(({ at }) => at >= last.at), next: last.at }
}

export const find = (
  db: Db,
  projectId: string,
  id: string,
): Promise<(LogRow & { payload: Buffer | null }) | undefined> =>
  db.one(sql`
  select ${COLUMNS}, e.payload from ${FROM} where e.project_id = ${projectId} and e.id = ${id}`)
