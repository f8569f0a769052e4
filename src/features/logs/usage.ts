import {
  USAGE_ENTITIES,
  type UsageEntity,
  type UsageGroup,
  type UsageQuery,
} from '../../contract/logs/index.ts'
import { badRequest } from '../../platform/http/api-error.ts'
import { all, type Db, join, raw, type Sql, sql } from '../../platform/db/sql.ts'
import { type CountedPeriod, countedCalls } from './rollups/counted.ts'
import { DAY_MS, instant } from './rollups/hours.ts'

const DAYS_DEFAULT = 30
const GROUPS_DEFAULT = 100
const GROUPS_MAX = 1_000

/** A field of executions by which usage is counted, filtered or grouped. */
type UsageColumn = Exclude<UsageGroup, 'project_id'>

/** The project, or the organization with all its projects, whose usage is counted. */
export type UsageScope = { projectId: string } | { organizationId: string }

/** How each kind of usage is counted and grouped. Dry runs do not count. `c`: the query of `countedRows`. */
const ENTITIES: Readonly<Record<UsageEntity, { unit: string; quantity: Sql; groupBy: UsageGroup }>> = {
  tool_calls: { unit: 'call', quantity: sql`coalesce(sum(c.calls), 0)::bigint`, groupBy: 'tool_slug' },
  sessions: { unit: 'session', quantity: sql`count(c.session_id)`, groupBy: 'user_id' },
}
/** By column number of the statement: key, quantity, events. */
const ORDERS: Readonly<Record<string, Sql>> = {
  'key asc': sql`1 asc`,
  'key desc': sql`1 desc`,
  'total_quantity asc': sql`2 asc, 1`,
  'total_quantity desc': sql`2 desc, 1`,
  'event_count asc': sql`3 asc, 1`,
  'event_count desc': sql`3 desc, 1`,
}

interface UsageCount {
  key: string
  quantity: number
  events: number
}
const presentCount = ({ quantity, events }: UsageCount) => ({
  total_quantity: String(quantity),
  event_count: events,
})

/** Returns the total of each kind of usage. */
export async function usageSummary(db: Db, scope: UsageScope, query: UsageQuery) {
  const kinds = USAGE_ENTITIES.filter((kind) => query.entity_types?.includes(kind) ?? true)
  const counts = await Promise.all(
    kinds.map(
      async (kind) =>
        [
          kind,
          { unit: ENTITIES[kind].unit, ...presentCount(await countUsage(db, kind, scope, query)) },
        ] as const,
    ),
  )
  return { entities: Object.fromEntries(counts) }
}

/** Returns one kind of usage, as a total and by group. @throws ApiError 400 for usage of one project by project */
export async function usageBreakdown(db: Db, kind: UsageEntity, scope: UsageScope, query: UsageQuery) {
  const by: UsageGroup = query.group_by ?? ENTITIES[kind].groupBy
  if (by === 'project_id' && 'projectId' in scope)
    throw badRequest(
      'Error in payload.group_by: the usage of one project cannot be grouped by project; ' +
        'request the usage of the organization',
    )
  const order = ORDERS[`${query.order_by ?? 'total_quantity'} ${query.order_direction ?? 'desc'}`] as Sql
  const limit = Math.min(query.limit ?? GROUPS_DEFAULT, GROUPS_MAX)
  const [sum, groups] = await Promise.all([
    countUsage(db, kind, scope, query),
    db.rows<UsageCount>(
      sql`
        select coalesce(${raw(`c.${by}`)}, '') as key, ${ENTITIES[kind].quantity} as quantity,
          sum(c.calls)::bigint as events
        from (${countedRows(kind, by, scope, query)}) c
        group by 1 order by ${order} limit ${limit}`,
    ),
  ])
  return {
    entity_type: kind,
    unit: ENTITIES[kind].unit,
    ...presentCount(sum),
    groups: groups.map((group) => ({ key: group.key, ...presentCount(group) })),
  }
}

const countUsage = async (
  db: Db,
  kind: UsageEntity,
  scope: UsageScope,
  query: UsageQuery,
): Promise<UsageCount> =>
  (await db.one<UsageCount>(
    sql`
      select '' as key, ${ENTITIES[kind].quantity} as quantity, coalesce(sum(c.calls), 0)::bigint as events
      from (${countedRows(kind, undefined, scope, query)}) c`,
  )) as UsageCount

/** Returns a query of the calls, and of sessions one row each: hashing them is faster than `count(distinct …)`, a sort. */
function countedRows(
  kind: UsageEntity,
  groupBy: UsageGroup | undefined,
  scope: UsageScope,
  query: UsageQuery,
): Sql {
  const rows = usageRows(kind, groupBy, scope, query)
  if (kind === 'tool_calls') return rows
  const columns = raw([...new Set(['session_id', ...(groupBy ? [groupBy] : [])])].join(', '))
  return sql`select ${columns}, sum(r.calls) as calls from (${rows}) r group by ${columns}`
}

const inList = (column: Sql, list: readonly string[] | null | undefined): Sql | undefined =>
  list?.length ? sql`${column} = any(${list as string[]}::text[])` : undefined

/** Returns a query of the executions: `calls`, and the columns by which this usage is counted, filtered and grouped. */
function usageRows(
  kind: UsageEntity,
  groupBy: UsageGroup | undefined,
  scope: UsageScope,
  { from, to = Date.now() + 1, filters = {} }: UsageQuery,
): Sql {
  const { user_id: users, session_id: sessions, project_id: projects } = filters
  const period: CountedPeriod = {
    ofProject: (column) =>
      all(
        'projectId' in scope
          ? sql`${column} = ${scope.projectId}`
          : sql`${column} in (select id from projects where organization_id = ${scope.organizationId})`,
        inList(column, projects),
      ),
    from: from ?? to - DAYS_DEFAULT * DAY_MS,
    to,
  }
  const isOfSessions = kind === 'sessions' || Boolean(sessions?.length)
  const columns = new Set<UsageColumn>()
  if (groupBy && groupBy !== 'project_id') columns.add(groupBy)
  if (users?.length) columns.add('user_id')
  if (isOfSessions) columns.add('session_id')
  const where = all(
    isOfSessions && sql`u.session_id is not null`,
    inList(sql`u.user_id`, users),
    inList(sql`u.session_id`, sessions),
  )
  return sql`select * from (${rowsWith([...columns], isOfSessions, period)}) u where ${where}`
}

/** The rollups have one column, or sessions with their users. Other combinations are counted from the executions. */
function rowsWith(columns: readonly UsageColumn[], isOfSessions: boolean, period: CountedPeriod): Sql {
  const [column, ...others] = columns
  if (others.length === 0)
    return sql`
      select k.project_id, k.calls, k.key as ${raw(column ?? 'total')}
      from (${countedCalls(column ?? 'total', period)}) k`
  if (isOfSessions && columns.length === 2 && columns.includes('user_id'))
    return sql`
      select k.project_id, k.calls, k.key as session_id, k.user_id
      from (${countedCalls('session_id', period)}) k`
  return sql`
    select e.project_id, 1 as calls, ${join(columns.map((name) => raw(`e.${name}`)))} from tool_executions e
    where ${period.ofProject(sql`e.project_id`)} and not e.dry_run
      and e.created_at >= ${instant(period.from)} and e.created_at < ${instant(period.to)}`
}
