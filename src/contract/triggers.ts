import { type Static, Type } from 'typebox'
import {
  Enum,
  Id,
  Nullable,
  Open,
  PageOf,
  PageQuery,
  QueryBoolean,
  QueryList,
  Slug,
  Timestamp,
  ToolkitVersions,
  UserId,
  VersionText,
} from './common.ts'
import { route } from './route.ts'

const read = { audience: 'project', permission: { area: 'triggers', level: 'read' } } as const
const write = { audience: 'project', permission: { area: 'triggers', level: 'write' } } as const

const Parameters = Open(
  {},
  { description: 'v3: map from name to descriptor; v3.1: JSON Schema of type object.' },
)

export const TriggerType = Type.Object(
  {
    slug: Type.String(),
    name: Type.String(),
    description: Type.String(),
    instructions: Type.String(),
    type: Enum(['webhook', 'poll']),
    toolkit: Type.Object({ slug: Type.String(), name: Type.String(), logo: Type.String() }),
    config: Parameters,
    payload: Parameters,
    version: Type.String(),
    requires_webhook_endpoint_setup: Type.Optional(
      Type.Boolean({
        description: 'v3.1: whether events arrive at a webhook endpoint that has to be set up first.',
      }),
    ),
  },
  { $id: 'TriggerType' },
)
export type TriggerType = Static<typeof TriggerType>

export const listTriggerTypes = route({
  ...read,
  id: 'triggerTypes.list',
  method: 'GET',
  path: '/triggers_types',
  summary: 'List trigger types',
  query: Type.Object({
    toolkit_slugs: Type.Optional(QueryList({ description: 'Toolkit slugs.' })),
    toolkit_versions: Type.Optional(ToolkitVersions),
    ...PageQuery,
  }),
  reply: PageOf(TriggerType),
})
export const listTriggerSlugs = route({
  ...read,
  id: 'triggerTypes.enum',
  method: 'GET',
  path: '/triggers_types/list/enum',
  summary: 'List the slugs of all trigger types',
  reply: Type.Array(Type.String()),
})
export const readTriggerType = route({
  ...read,
  id: 'triggerTypes.read',
  method: 'GET',
  path: '/triggers_types/:slug',
  summary: 'Read a trigger type',
  params: Type.Object({ slug: Slug }),
  query: Type.Object({ toolkit_versions: Type.Optional(ToolkitVersions) }),
  reply: TriggerType,
  errors: ['TriggerType_NotFound'],
})

const Config = Type.Record(Type.String(), Type.Unknown(), {
  maxProperties: 100,
  description: 'As the config schema of the trigger type says; what is left out has its default.',
})

const Upsert = Type.Object({
  connected_account_id: Type.Optional(Id('ca')),
  user_id: Type.Optional({
    ...UserId,
    description: 'Without connected_account_id: the account of this user that was connected last.',
  } as typeof UserId),
  trigger_config: Type.Optional(Config),
  toolkit_versions: Type.Optional(
    Nullable(ToolkitVersions, { type: undefined, anyOf: [{ type: 'null' }, ...ToolkitVersions.anyOf] }),
  ),
  connectedAuthId: Type.Optional({
    ...Id('ca'),
    description: 'Deprecated: use connected_account_id.',
  } as ReturnType<typeof Id>),
  triggerConfig: Type.Optional({
    ...Config,
    description: 'Deprecated: use trigger_config.',
  } as typeof Config),
  version: Type.Optional({
    ...VersionText,
    description: 'Deprecated: use toolkit_versions.',
  } as typeof VersionText),
})
export type UpsertBody = Static<typeof Upsert>

export const upsertTrigger = route({
  ...write,
  id: 'triggers.upsert',
  method: 'POST',
  path: '/trigger_instances/:slug/upsert',
  summary: 'Create a trigger instance, or update the matching one',
  params: Type.Object({ slug: Slug }),
  body: Upsert,
  status: 201,
  otherwise: { status: 200, when: 'There was a matching instance; it is enabled.' },
  reply: Type.Object({
    trigger_id: Type.String(),
    deprecated: Type.Optional(Type.Object({ uuid: Type.String() }, { description: 'v3 only.' })),
  }),
  errors: [
    'TriggerType_NotFound',
    'TriggerInstance_PollingConfigInvalid',
    'TriggerInstance_ConfigInvalid',
    'TriggerInstance_ConnectionNotUsable',
    'TriggerInstance_ApplicationRefused',
    'TriggerInstance_WebhookEndpointRequired',
    'TriggerInstance_LimitReached',
    'ConnectedAccount_ResourceNotFound',
    'ConnectedAccount_BadRequest',
    'ActionExecute_ConnectedAccountEntityIdMismatch',
    'ActionExecute_UpstreamUnavailable',
    'ActionExecute_UpstreamUnreachable',
    'ActionExecute_UpstreamTimeout',
    'Auth_Config_SchemeNotSupported',
  ],
})

const OlderList = QueryList({ description: 'Deprecated: use the name with underscores.' })

export const TriggerInstance = Type.Object(
  {
    id: Type.String(),
    uuid: Type.String(),
    connected_account_id: Type.String(),
    connected_account_uuid: Type.String(),
    user_id: Type.String(),
    trigger_name: Type.String(),
    trigger_data: Type.String(),
    trigger_config: Open({}),
    state: Type.Object(
      {
        next_run: Type.Optional(Nullable(Timestamp)),
        last_run: Type.Optional(Nullable(Timestamp)),
        last_ok: Type.Optional(Nullable(Timestamp)),
        lag_seconds: Type.Optional(Type.Integer({ description: 'By how much the next poll is late.' })),
        failures: Type.Optional(Type.Integer({ description: 'Polls in a row that came to nothing.' })),
        stalled: Type.Optional(
          Type.Boolean({
            description: 'Whether nothing was learnt of the application for much longer than the interval.',
          }),
        ),
      },
      {
        description:
          'How polling stands; an addition of this server. Empty for a trigger that does not poll.',
      },
    ),
    version: Type.String(),
    updated_at: Timestamp,
    disabled_at: Nullable(Timestamp),
    disabled_reason: Nullable(
      Type.String({ description: 'An addition of this server: `user`, or why the server disabled it.' }),
    ),
    disabledAt: Type.Optional(Nullable(Timestamp)),
    connectedAccountId: Type.Optional(Type.String()),
    triggerName: Type.Optional(Type.String()),
    updatedAt: Type.Optional(Timestamp),
    triggerConfig: Type.Optional(Open({})),
    deprecated: Type.Optional(Type.Object({ createdAt: Timestamp })),
  },
  { $id: 'TriggerInstance' },
)
export type TriggerInstance = Static<typeof TriggerInstance>

const ActiveQuery = Type.Object({
  connected_account_ids: Type.Optional(QueryList()),
  auth_config_ids: Type.Optional(QueryList()),
  trigger_ids: Type.Optional(QueryList()),
  trigger_names: Type.Optional(QueryList({ description: 'Slugs of trigger types, in any case.' })),
  user_ids: Type.Optional(QueryList()),
  show_disabled: Type.Optional(QueryBoolean),
  page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Deprecated: use cursor.' }),
  ),
  ...PageQuery,
  connectedAccountIds: Type.Optional(OlderList),
  authConfigIds: Type.Optional(OlderList),
  triggerIds: Type.Optional(OlderList),
  triggerNames: Type.Optional(OlderList),
  showDisabled: Type.Optional(QueryBoolean),
  deprecatedConnectedAccountUuids: Type.Optional(OlderList),
  deprecatedAuthConfigUuids: Type.Optional(OlderList),
})
export type ActiveFilters = Static<typeof ActiveQuery>

export const listTriggers = route({
  ...read,
  id: 'triggers.active',
  method: 'GET',
  path: '/trigger_instances/active',
  summary: 'List trigger instances, newest first; without disabled ones unless asked for',
  query: ActiveQuery,
  reply: PageOf(TriggerInstance),
})

const params = Type.Object({ trigger_id: Id('ti') })

export const setTriggerStatus = route({
  ...write,
  id: 'triggers.setStatus',
  method: 'PATCH',
  path: '/trigger_instances/manage/:trigger_id',
  summary: 'Enable or disable a trigger instance',
  params,
  body: Type.Object({ status: Enum(['enable', 'disable']) }),
  reply: Type.Object({ status: Enum(['success']) }),
  errors: [
    'TriggerInstance_NotFound',
    'TriggerInstance_Gone',
    'TriggerInstance_ConnectionNotUsable',
    'TriggerInstance_ApplicationRefused',
    'TriggerInstance_WebhookEndpointRequired',
    'ActionExecute_UpstreamUnavailable',
  ],
})
export const deleteTrigger = route({
  ...write,
  id: 'triggers.delete',
  method: 'DELETE',
  path: '/trigger_instances/manage/:trigger_id',
  summary: 'Delete a trigger instance',
  params,
  reply: Type.Object({ trigger_id: Type.String() }),
  errors: ['TriggerInstance_NotFound', 'TriggerInstance_Gone'],
})
