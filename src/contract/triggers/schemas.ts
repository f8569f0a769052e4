import { type Static, Type } from '../schema-type.ts'
import { Described, Id, Nullable, Open, Timestamp, ToolkitVersions, UserId, VersionText } from '../common.ts'

export const Config = Type.Record(Type.String(), Type.Unknown(), {
  maxProperties: 100,
  description: 'Configuration, valid against `config` of the trigger type.',
})

export const Upsert = Type.Object({
  connected_account_id: Type.Optional(Described(Id('ca'), 'Id of the connected account, `ca_…`.')),
  user_id: Type.Optional({
    ...UserId,
    description: 'Without `connected_account_id`: the account of this user that was connected last.',
  } as typeof UserId),
  trigger_config: Type.Optional(
    Described(
      Config,
      'Configuration, valid against `config` of the trigger type. Fields that are left out ' +
        'have their default.',
    ),
  ),
  toolkit_versions: Type.Optional(
    Described(
      Nullable(ToolkitVersions, { type: undefined, anyOf: [{ type: 'null' }, ...ToolkitVersions.anyOf] }),
      'Version for all toolkits, or versions by toolkit slug. Default `latest`.',
    ),
  ),
  connectedAuthId: Type.Optional({
    ...Id('ca'),
    description: 'Deprecated: use `connected_account_id`.',
  } as ReturnType<typeof Id>),
  triggerConfig: Type.Optional({
    ...Config,
    description: 'Deprecated: use `trigger_config`.',
  } as typeof Config),
  version: Type.Optional({
    ...VersionText,
    description: 'Deprecated: use `toolkit_versions`.',
  } as typeof VersionText),
})

export type UpsertBody = Static<typeof Upsert>

/** Reasons for which an instance is disabled, apart from the status of its account. */
export const DISABLED_REASONS = [
  'user',
  'subscription_auth_failure',
  'subscription_refresh_failure',
  'polling_failure_in_service_infra',
] as const

export const TriggerInstance = Type.Object(
  {
    id: Type.String({ description: 'Id of the trigger instance, `ti_…`.' }),
    uuid: Type.String({ description: 'Legacy UUID of the trigger instance.' }),
    connected_account_id: Type.String({ description: 'Id of the connected account, `ca_…`.' }),
    connected_account_uuid: Type.String({ description: 'Legacy UUID of the connected account.' }),
    user_id: Type.String({ description: 'Id of the user that the account belongs to.' }),
    trigger_name: Type.String({ description: 'Slug of the trigger type.' }),
    trigger_data: Type.String({ description: 'Deprecated: always empty.' }),
    trigger_config: Open({}, { description: 'Configuration, with defaults filled in.' }),
    state: Type.Object(
      {
        next_run: Type.Optional(Nullable(Described(Timestamp, 'When the next poll is due; null for none.'))),
        last_run: Type.Optional(
          Nullable(Described(Timestamp, 'When the last poll ended; null before the first one.')),
        ),
        last_ok: Type.Optional(
          Nullable(Described(Timestamp, 'When the last successful poll ended; null before the first one.')),
        ),
        lag_seconds: Type.Optional(
          Type.Integer({ description: 'Number of seconds by which the next poll is late.' }),
        ),
        failures: Type.Optional(Type.Integer({ description: 'Number of failed polls in a row.' })),
        stalled: Type.Optional(
          Type.Boolean({
            description: 'Whether the last successful poll was much longer ago than the interval.',
          }),
        ),
      },
      {
        description: 'State of polling. Empty for triggers that do not poll. An addition of this server.',
      },
    ),
    version: Type.String({ description: 'Version of the toolkit.' }),
    updated_at: Described(Timestamp, 'When the instance was last changed.'),
    disabled_at: Nullable(Described(Timestamp, 'When the instance was disabled; null while it is enabled.')),
    disabled_reason: Type.Unsafe<string | null>({
      anyOf: [
        { type: 'string', enum: DISABLED_REASONS },
        { type: 'string', pattern: '^connection_' },
        { type: 'null' },
      ],
      description:
        '`user`, or the reason why the server disabled the instance: `connection_` and the status of the ' +
        'account, or a failure; null while it is enabled. An addition of this server.',
    }),
    disabledAt: Type.Optional(Nullable(Described(Timestamp, 'Deprecated: use `disabled_at`. Only in v3.'))),
    connectedAccountId: Type.Optional(
      Type.String({ description: 'Deprecated: use `connected_account_id`. Only in v3.' }),
    ),
    triggerName: Type.Optional(Type.String({ description: 'Deprecated: use `trigger_name`. Only in v3.' })),
    updatedAt: Type.Optional(Described(Timestamp, 'Deprecated: use `updated_at`. Only in v3.')),
    triggerConfig: Type.Optional(Open({}, { description: 'Deprecated: use `trigger_config`. Only in v3.' })),
    deprecated: Type.Optional(
      Type.Object(
        { createdAt: Described(Timestamp, 'When the instance was created.') },
        { description: 'Deprecated fields of earlier versions. Only in v3.' },
      ),
    ),
  },
  { $id: 'TriggerInstance' },
)

export type TriggerInstance = Static<typeof TriggerInstance>
