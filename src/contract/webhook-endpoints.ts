import { type Static, Type } from 'typebox'
import { Id, Nullable, Open, Slug, Success, Timestamp } from './common.ts'
import { route } from './route.ts'

const read = { audience: 'project', permission: { area: 'webhooks', level: 'read' } } as const
const write = { audience: 'project', permission: { area: 'webhooks', level: 'write' } } as const

const Short = {
  id: Type.String(),
  toolkit_slug: Type.String(),
  client_id: Nullable(Type.String({ description: 'The OAuth app whose events arrive; null: whichever.' })),
}

export const WebhookEndpoint = Type.Object(
  {
    ...Short,
    webhook_url: Type.String({ description: 'The address to enter in the settings of the app.' }),
    data: Nullable(
      Open(
        {},
        {
          description:
            'Set-up fields, secrets masked. What the application itself brought is in clear until a delivery was proven with it, so that it can be compared.',
        },
      ),
    ),
    created_at: Timestamp,
    verified_at: Nullable(
      Type.String({
        ...Timestamp,
        description: 'When a delivery proved itself for the first time since the data changed.',
      }) as typeof Timestamp,
    ),
  },
  { $id: 'WebhookEndpoint' },
)
export type WebhookEndpoint = Static<typeof WebhookEndpoint>

const params = Type.Object({ nano_id: Id('we') })
const ToolkitQuery = Slug
const Data = Type.Object({
  data: Type.Record(Type.String({ maxLength: 100 }), Nullable(Type.String({ maxLength: 10_000 })), {
    maxProperties: 20,
    description:
      'Values of set-up fields by name; a masked value that comes back changes nothing, null removes one.',
  }),
})

export const listWebhookEndpoints = route({
  ...read,
  id: 'webhookEndpoints.list',
  method: 'GET',
  path: '/webhook_endpoints',
  summary: 'List webhook endpoints',
  query: Type.Object({ toolkit_slug: Type.Optional(ToolkitQuery) }),
  reply: Type.Object({ items: Type.Array(Type.Object(Short)) }),
})
export const createWebhookEndpoint = route({
  ...write,
  id: 'webhookEndpoints.create',
  method: 'POST',
  path: '/webhook_endpoints',
  summary: 'Create a webhook endpoint, or answer the one that is there',
  body: Type.Object({
    toolkit_slug: ToolkitQuery,
    client_id: Type.Optional(
      Nullable(
        Type.String({
          minLength: 1,
          maxLength: 500,
          description: 'Client id of the OAuth app whose events arrive.',
        }),
      ),
    ),
  }),
  status: 201,
  otherwise: { status: 200, when: 'There is one for this toolkit and client already.' },
  reply: WebhookEndpoint,
  errors: ['Toolkit_ToolkitNotFound', 'WebhookEndpoint_NotSupported', 'WebhookEndpoint_LimitReached'],
})
export const readWebhookEndpointSchema = route({
  ...read,
  id: 'webhookEndpoints.schema',
  method: 'GET',
  path: '/webhook_endpoints/schema',
  summary: 'What a webhook endpoint of a toolkit needs',
  query: Type.Object({ toolkit_slug: ToolkitQuery }),
  reply: Type.Object({
    toolkit_slug: Type.String(),
    setup_fields: Type.Record(
      Type.String(),
      Type.Object({
        display_name: Type.String(),
        description: Type.String(),
        is_required: Type.Boolean(),
        is_secret: Type.Boolean(),
      }),
    ),
  }),
  errors: ['Toolkit_ToolkitNotFound', 'WebhookEndpoint_NotSupported'],
})
export const readWebhookEndpoint = route({
  ...read,
  id: 'webhookEndpoints.read',
  method: 'GET',
  path: '/webhook_endpoints/:nano_id',
  summary: 'Read a webhook endpoint',
  params,
  reply: WebhookEndpoint,
  errors: ['WebhookEndpoint_NotFound'],
})
const change = {
  ...write,
  path: '/webhook_endpoints/:nano_id',
  params,
  body: Data,
  reply: WebhookEndpoint,
  errors: ['WebhookEndpoint_NotFound'],
} as const
export const mergeWebhookEndpoint = route({
  ...change,
  id: 'webhookEndpoints.merge',
  method: 'PATCH',
  summary: 'Merge data into a webhook endpoint',
})
export const replaceWebhookEndpoint = route({
  ...change,
  id: 'webhookEndpoints.replace',
  method: 'POST',
  summary: 'Replace the data of a webhook endpoint',
})
export const deleteWebhookEndpoint = route({
  ...write,
  id: 'webhookEndpoints.delete',
  method: 'DELETE',
  path: '/webhook_endpoints/:nano_id',
  summary: 'Delete a webhook endpoint for good',
  params,
  reply: Success,
  errors: ['WebhookEndpoint_NotFound'],
})
