import { type Static, Type } from '../schema-type.ts'
import { Described, Enum, Nullable, Timestamp, Url } from '../common.ts'
import { EventTypeName, PAYLOAD_VERSIONS } from '../events/event-types.ts'

export const Fields = {
  webhook_url: Type.String({
    ...Url,
    description:
      'HTTPS URL without credentials. `http` is accepted only for loopback hosts that ' +
      'EGRESS_ALLOW opens.',
    examples: ['https://app.example.com/hooks'],
  }) as typeof Url,
  enabled_events: Type.Array(EventTypeName, {
    minItems: 1,
    maxItems: 100,
    description: 'Types of the events that are delivered.',
  }),
  version: Enum(PAYLOAD_VERSIONS, {
    description: 'Format of the payload. V1 and V2 exist for trigger messages only. Default V3.',
  }),
}

/** Limits that protect the receiver. */
export const DeliveryLimits = {
  max_at_once: Type.Integer({
    minimum: 1,
    maximum: 256,
    description:
      'Largest number of concurrent deliveries for each server process. An addition of this server.',
  }),
  max_per_second: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: 10_000,
      description:
        'Largest number of deliveries per second over all server processes; null for no ' +
        'limit. An addition of this server.',
    }),
  ),
}

/** How deliveries are signed. */
export const SigningFields = {
  asymmetric_signatures: Type.Optional(
    Type.Boolean({
      description:
        'Whether deliveries also carry an Ed25519 signature (`v1a` of Standard Webhooks), which the receiver ' +
        'verifies with `public_key`, without a secret. Default false. An addition of this server.',
    }),
  ),
}

export const WebhookSubscription = Type.Object(
  {
    id: Type.String({ description: 'Id of the webhook subscription, `ws_…`.' }),
    webhook_url: Type.String({ description: 'URL to which events are delivered.' }),
    version: Enum(PAYLOAD_VERSIONS, { description: 'Format of the payload.' }),
    enabled_events: Type.Array(EventTypeName, { description: 'Types of the events that are delivered.' }),
    ...DeliveryLimits,
    disabled_at: Nullable(
      Described(Timestamp, 'When the server disabled the subscription; null while it is enabled.'),
    ),
    disabled_reason: Nullable(
      Type.String({
        description:
          '`failing` for five days, `gone` (410), or `incident`; null while it is enabled. A change of the ' +
          'subscription or a successful test enables it again.',
      }),
    ),
    failing_since: Nullable(Described(Timestamp, 'Since when all deliveries fail; null for none.')),
    secret: Type.String({
      description:
        'Secret that signs deliveries. Readable when it was created; for keys without restrictions also in ' +
        'v3, and in the response to a change that names `webhook_url`. Otherwise masked.',
    }),
    approval_secret: Nullable(
      Type.String({
        description:
          'Secret with which the receiver signs decisions on approvals. Shown once: by the request that ' +
          'creates a subscription that receives approval requests, or that adds this event. An ' +
          'addition of this server.',
      }),
    ),
    public_key: Nullable(
      Type.String({
        description:
          'Public Ed25519 key that verifies `v1a` signatures: `whpk_` and base64; null without ' +
          '`asymmetric_signatures`. An addition of this server.',
      }),
    ),
    created_at: Described(Timestamp, 'When the subscription was created.'),
    updated_at: Described(Timestamp, 'When the subscription was last changed.'),
  },
  { $id: 'WebhookSubscription' },
)

export type WebhookSubscription = Static<typeof WebhookSubscription>

export const URL_ERRORS = ['WebhookSubscription_AddressRefused', 'WebhookSubscription_AlreadyExists'] as const
