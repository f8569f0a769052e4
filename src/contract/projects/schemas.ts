import { type Static, Type } from '../schema-type.ts'
import { Described, Id, Nullable, Timestamp } from '../common.ts'

export const ProjectParams = Type.Object({
  nano_id: Described(Id('proj', 'pr'), 'Id of the project, `proj_…`.'),
})

export const ApiKey = Type.Object({
  id: Type.String({ description: 'Id of the key.' }),
  name: Type.String({ description: 'Name of the key.' }),
  key: Type.String({
    description:
      'The key. Readable in the response that creates it, and in v3 in responses about the project; otherwise ' +
      'masked.',
  }),
  created_at: Described(Timestamp, 'When the key was created.'),
})

const KeyDetails = {
  allowed_ips: Type.Array(Type.String(), {
    description: 'IP addresses and CIDR ranges that may use the key. Empty: all.',
  }),
  expires_at: Nullable(
    Type.String({
      format: 'date-time',
      description: 'When the key expires, or expired; null for never. Expired keys are listed for 30 days.',
    }),
  ),
  last_used_at: Nullable(
    Type.String({
      format: 'date-time',
      description: 'When the key was last used, to about two minutes; null for never.',
    }),
  ),
  replaced_by: Nullable(
    Type.String({
      description: 'Id of the key that a rotation created in place of this one; null for none.',
    }),
  ),
}

export const ScopedApiKey = Type.Object({
  ...ApiKey.properties,
  permissions: Nullable(
    Type.Object(
      {},
      { additionalProperties: true, description: 'Levels by permission area; null for an unrestricted key.' },
    ),
  ),
  ...KeyDetails,
})
export type ScopedApiKey = Static<typeof ScopedApiKey>

export const ProjectFields = {
  id: Type.String({ description: 'Id of the project, `proj_…`.' }),
  org_id: Type.String({ description: 'Id of the organization, `org_…`.' }),
  name: Type.String({ description: 'Name of the project.' }),
  email: Type.String({ description: 'Generated e-mail address of the project.' }),
  created_at: Described(Timestamp, 'When the project was created.'),
  updated_at: Described(Timestamp, 'When the project was last changed.'),
  last_subscribed_at: Nullable(
    Type.String({ description: 'When the project last subscribed to trigger messages; null for never.' }),
  ),
  webhook_url: Nullable(
    Type.String({
      description: 'URL of the oldest webhook subscription with trigger messages; null for none.',
    }),
  ),
  event_webhook_url: Nullable(
    Type.String({ description: 'URL of the oldest webhook subscription with other events; null for none.' }),
  ),
  webhook_secret: Nullable(
    Type.String({
      description:
        'Secret of the subscription of `webhook_url`: in clear in v3, masked in v3.1; null for none.',
    }),
  ),
  triggers_enabled: Type.Boolean({ description: 'Whether triggers run.' }),
  is_new_webhook: Type.Boolean({ description: 'Deprecated: whether the webhook is of version V2 or later.' }),
  deleted: Type.Boolean({ description: 'Whether the project was deleted.' }),
  webhook_version: Type.String({ description: 'Payload version of that subscription; V2 for none.' }),
}

export const Project = Type.Object(
  { ...ProjectFields, api_keys: Type.Array(ApiKey, { description: 'API keys of the project.' }) },
  { $id: 'Project' },
)

export type Project = Static<typeof Project>
