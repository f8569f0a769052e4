import type { InternalLogSearch, LogField, LogOperator, LogSearch } from '../../contract/logs.ts'
import { badRequest } from '../../platform/http/api-error.ts'
import { all, escapeLike, join, type Sql, sql } from '../../platform/db/sql.ts'

const LIMIT_DEFAULT = 20
const LIMIT_MAX = 1_000

/** What to look for: rows that began before `before` (microseconds since the epoch), newest first. */
export interface Search {
  where: Sql
  before: number | undefined
  limit: number
}

interface Filter {
  field: LogField
  operator: LogOperator
  value: string
}

export const STATUS = sql`case when e.successful is null then 'started' when e.successful then 'success' else 'failed' end`

const same = (value: string) => value
/** Where each field stands, and how its values are written there. */
const FIELDS: Readonly<Record<LogField, { column: Sql; written: (value: string) => string }>> = {
  tool_slug: { column: sql`e.tool_slug`, written: (value) => value.toUpperCase() },
  toolkit_slug: { column: sql`e.toolkit_slug`, written: (value) => value.toLowerCase() },
  connected_account_id: { column: sql`e.connected_account_id`, written: same },
  auth_config_id: { column: sql`e.auth_config_id`, written: same },
  status: { column: STATUS, written: (value) => value.toLowerCase() },
  user_id: { column: sql`e.user_id`, written: same },
  session_id: { column: sql`e.session_id`, written: same },
  sandbox_id: { column: sql`e.sandbox_id`, written: same },
  request_id: { column: sql`e.request_id`, written: same },
  log_id: { column: sql`e.id`, written: same },
}
/** The names that the older address has for them. */
export const OLDER_NAMES: Readonly<Record<string, LogField>> = {
  tool_key: 'tool_slug',
  actionKey: 'tool_slug',
  app_key: 'toolkit_slug',
  appKey: 'toolkit_slug',
  entity_id: 'user_id',
  entityId: 'user_id',
  connectedAccountId: 'connected_account_id',
}

/** @throws ApiError 400 for a cursor that is none */
export function readSearch({ filters = [], time_range: range, cursor, limit }: LogSearch): Search {
  return {
    where: all(...conditions(filters, true), ...within(range?.from, range?.to)),
    before: cursor ? readCursor(cursor) : undefined,
    limit: sized(limit),
  }
}

/** The older form; fields have older names, and case counts only if asked for. @throws ApiError 400 for an unknown field */
export function readInternalSearch({
  search_params: params = [],
  from,
  to,
  cursor,
  limit,
  case_sensitive: caseSensitive,
}: InternalLogSearch): Search {
  const filters = params.flatMap(({ field, operation = '==', value }, i): Filter[] => {
    if (field === undefined || value === undefined) return []
    const known = Object.hasOwn(OLDER_NAMES, field) ? (OLDER_NAMES[field] as LogField) : field
    if (!Object.hasOwn(FIELDS, known))
      throw badRequest(
        `Error in payload.search_params.${i}.field: is not searchable; GET /internal/action_execution/fields lists what is`,
      )
    return [{ field: known as LogField, operator: operation, value }]
  })
  return {
    where: all(...conditions(filters, caseSensitive === true), ...within(from, to)),
    before: cursor ?? undefined,
    limit: sized(limit),
  }
}

const sized = (limit: number | null | undefined): number => Math.min(limit ?? LIMIT_DEFAULT, LIMIT_MAX)

const within = (from: number | undefined, to: number | undefined) => [
  from !== undefined && sql`e.created_at >= to_timestamp(${from}::double precision / 1000)`,
  to !== undefined && sql`e.created_at < to_timestamp(${to}::double precision / 1000)`,
]

/** What asks for one field positively is joined by or, everything else by and. */
function conditions(filters: readonly Filter[], caseSensitive: boolean): Sql[] {
  const asked = new Map<string, Sql[]>()
  const others: Sql[] = []
  for (const { field, operator, value } of filters) {
    const { column, written } = FIELDS[field]
    const text = written(value)
    const like = `%${escapeLike(text)}%`
    const contains = caseSensitive ? sql`${column} like ${like}` : sql`${column} ilike ${like}`
    const equals =
      caseSensitive || written !== same
        ? sql`${column} = ${text}`
        : sql`lower(${column}) = ${text.toLowerCase()}`
    if (operator === '==' || operator === 'contains')
      asked.set(field, [...(asked.get(field) ?? []), operator === '==' ? equals : contains])
    else others.push(sql`(${operator === '!=' ? equals : contains}) is not true`)
  }
  return [...[...asked.values()].map((alternatives) => sql`(${join(alternatives, ' or ')})`), ...others]
}

/** Where the page before ended. A moment is enough: no page ends among rows that began in the same microsecond. */
export const writeCursor = (before: number): string => Buffer.from(`before-${before}`).toString('base64')

function readCursor(cursor: string): number {
  const before = Number(/^before-(\d{1,16})$/.exec(Buffer.from(cursor, 'base64').toString('latin1'))?.[1])
  if (!Number.isSafeInteger(before)) throw badRequest('Error in payload.cursor: is not a cursor of this API')
  return before
}
