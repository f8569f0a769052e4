import { type Static, Type } from '../schema-type.ts'
import { Described, Enum, Nullable, UserId } from '../common.ts'
import { route } from '../route.ts'

const project = { audience: 'project', permission: { area: 'observability', level: 'read' } } as const

const organization = { audience: 'organization' } as const

export const USAGE_ENTITIES = ['tool_calls', 'sessions'] as const

export type UsageEntity = (typeof USAGE_ENTITIES)[number]

export const USAGE_GROUPS = [
  'tool_slug',
  'toolkit_slug',
  'user_id',
  'connected_account_id',
  'auth_config_id',
  'session_id',
  'project_id',
] as const

export type UsageGroup = (typeof USAGE_GROUPS)[number]

const Millis = Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000 })

const Range = {
  from: Type.Optional({
    ...Millis,
    description:
      'Begin of the period, in milliseconds since 1970 (UTC), inclusive. Default: 30 days before `to`.',
  }),
  to: Type.Optional({
    ...Millis,
    description: 'End of the period, in milliseconds since 1970 (UTC), exclusive. Default: now.',
  }),
}

const IdFilter = Type.Optional(Nullable(Type.Array(UserId, { maxItems: 1000 })))

const Filters = Type.Optional(
  Type.Object({
    user_id: Described(IdFilter, 'Only usage of these users; null for all.'),
    session_id: Described(IdFilter, 'Only usage in these sessions; null for all.'),
  }),
)

const OrgFilters = Type.Optional(
  Type.Object({
    user_id: Described(IdFilter, 'Only usage of these users; null for all.'),
    session_id: Described(IdFilter, 'Only usage in these sessions; null for all.'),
    project_id: Described(IdFilter, 'Only usage of these projects; null for all.'),
  }),
)

const Entities = {
  entity_types: Type.Optional(
    Type.Array(Type.String({ maxLength: 64 }), {
      maxItems: 100,
      description: 'Kinds of usage to include: `tool_calls`, `sessions`. Default: all.',
    }),
  ),
}

const Grouping = {
  group_by: Type.Optional(
    Enum(USAGE_GROUPS, {
      description: 'Field to group by. Default: `tool_slug` for tool calls, `user_id` for sessions.',
    }),
  ),
  order_by: Type.Optional(
    Enum(['key', 'total_quantity', 'event_count'], {
      description: 'Field to sort the groups by. Default `total_quantity`.',
    }),
  ),
  order_direction: Type.Optional(Enum(['asc', 'desc'], { description: 'Sort order. Default `desc`.' })),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'Largest number of groups. Default 100; values above 1000 count as 1000.',
    }),
  ),
}

const SummaryBody = Type.Object({
  ...Range,
  ...Entities,
  filters: Described(Filters, 'Filters. All of them must match.'),
})

const EntityBody = Type.Object({
  ...Range,
  ...Grouping,
  filters: Described(Filters, 'Filters. All of them must match.'),
})

export const OrgSummaryBody = Type.Object({
  ...Range,
  ...Entities,
  filters: Described(OrgFilters, 'Filters. All of them must match.'),
})

export const OrgEntityBody = Type.Object({
  ...Range,
  ...Grouping,
  filters: Described(OrgFilters, 'Filters. All of them must match.'),
})

export type UsageQuery = Static<typeof OrgSummaryBody> & Static<typeof OrgEntityBody>

const Quantity = {
  total_quantity: Type.String({ examples: ['1234'], description: 'Quantity in the unit, as decimal text.' }),
  event_count: Type.Integer({ description: 'Number of recorded events.' }),
}

const Summary = Type.Object({
  entities: Type.Record(
    Type.String(),
    Type.Object({ unit: Type.String({ description: 'Unit of the quantity.' }), ...Quantity }),
    { description: 'Usage by kind.' },
  ),
})

const Entity = Type.Object({
  entity_type: Type.String({ description: 'Kind of usage.' }),
  unit: Type.String({ description: 'Unit of the quantity.' }),
  ...Quantity,
  groups: Type.Array(
    Type.Object({
      key: Type.String({ description: 'Value of the field that groups are formed by.' }),
      ...Quantity,
    }),
    { description: 'Usage by group.' },
  ),
})

const params = Type.Object({ entity_type: Enum(USAGE_ENTITIES, { description: 'Kind of usage.' }) })

export const usageSummary = route({
  ...project,
  id: 'usage.summary',
  audit: false,
  method: 'POST',
  path: '/project/usage/summary',
  summary: 'Usage of the project',
  description: 'Returns the usage of the project in a period, by kind.',
  example: { body: {} },
  body: SummaryBody,
  reply: Summary,
})

export const usageEntity = route({
  ...project,
  id: 'usage.entity',
  audit: false,
  method: 'POST',
  path: '/project/usage/:entity_type',
  summary: 'Usage of the project by group',
  description: 'Returns one kind of usage of the project in a period, in total and by group.',
  example: { params: { entity_type: 'tool_calls' }, body: { group_by: 'toolkit_slug' } },
  params,
  body: EntityBody,
  reply: Entity,
})

export const orgUsageSummary = route({
  ...organization,
  id: 'usage.orgSummary',
  permission: { area: 'usage', level: 'read' },
  audit: false,
  method: 'POST',
  path: '/org/usage/summary',
  summary: 'Usage of the organization',
  description: 'Returns the usage of all projects of the organization in a period, by kind.',
  example: { body: {} },
  body: OrgSummaryBody,
  reply: Summary,
})

export const orgUsageEntity = route({
  ...organization,
  id: 'usage.orgEntity',
  permission: { area: 'usage', level: 'read' },
  audit: false,
  method: 'POST',
  path: '/org/usage/:entity_type',
  summary: 'Usage of the organization by group',
  description:
    'Returns one kind of usage of all projects of the organization in a period, in total and by group.',
  example: { params: { entity_type: 'tool_calls' }, body: { group_by: 'project_id' } },
  params,
  body: OrgEntityBody,
  reply: Entity,
})
