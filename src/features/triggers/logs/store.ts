import { LOG_TIMES, type TriggerLogField, type TriggerLogSearch } from '../../../contract/triggers/index.ts'
import { all, type Db, escapeLike, type Sql, sql } from '../../../platform/db/sql.ts'
import { type NewLog, readMessage } from './new-log.ts'

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
const COLUMNS = sql`l.id, l.seq::text, l.kind, l.event_id, l.message, l.encrypted_message, l.created_at,
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
/** Rows whose messages are decrypted for a search of texts. The cursor continues where they ended. */
const SEARCHED_PER_STATEMENT = 1_000
const SEARCHED_MAX = 10_000

type StoredLog = LogRow & { encrypted_message: Buffer | null; is_match: boolean }

interface LogPage {
  rows: LogRow[]
  /** The cursor of the next page; null after the last one. */
  next: number | null
}

/** A page of the log, newest first. A search of texts that reads many rows ends with fewer rows than `limit`. */
export async function searchLogs(db: Db, projectId: string, query: TriggerLogSearch): Promise<LogPage> {
  const limit = Math.min(query.limit ?? LIMIT_DEFAULT, LIMIT_MAX)
  const found: LogRow[] = []
  let cursor = typeof query.cursor === 'number' ? query.cursor : undefined
  for (let searched = 0; ; searched += SEARCHED_PER_STATEMENT) {
    const size = query.search === undefined ? limit + 1 : SEARCHED_PER_STATEMENT
    const portion = await readPortion(db, projectId, query, cursor, size)
    for (const row of portion) {
      if (!row.is_match && !includesText(row.message, query.search as string)) continue
      if (found.length === limit) return { rows: found, next: Number(found.at(-1)?.seq) }
      found.push(row)
    }
    if (portion.length < size) return { rows: found, next: null }
    cursor = Number(portion.at(-1)?.seq)
    if (searched + size >= SEARCHED_MAX) return { rows: found, next: cursor }
  }
}

/** Compares like `ilike`. */
const includesText = (message: string | null, text: string): boolean =>
  message !== null && message.toLowerCase().includes(text.toLowerCase())

/** Reads rows with the fields that a query names. Rows with an encrypted message can match its text, too. */
async function readPortion(
  db: Db,
  projectId: string,
  { from, to, time, status, integrationId, entityId, userId, search: text, search_params }: TriggerLogSearch,
  cursor: number | undefined,
  limit: number,
): Promise<StoredLog[]> {
  const like = `%${escapeLike(text ?? '')}%`
  const matches = sql`(i.trigger_slug ilike ${like} or l.message ilike ${like} or i.id ilike ${like}
    or i.connected_account_id ilike ${like} or l.event_id ilike ${like} or l.id ilike ${like}) is true`
  const rows = await db.rows<StoredLog>(sql`
    select ${COLUMNS}, ${text === undefined ? sql`true` : matches} as is_match from ${FROM} where ${all(
      sql`l.project_id = ${projectId}`,
      cursor !== undefined && sql`l.seq < ${cursor}::bigint`,
      typeof time === 'string' && sql`l.created_at >= now() - make_interval(secs => ${LOG_TIMES[time]}::int)`,
      typeof from === 'number' && sql`l.created_at >= to_timestamp(${from}::double precision / 1000)`,
      typeof to === 'number' && sql`l.created_at < to_timestamp(${to}::double precision / 1000)`,
      status === 'error' && IS_ERROR,
      status === 'success' && sql`not ${IS_ERROR}`,
      integrationId !== undefined && sql`c.auth_config_id = ${integrationId}`,
      entityId !== undefined && sql`c.user_id = ${entityId}`,
      userId !== undefined && sql`c.user_id = ${userId}`,
      text !== undefined && sql`(${matches} or l.encrypted_message is not null)`,
      ...(search_params ?? []).map(condition),
    )} order by l.seq desc limit ${limit}`)
  return rows.map((row) => ({ ...row, message: readMessage(db, row) }))
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

export async function findLog(db: Db, projectId: string, id: string): Promise<LogRow | undefined> {
  const row = await db.one<StoredLog>(
    sql`select ${COLUMNS} from ${FROM} where l.project_id = ${projectId} and l.id = ${id}`,
  )
  return row && { ...row, message: readMessage(db, row) }
}

const LOGS_PER_STATEMENT = 5_000

/** Removes a portion of the rows of projects from before a time for each. Returns whether there may be more. */
export const removeOldLogs = async (db: Db, before: ReadonlyMap<string, Date>): Promise<boolean> =>
  (await db.run(sql`
    with chosen as materialized (
      select l.id, l.created_at
      from unnest(${[...before.keys()]}::text[], ${[...before.values()]}::timestamptz[]) p (id, before)
      cross join lateral (
        select id, created_at from trigger_logs
        where project_id = p.id and created_at < p.before limit ${LOGS_PER_STATEMENT}) l
      limit ${LOGS_PER_STATEMENT})
    delete from trigger_logs l using chosen c where l.id = c.id and l.created_at = c.created_at`)) ===
  LOGS_PER_STATEMENT

/** Adds a row to the log of an instance. */
export const insertLog = (
  db: Db,
  projectId: string,
  instanceId: string,
  { id, kind, encrypted_message: message }: NewLog,
): Promise<number> =>
  db.run(sql`
    insert into trigger_logs (id, project_id, instance_id, kind, encrypted_message)
    values (${id}, ${projectId}, ${instanceId}, ${kind}, ${message})`)
