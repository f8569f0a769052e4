import { type Static, Type } from '../schema-type.ts'
import {
  Described,
  Enum,
  exampleId,
  FreeObject,
  Id,
  PageOf,
  PageQuery,
  QueryBoolean,
  QueryList,
  Slug,
} from '../common.ts'
import { route } from '../route.ts'
import { TriggerInstance, Upsert } from './schemas.ts'

export const readAccess = { audience: 'project', permission: { area: 'triggers', level: 'read' } } as const

const writeAccess = { audience: 'project', permission: { area: 'triggers', level: 'write' } } as const

export const upsertTrigger = route({
  ...writeAccess,
  id: 'triggers.upsert',
  method: 'POST',
  path: '/trigger_instances/:slug/upsert',
  summary: 'Create or enable a trigger instance',
  description:
    'Creates a trigger instance for a connected account, or enables the existing one with the same ' +
    'account, type and configuration. Events are delivered to the webhook subscriptions of the ' +
    'project. Webhook triggers are registered at the application during this call. A project may ' +
    'have a limited number of instances.',
  example: {
    params: { slug: 'GITHUB_ISSUE_ADDED_EVENT' },
    body: {
      connected_account_id: exampleId('ca'),
      trigger_config: { owner: 'octocat', repo: 'hello-world' },
    },
    needs: 'a connected account',
  },
  params: Type.Object({ slug: Described(Slug, 'Slug of the trigger type, in any letter case.') }),
  body: Upsert,
  status: 201,
  otherStatus: { status: 200, when: 'A matching instance existed. It is enabled.' },
  reply: Type.Object({
    trigger_id: Type.String({ description: 'Id of the trigger instance, `ti_…`.' }),
    deprecated: Type.Optional(
      Type.Object(
        { uuid: Type.String({ description: 'Deprecated: legacy UUID of the trigger instance.' }) },
        { description: 'Deprecated fields of earlier versions. Only in v3.' },
      ),
    ),
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

const DeprecatedList = QueryList({ description: 'Deprecated: use the name with underscores.' })

const ActiveQuery = Type.Object({
  connected_account_ids: Type.Optional(
    QueryList({ description: 'Ids of connected accounts; instances of any of them.' }),
  ),
  auth_config_ids: Type.Optional(
    QueryList({ description: 'Ids of auth configs; instances of any of them.' }),
  ),
  trigger_ids: Type.Optional(QueryList({ description: 'Ids of trigger instances.' })),
  trigger_names: Type.Optional(QueryList({ description: 'Slugs of trigger types, in any letter case.' })),
  user_ids: Type.Optional(QueryList({ description: 'Ids of users; instances of any of them.' })),
  show_disabled: Type.Optional(Described(QueryBoolean, 'Include disabled instances. Default false.')),
  page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Deprecated: use `cursor`.' }),
  ),
  ...PageQuery,
  connectedAccountIds: Type.Optional(Described(DeprecatedList, 'Deprecated: use `connected_account_ids`.')),
  authConfigIds: Type.Optional(Described(DeprecatedList, 'Deprecated: use `auth_config_ids`.')),
  triggerIds: Type.Optional(Described(DeprecatedList, 'Deprecated: use `trigger_ids`.')),
  triggerNames: Type.Optional(Described(DeprecatedList, 'Deprecated: use `trigger_names`.')),
  showDisabled: Type.Optional(Described(QueryBoolean, 'Deprecated: use `show_disabled`.')),
  deprecatedConnectedAccountUuids: Type.Optional(
    Described(DeprecatedList, 'Deprecated: use `connected_account_ids`.'),
  ),
  deprecatedAuthConfigUuids: Type.Optional(Described(DeprecatedList, 'Deprecated: use `auth_config_ids`.')),
})

export type ActiveFilters = Static<typeof ActiveQuery>

export const listTriggers = route({
  ...readAccess,
  id: 'triggers.active',
  method: 'GET',
  path: '/trigger_instances/active',
  summary: 'List trigger instances, newest first',
  description:
    'Returns a page of trigger instances, newest first. Disabled ones are left out unless ' +
    '`show_disabled` is true.',
  example: { query: { user_ids: 'user-17' } },
  query: ActiveQuery,
  reply: PageOf(TriggerInstance),
})

const params = Type.Object({ trigger_id: Described(Id('ti'), 'Id of the trigger instance, `ti_…`.') })

export const setTriggerStatus = route({
  ...writeAccess,
  id: 'triggers.setStatus',
  method: 'PATCH',
  path: '/trigger_instances/manage/:trigger_id',
  summary: 'Enable or disable a trigger instance',
  description:
    'Enables or disables a trigger instance. Setting the current status changes nothing and succeeds.',
  example: {
    params: { trigger_id: exampleId('ti') },
    body: { status: 'disable' },
    needs: 'a trigger instance',
  },
  params,
  body: Type.Object({ status: Enum(['enable', 'disable'], { description: 'New status.' }) }),
  reply: Type.Object({ status: Enum(['success'], { description: 'Always `success`.' }) }),
  errors: [
    'TriggerInstance_NotFound',
    'TriggerInstance_Gone',
    'TriggerInstance_ConnectionNotUsable',
    'TriggerInstance_ApplicationRefused',
    'TriggerInstance_WebhookEndpointRequired',
    'ActionExecute_UpstreamUnavailable',
  ],
})

export const testTrigger = route({
  ...writeAccess,
  id: 'triggers.test',
  method: 'POST',
  path: '/trigger_instances/manage/:trigger_id/test',
  summary: 'Send a test event of a trigger instance',
  description:
    'An extension of this server. Publishes an event of the instance with sample data, as if the ' +
    'application had reported it: webhook subscriptions and event streams receive it, and it is in the ' +
    'log of the instance. Without `payload`, the data is made from the schema of the trigger type.',
  example: { params: { trigger_id: exampleId('ti') }, body: {}, needs: 'a trigger instance' },
  params,
  body: Type.Object({
    payload: Type.Optional(
      Described(FreeObject, 'Data of the event. Default: sample data that matches the schema.'),
    ),
  }),
  reply: Type.Object({
    payload: Described(FreeObject, 'Data of the event that was published.'),
  }),
  errors: ['TriggerInstance_NotFound', 'TriggerInstance_Gone', 'TriggerType_NotFound'],
})

export const deleteTrigger = route({
  ...writeAccess,
  id: 'triggers.delete',
  method: 'DELETE',
  path: '/trigger_instances/manage/:trigger_id',
  summary: 'Delete a trigger instance',
  description: 'Deletes a trigger instance and removes its webhook at the application.',
  example: { params: { trigger_id: exampleId('ti') }, needs: 'a trigger instance' },
  params,
  reply: Type.Object({ trigger_id: Type.String({ description: 'Id of the trigger instance, `ti_…`.' }) }),
  errors: ['TriggerInstance_NotFound', 'TriggerInstance_Gone'],
})
