import { USAGE_ENTITIES, type UsageEntity, type UsageQuery } from '../../contract/logs/index.ts'
import { badRequest } from '../../platform/http/api-error.ts'
import { all, type Db, type Sql, sql } from '../../platform/db/sql.ts'

const DAYS_DEFAULT = 30
const GROUPS_DEFAULT = 100
const GROUPS_MAX = 1_000

/** The project, or the organization with all its projects, whose usage is counted. */
export type UsageScope = { projectId: string } | { organizationId: string }

/** How each kind of usage is counted and grouped. Dry runs do not count. */
const ENTITIES: Readonly<Record<UsageEntity, { unit: string; quantity: Sql; where: Sql; groupBy: string }>> =
  {
    tool_calls: { unit: 'call', quantity: sql`count(*)`, where: sql`true`, groupBy: 'tool_slug' },
    sessions: {
      unit: 'session',
      quantity: sql`count(distinct e.session_id)`,
      where: sql`e.session_id is not null`,
      groupBy: 'user_id',
    },
  }
const GROUPS: Readonly<Record<string, Sql>> = {
  tool_slug: sql`e.tool_slug`,
  toolkit_slug: sql`e.toolkit_slug`,
  user_id: sql`e.user_id`,
  connected_account_id: sql`e.connected_account_id`,
  auth_config_id: sql`e.auth_config_id`,
  session_id: sql`e.session_id`,
  project_id: sql`e.project_id`,
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
  const by = query.group_by ?? ENTITIES[kind].groupBy
  if (by === 'project_id' && 'projectId' in scope)
    throw badRequest(
      'Error in payload.group_by: the usage of one project cannot be grouped by project; ' +
        'request the usage of the organization',
    )
  const order = ORDERS[`${query.order_by ?? 'total_quantity'} ${query.order_direction ?? 'desc'}`] as Sql
  const limit = Math.min(query.limit ?? GROUPS_DEFAULT, GROUPS_MAX)
  const column = GROUPS[by] as Sql
  const [sum, groups] = await Promise.all([
    countUsage(db, kind, scope, query),
    db.rows<UsageCount>(
      sql`
        select coalesce(${column}, '') as key, ${ENTITIES[kind].quantity} as quantity, count(*) as events
        from tool_executions e where ${usageFilter(kind, scope, query)}
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
      select '' as key, ${ENTITIES[kind].quantity} as quantity, count(*) as events
      from tool_executions e where ${usageFilter(kind, scope, query)}`,
  )) as UsageCount

function usageFilter(kind: UsageEntity, scope: UsageScope, { from, to, filters = {} }: UsageQuery): Sql {
  const { user_id: users, session_id: sessions, project_id: projects } = filters
  const end = to === undefined ? sql`now()` : sql`to_timestamp(${to}::double precision / 1000)`
  return all(
    'projectId' in scope
      ? sql`e.project_id = ${scope.projectId}`
      : sql`e.project_id in (select id from projects where organization_id = ${scope.organizationId})`,
    sql`not e.dry_run`,
    ENTITIES[kind].where,
    sql`e.created_at < ${end}`,
    from === undefined
      ? sql`e.created_at >= ${end} - make_interval(days => ${DAYS_DEFAULT})`
      : sql`e.created_at >= to_timestamp(${from}::double precision / 1000)`,
    ...(
      [
        [sql`e.user_id`, users],
        [sql`e.session_id`, sessions],
        [sql`e.project_id`, projects],
      ] as const
    ).map(([column, list]) => (list?.length ? sql`${column} = any(${list})` : undefined)),
  )
}
