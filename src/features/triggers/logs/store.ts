import { LOG_TIMES, type TriggerLogField, type TriggerLogSearch } from '../../../contract/triggers/index.ts'
import { all, type Db, escapeLike, type Sql, sql } from '../../../platform/db/sql.ts'
import { newId } from '../../../platform/ids.ts'

export interface LogRow {
  id: string
  seq: string
  kind: 'event' | 'failure' | 'gap' | 'disabled' | 'enabled'
  event_id: string | null
  message: string | null
  created_at: Date
  is_error: boolean
  instance_id: string
  uuid: string
  trigger_slug: string
  toolkit_slug: string
  connected_account_id: string
  user_id: string
}

// An instance that its user disabled is not an error.
const IS_ERROR = sql`(l.kind in ('failure', 'gap') or l.kind = 'disabled' and coalesce(l.message, '') <> 'user')`
const FROM = sql`trigger_logs l join trigger_instances i on i.id = l.instance_id
    join connected_accounts c on c.id = i.connected_account_id`
const COLUMNS = sql`l.id, l.seq::text, l.kind, l.event_id, l.message, l.created_at,
    ${IS_ERROR} as is_error, i.id as instance_id, i.uuid, i.trigger_slug, i.toolkit_slug,
    i.connected_account_id, c.user_id`

const FIELDS: Readonly<Record<TriggerLogField, Sql>> = {
  trigger_name: sql`i.trigger_slug`,
  trigger_id: sql`i.id`,
  toolkit: sql`i.toolkit_slug`,
  connected_account_id: sql`i.connected_account_id`,
  auth_config_id: sql`c.auth_config_id`,
  user_id: sql`c.user_id`,
  type: sql`l.kind`,
  event_id: sql`l.event_id`,
}

const LIMIT_DEFAULT = 20
const LIMIT_MAX = 1_000

/** A page of the log, newest first. `next` is the cursor of the next page; null after the last one. */
export async function searchLogs(
  db: Db,
  projectId: string,
  query: TriggerLogSearch,
): Promise<{ rows: LogRow[]; next: number | null }> {
  const limit = Math.min(query.limit ?? LIMIT_DEFAULT, LIMIT_MAX)
  const { from, to, time, status, cursor, integrationId, entityId, userId, search: text } = query
  const like = text === undefined ? '' : `%${escapeLike(text)}%`
  const rows = await db.rows<LogRow>(sql`
    select ${COLUMNS} from ${FROM} where ${all(
      sql`l.project_id = ${projectId}`,
      typeof cursor === 'number' && sql`l.seq < ${cursor}::bigint`,
      typeof time === 'string' && sql`l.created_at >= now() - make_interval(secs => ${LOG_TIMES[time]}::int)`,
      typeof from === 'number' && sql`l.created_at >= to_timestamp(${from}::double precision / 1000)`,
      typeof to === 'number' && sql`l.created_at < to_timestamp(${to}::double precision / 1000)`,
      status === 'error' && IS_ERROR,
      status === 'success' && sql`not ${IS_ERROR}`,
      integrationId !== undefined && sql`c.auth_config_id = ${integrationId}`,
      entityId !== undefined && sql`c.user_id = ${entityId}`,
      userId !== undefined && sql`c.user_id = ${userId}`,
      text !== undefined &&
        sql`(i.trigger_slug ilike ${like} or l.message ilike ${like} or i.id ilike ${like}
            or i.connected_account_id ilike ${like} or l.event_id ilike ${like} or l.id ilike ${like})`,
      ...(query.search_params ?? []).map(condition),
    )} order by l.seq desc limit ${limit + 1}`)
  const page = rows.slice(0, limit)
  return { rows: page, next: rows.length > limit ? Number(page.at(-1)?.seq) : null }
}

function condition({ field, operation, value }: NonNullable<TriggerLogSearch['search_params']>[number]): Sql {
  const column = FIELDS[field]
  const text = field === 'trigger_name' ? value.toUpperCase() : value
  const matches =
    operation === '==' || operation === '!='
      ? sql`${column} = ${text}`
      : sql`${column} like ${`%${escapeLike(text)}%`}`
  return operation === '==' || operation === 'contains' ? matches : sql`(${matches}) is not true`
}

export const findLog = (db: Db, projectId: string, id: string): Promise<LogRow | undefined> =>
  db.one(sql`select ${COLUMNS} from ${FROM} where l.project_id = ${projectId} and l.id = ${id}`)

const LOGS_PER_STATEMENT = 5_000

/** Removes a portion of the rows that are older than the retention of events. Returns whether there may be more. */
export const removeOldLogs = async (db: Db, days: number): Promise<boolean> =>
  (await db.run(sql`
    delete from trigger_logs where id in (
      select id from trigger_logs
      where event_id is null and created_at < now() - make_interval(days => ${days}::int)
        limit ${LOGS_PER_STATEMENT})`)) === LOGS_PER_STATEMENT

/** Adds a row to the log of an instance. */
export const insertLog = (
  db: Db,
  projectId: string,
  instanceId: string,
  kind: 'failure' | 'gap',
  message: string,
): Promise<number> =>
  db.run(sql`
    insert into trigger_logs (id, project_id, instance_id, kind, message)
    values (${newId('log')}, ${projectId}, ${instanceId}, ${kind}, ${message})`)
