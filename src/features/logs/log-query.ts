import type { InternalLogSearch, LogField, LogOperator, LogSearch } from '../../contract/logs/index.ts'
import { badRequest } from '../../platform/http/api-error.ts'
import { all, escapeLike, join, type Sql, sql } from '../../platform/db/sql.ts'
import { STATUS } from './status-column.ts'

const LIMIT_DEFAULT = 20
const LIMIT_MAX = 1_000

/** A search of the log. `before`: only rows that started before it, in microseconds since the epoch. */
export interface LogQuery {
  where: Sql
  /** False: every row of the project in `where`'s time range matches, so that no portions are needed. */
  isFiltered: boolean
  /** The part of `where` for which there is an index in the order of time: portions of the search are counted by it. */
  scan: Sql
  before: number | undefined
  limit: number
}

interface LogFilter {
  field: LogField
  operator: LogOperator
  value: string
}

const unchanged = (value: string) => value

interface SearchField {
  readonly column: Sql
  /** Returns a value in the spelling of the column. */
  readonly normalize: (value: string) => string
}

/** The column of each searchable field. */
const FIELDS: Readonly<Record<LogField, SearchField>> = {
  tool_slug: { column: sql`e.tool_slug`, normalize: (value) => value.toUpperCase() },
  toolkit_slug: { column: sql`e.toolkit_slug`, normalize: (value) => value.toLowerCase() },
  connected_account_id: { column: sql`e.connected_account_id`, normalize: unchanged },
  auth_config_id: { column: sql`e.auth_config_id`, normalize: unchanged },
  status: { column: STATUS, normalize: (value) => value.toLowerCase() },
  user_id: { column: sql`e.user_id`, normalize: unchanged },
  session_id: { column: sql`e.session_id`, normalize: unchanged },
  sandbox_id: { column: sql`e.sandbox_id`, normalize: unchanged },
  request_id: { column: sql`e.request_id`, normalize: unchanged },
  log_id: { column: sql`e.id`, normalize: unchanged },
}
/** The names of fields in the older endpoint. */
export const OLDER_FIELD_NAMES: Readonly<Record<string, LogField>> = {
  tool_key: 'tool_slug',
  actionKey: 'tool_slug',
  app_key: 'toolkit_slug',
  appKey: 'toolkit_slug',
  entity_id: 'user_id',
  entityId: 'user_id',
  connectedAccountId: 'connected_account_id',
}

/** @throws ApiError 400 for an invalid cursor */
export function readLogQuery({ filters = [], time_range: range, cursor, limit }: LogSearch): LogQuery {
  return {
    where: all(...conditions(filters, true), ...startedBetween(range?.from, range?.to)),
    isFiltered: filters.length > 0,
    scan: all(indexedCondition(filters), ...startedBetween(range?.from, range?.to)),
    before: cursor ? parseCursor(cursor) : undefined,
    limit: pageSize(limit),
  }
}

/** Reads a search of the older endpoint, which ignores case by default. @throws ApiError 400 for an unknown field */
export function readOlderLogQuery({
  search_params: params = [],
  from,
  to,
  cursor,
  limit,
  case_sensitive: caseSensitive,
}: InternalLogSearch): LogQuery {
  const filters = params.flatMap(({ field, operation = '==', value }, index): LogFilter[] => {
    if (field === undefined || value === undefined) return []
    const known = Object.hasOwn(OLDER_FIELD_NAMES, field) ? (OLDER_FIELD_NAMES[field] as LogField) : field
    if (!Object.hasOwn(FIELDS, known))
      throw badRequest(
        `Error in payload.search_params.${index}.field: is not searchable; ` +
          'GET /internal/action_execution/fields lists the searchable fields',
      )
    return [{ field: known as LogField, operator: operation, value }]
  })
  return {
    where: all(...conditions(filters, caseSensitive === true), ...startedBetween(from, to)),
    isFiltered: filters.length > 0,
    scan: all(caseSensitive === true && indexedCondition(filters), ...startedBetween(from, to)),
    before: cursor ?? undefined,
    limit: pageSize(limit),
  }
}

/** Returns the condition that fields have these values. */
export const whereEqual = (values: Readonly<Partial<Record<LogField, string | undefined>>>): Sql =>
  all(
    ...conditions(
      Object.entries(values).flatMap(([field, value]) =>
        value === undefined ? [] : [{ field: field as LogField, operator: '==' as const, value }],
      ),
      true,
    ),
  )

/** Fields by which executions in memory are selected, too. */
export const STREAM_FIELDS = [
  'tool_slug',
  'toolkit_slug',
  'user_id',
  'connected_account_id',
  'session_id',
  'request_id',
] as const
type StreamField = (typeof STREAM_FIELDS)[number]
export type StreamFields = Readonly<Partial<Record<StreamField, string | undefined>>>

/** Whether an execution has these values, as `whereEqual` selects them. */
export const hasFields = (row: Readonly<Record<StreamField, string | null>>, values: StreamFields): boolean =>
  STREAM_FIELDS.every((field) => {
    const value = values[field]
    return value === undefined || row[field] === FIELDS[field].normalize(value)
  })

const pageSize = (limit: number | null | undefined): number => Math.min(limit ?? LIMIT_DEFAULT, LIMIT_MAX)

const startedBetween = (from: number | undefined, to: number | undefined) => [
  from !== undefined && sql`e.created_at >= to_timestamp(${from}::double precision / 1000)`,
  to !== undefined && sql`e.created_at < to_timestamp(${to}::double precision / 1000)`,
]

/** Fields with an index, the one with the fewest rows for a value first. */
const INDEXED_FIELDS: readonly LogField[] = [
  'log_id',
  'request_id',
  'connected_account_id',
  'user_id',
  'tool_slug',
]

/** Returns the filter that an index answers, if there is one. Only one: PostgreSQL reads one index for it. */
function indexedCondition(filters: readonly LogFilter[]): Sql | undefined {
  for (const field of INDEXED_FIELDS) {
    const [filter, ...others] = filters.filter((one) => one.field === field)
    if (filter?.operator === '==' && others.length === 0)
      return sql`${FIELDS[field].column} = ${FIELDS[field].normalize(filter.value)}`
  }
  return undefined
}

/** Positive filters of one field are alternatives. All other conditions must hold. */
function conditions(filters: readonly LogFilter[], caseSensitive: boolean): Sql[] {
  const alternativesByField = new Map<string, Sql[]>()
  const others: Sql[] = []
  for (const { field, operator, value } of filters) {
    const { column, normalize } = FIELDS[field]
    const text = normalize(value)
    const like = `%${escapeLike(text)}%`
    const contains = caseSensitive ? sql`${column} like ${like}` : sql`${column} ilike ${like}`
    const equals =
      caseSensitive || normalize !== unchanged
        ? sql`${column} = ${text}`
        : sql`lower(${column}) = ${text.toLowerCase()}`
    if (operator === '==' || operator === 'contains')
      alternativesByField.set(field, [
        ...(alternativesByField.get(field) ?? []),
        operator === '==' ? equals : contains,
      ])
    else others.push(sql`(${operator === '!=' ? equals : contains}) is not true`)
  }
  return [
    ...[...alternativesByField.values()].map((alternatives) => sql`(${join(alternatives, ' or ')})`),
    ...others,
  ]
}

/** Writes a cursor. A time is enough: rows that started in the same microsecond are on the same page. */
export const formatCursor = (before: number): string => Buffer.from(`before-${before}`).toString('base64')

function parseCursor(cursor: string): number {
  const before = Number(/^before-(\d{1,16})$/.exec(Buffer.from(cursor, 'base64').toString('latin1'))?.[1])
  if (!Number.isSafeInteger(before)) throw badRequest('Error in payload.cursor: is not a cursor of this API')
  return before
}
