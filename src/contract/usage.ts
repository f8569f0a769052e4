import { type Static, Type } from 'typebox'
import { Enum, Nullable, UserId } from './common.ts'
import { route } from './route.ts'

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

const Millis = Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000 })
const Range = {
  from: Type.Optional({
    ...Millis,
    description: 'Milliseconds since the epoch, inclusive. Default: 30 days before to.',
  }),
  to: Type.Optional({ ...Millis, description: 'Milliseconds since the epoch, exclusive. Default: now.' }),
}
const Among = Type.Optional(Nullable(Type.Array(UserId, { maxItems: 1000 })))
const Filters = Type.Optional(Type.Object({ user_id: Among, session_id: Among }))
const OrgFilters = Type.Optional(Type.Object({ user_id: Among, session_id: Among, project_id: Among }))
const Entities = {
  entity_types: Type.Optional(
    Type.Array(Type.String({ maxLength: 64 }), { maxItems: 100, description: 'Leave out for all.' }),
  ),
}
const Grouping = {
  group_by: Type.Optional(
    Enum(USAGE_GROUPS, { description: 'Default: tool_slug for tool_calls, user_id for sessions.' }),
  ),
  order_by: Type.Optional(Enum(['key', 'total_quantity', 'event_count'])),
  order_direction: Type.Optional(Enum(['asc', 'desc'])),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Groups at most: 100, and no more than 1000.' }),
  ),
}

const SummaryBody = Type.Object({ ...Range, ...Entities, filters: Filters })
const EntityBody = Type.Object({ ...Range, ...Grouping, filters: Filters })
export const OrgSummaryBody = Type.Object({ ...Range, ...Entities, filters: OrgFilters })
export const OrgEntityBody = Type.Object({ ...Range, ...Grouping, filters: OrgFilters })
export type UsageQuery = Static<typeof OrgSummaryBody> & Static<typeof OrgEntityBody>

const Quantity = { total_quantity: Type.String({ examples: ['1234'] }), event_count: Type.Integer() }
const Summary = Type.Object({
  entities: Type.Record(Type.String(), Type.Object({ unit: Type.String(), ...Quantity })),
})
const Entity = Type.Object({
  entity_type: Type.String(),
  unit: Type.String(),
  ...Quantity,
  groups: Type.Array(Type.Object({ key: Type.String(), ...Quantity })),
})
const params = Type.Object({ entity_type: Enum(USAGE_ENTITIES) })

export const usageSummary = route({
  ...project,
  id: 'usage.summary',
  method: 'POST',
  path: '/project/usage/summary',
  summary: 'Usage of the project',
  body: SummaryBody,
  reply: Summary,
})
export const usageEntity = route({
  ...project,
  id: 'usage.entity',
  method: 'POST',
  path: '/project/usage/:entity_type',
  summary: 'Usage of the project by kind',
  params,
  body: EntityBody,
  reply: Entity,
})
export const orgUsageSummary = route({
  ...organization,
  id: 'usage.orgSummary',
  method: 'POST',
  path: '/org/usage/summary',
  summary: 'Usage of the organization',
  body: OrgSummaryBody,
  reply: Summary,
})
export const orgUsageEntity = route({
  ...organization,
  id: 'usage.orgEntity',
  method: 'POST',
  path: '/org/usage/:entity_type',
  summary: 'Usage of the organization by kind',
  params,
  body: OrgEntityBody,
  reply: Entity,
})
