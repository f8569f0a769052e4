import { type Static, Type } from '../schema-type.ts'
import { Described, exampleId, Id, Nullable, Open, Slug, Success, Timestamp } from '../common.ts'
import { route } from '../route.ts'

const readAccess = { audience: 'project', permission: { area: 'webhooks', level: 'read' } } as const

const writeAccess = { audience: 'project', permission: { area: 'webhooks', level: 'write' } } as const

const EndpointFields = {
  id: Type.String({ description: 'Id of the webhook endpoint, `we_…`.' }),
  toolkit_slug: Type.String({ description: 'Slug of the toolkit.' }),
  client_id: Nullable(
    Type.String({ description: 'Client id of the OAuth app whose events arrive; null for every app.' }),
  ),
}

export const WebhookEndpoint = Type.Object(
  {
    ...EndpointFields,
    webhook_url: Type.String({ description: 'URL to enter in the settings of the app.' }),
    data: Nullable(
      Open(
        {},
        {
          description:
            'Values of the set-up fields, with secrets masked. Values that the application sent ' +
            'are readable until a delivery was verified with them, so that they can be compared. ' +
            'Null for none.',
        },
      ),
    ),
    created_at: Described(Timestamp, 'When the endpoint was created.'),
    verified_at: Nullable(
      Type.String({
        ...Timestamp,
        description: 'When a delivery was first verified after the last change of the data; null for none.',
      }) as typeof Timestamp,
    ),
  },
  { $id: 'WebhookEndpoint' },
)

export type WebhookEndpoint = Static<typeof WebhookEndpoint>

const params = Type.Object({ nano_id: Described(Id('we'), 'Id of the webhook endpoint, `we_…`.') })

const EndpointToolkit = Slug

const Data = Type.Object({
  data: Type.Record(Type.String({ maxLength: 100 }), Nullable(Type.String({ maxLength: 10_000 })), {
    maxProperties: 20,
    description: 'Values of set-up fields by name. Masked values are ignored; null removes a value.',
  }),
})

export const listWebhookEndpoints = route({
  ...readAccess,
  id: 'webhookEndpoints.list',
  method: 'GET',
  path: '/webhook_endpoints',
  summary: 'List webhook endpoints',
  description:
    'Returns the webhook endpoints of the project: URLs at which applications deliver their events.',
  example: { query: { toolkit_slug: 'slack' } },
  query: Type.Object({
    toolkit_slug: Type.Optional(Described(EndpointToolkit, 'Only endpoints of this toolkit.')),
  }),
  reply: Type.Object({
    items: Type.Array(Type.Object(EndpointFields), { description: 'Webhook endpoints.' }),
  }),
})

export const createWebhookEndpoint = route({
  ...writeAccess,
  id: 'webhookEndpoints.create',
  method: 'POST',
  path: '/webhook_endpoints',
  summary: 'Create a webhook endpoint',
  description:
    'Creates the webhook endpoint of a toolkit, or returns the existing one. Enter its `webhook_url` ' +
    'in the settings of the app. Toolkits whose triggers need no endpoint return ' +
    '`WebhookEndpoint_NotSupported`.',
  example: { body: { toolkit_slug: 'slack' } },
  body: Type.Object({
    toolkit_slug: Described(EndpointToolkit, 'Slug of the toolkit.'),
    client_id: Type.Optional(
      Nullable(
        Type.String({
          minLength: 1,
          maxLength: 500,
          description: 'Client id of the OAuth app whose events arrive; null or absent for every app.',
        }),
      ),
    ),
  }),
  status: 201,
  otherStatus: { status: 200, when: 'The endpoint existed.' },
  reply: WebhookEndpoint,
  errors: ['Toolkit_ToolkitNotFound', 'WebhookEndpoint_NotSupported', 'WebhookEndpoint_LimitReached'],
})

export const readWebhookEndpointSchema = route({
  ...readAccess,
  id: 'webhookEndpoints.schema',
  method: 'GET',
  path: '/webhook_endpoints/schema',
  summary: 'Read the set-up fields of a webhook endpoint',
  description: 'Returns the fields that the webhook endpoint of a toolkit needs, such as a signing secret.',
  example: { query: { toolkit_slug: 'slack' } },
  query: Type.Object({ toolkit_slug: Described(EndpointToolkit, 'Slug of the toolkit.') }),
  reply: Type.Object({
    toolkit_slug: Type.String({ description: 'Slug of the toolkit.' }),
    setup_fields: Type.Record(
      Type.String(),
      Type.Object({
        display_name: Type.String({ description: 'Display name.' }),
        description: Type.String({ description: 'Description of the field, and where to find its value.' }),
        is_required: Type.Boolean({ description: 'Whether the field is required.' }),
        is_secret: Type.Boolean({ description: 'Whether the value is a secret.' }),
      }),
      { description: 'Fields that the endpoint needs, by name.' },
    ),
  }),
  errors: ['Toolkit_ToolkitNotFound', 'WebhookEndpoint_NotSupported'],
})

export const readWebhookEndpoint = route({
  ...readAccess,
  id: 'webhookEndpoints.read',
  method: 'GET',
  path: '/webhook_endpoints/:nano_id',
  summary: 'Read a webhook endpoint',
  description: 'Returns one webhook endpoint. Secrets are masked.',
  example: { params: { nano_id: exampleId('we') }, needs: 'a webhook endpoint' },
  params,
  reply: WebhookEndpoint,
  errors: ['WebhookEndpoint_NotFound'],
})

const changeOperation = {
  ...writeAccess,
  path: '/webhook_endpoints/:nano_id',
  params,
  body: Data,
  reply: WebhookEndpoint,
  errors: ['WebhookEndpoint_NotFound'],
} as const

export const mergeWebhookEndpoint = route({
  ...changeOperation,
  id: 'webhookEndpoints.merge',
  method: 'PATCH',
  summary: 'Change set-up values of a webhook endpoint',
  description: 'Changes the given set-up values of a webhook endpoint; all others stay as they are.',
  example: {
    params: { nano_id: exampleId('we') },
    body: { data: { signing_secret: 'your-signing-secret' } },
    needs: 'a webhook endpoint',
  },
})

export const replaceWebhookEndpoint = route({
  ...changeOperation,
  id: 'webhookEndpoints.replace',
  method: 'POST',
  summary: 'Replace the set-up values of a webhook endpoint',
  description: 'Replaces all set-up values of a webhook endpoint.',
  example: {
    params: { nano_id: exampleId('we') },
    body: { data: { signing_secret: 'your-signing-secret' } },
    needs: 'a webhook endpoint',
  },
})

export const deleteWebhookEndpoint = route({
  ...writeAccess,
  id: 'webhookEndpoints.delete',
  method: 'DELETE',
  path: '/webhook_endpoints/:nano_id',
  summary: 'Delete a webhook endpoint',
  description: 'Deletes a webhook endpoint. Its URL stops working at once and cannot be restored.',
  example: { params: { nano_id: exampleId('we') }, needs: 'a webhook endpoint' },
  params,
  reply: Success,
  errors: ['WebhookEndpoint_NotFound'],
})
