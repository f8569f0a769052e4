import { Type } from '../schema-type.ts'
import { Enum, Nullable, Success } from '../common.ts'
import { PAYLOAD_VERSIONS } from '../events/event-types.ts'
import { route } from '../route.ts'
import { Fields, URL_ERRORS } from './schemas.ts'

// The single webhook of a project in earlier clients: the oldest subscription with trigger messages.
const ProjectWebhook = Type.Object({
  webhook_url: Nullable(Type.String({ description: 'URL of the webhook; null for none.' })),
  event_webhook_url: Nullable(
    Type.String({ description: 'URL of the oldest subscription with other events; null for none.' }),
  ),
  webhook_version: Nullable(
    Enum(PAYLOAD_VERSIONS, { description: 'Payload version of the webhook; null for none.' }),
  ),
})

export const readProjectWebhook = route({
  id: 'webhooks.readProject',
  audit: 'secrets_of_v3',
  method: 'GET',
  path: '/org/project/webhook',
  summary: 'Read the project webhook (earlier URL)',
  description:
    'Returns the webhook of the project in the format of earlier versions: the oldest subscription ' +
    'with trigger messages.',
  audience: 'project',
  permission: { area: 'webhooks', level: 'read' },
  reply: ProjectWebhook,
})

export const updateProjectWebhook = route({
  id: 'webhooks.updateProject',
  method: 'POST',
  path: '/org/project/webhook/update',
  summary: 'Set the project webhook (earlier URL)',
  description:
    'Sets the URL of the project webhook in the format of earlier versions. Without a webhook, a ' +
    'subscription is created.',
  example: { body: { webhook_url: 'https://app.example.com/project-hook' } },
  audience: 'project',
  permission: { area: 'webhooks', level: 'write' },
  body: Type.Object({ webhook_url: Fields.webhook_url, webhook_version: Type.Optional(Fields.version) }),
  reply: ProjectWebhook,
  errors: [...URL_ERRORS, 'WebhookSubscription_LimitReached'],
})

export const refreshProjectWebhook = route({
  id: 'webhooks.refreshProject',
  method: 'POST',
  path: '/org/project/webhook/refresh',
  summary: 'Replace the secret of the project webhook (earlier URL)',
  description:
    'Creates a new secret for the project webhook in the format of earlier versions. The former ' +
    'secret also signs deliveries for 24 hours.',
  example: { needs: 'a project webhook' },
  audience: 'project',
  reply: Type.Object({ webhook_secret: Type.String({ description: 'The new secret.' }) }),
  errors: ['WebhookSubscription_NotFound'],
})

export const deleteProjectWebhook = route({
  id: 'webhooks.deleteProject',
  method: 'DELETE',
  path: '/org/project/webhook',
  summary: 'Delete the project webhook (earlier URL)',
  description: 'Deletes the project webhook in the format of earlier versions.',
  example: { needs: 'a project webhook' },
  audience: 'project',
  permission: { area: 'webhooks', level: 'write' },
  reply: Success,
  errors: ['WebhookSubscription_NotFound'],
})
