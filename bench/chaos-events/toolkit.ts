/** The application of the run: a list that is polled, and webhooks that it sends to each registered URL. */
export const SLUG = 'sample'
export const POLLED = 'SAMPLE_NEW_ITEM'
export const PUSHED = 'SAMPLE_ITEM_SENT'

const CONFIG = {
  type: 'object',
  properties: { feed: { type: 'string', description: 'Name of the feed.' } },
  required: ['feed'],
  additionalProperties: false,
}
const PAYLOAD = {
  type: 'object',
  properties: {
    id: { type: 'string', description: 'Of the item.' },
    feed: { type: 'string', description: 'Its feed.' },
    n: { type: 'integer', description: 'Its place in the feed.' },
  },
}

const POLLED_TRIGGER = {
  slug: POLLED,
  name: 'New item',
  description: 'Fires for each item that comes to a feed.',
  config: CONFIG,
  payload: PAYLOAD,
  poll: {
    request: { method: 'GET', path: '/feeds/{feed}', query: { after: { $: 'cursor' } } },
    items: 'items',
    key: 'id',
    by: 'cursor',
    max_pages: 10,
    cursor: {
      start: { request: { method: 'GET', path: '/feeds/{feed}/end' }, path: 'cursor' },
      next: 'cursor',
    },
  },
}

const PUSHED_TRIGGER = {
  slug: PUSHED,
  name: 'Item sent',
  description: 'Fires for each item that the application sends.',
  config: CONFIG,
  payload: PAYLOAD,
  webhook: {
    scope: 'instance',
    key: 'item.id',
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      key: '{webhook_secret}',
      signature: { at: 'headers.x-signature' },
    },
    registration: {
      request: {
        method: 'POST',
        path: '/hooks',
        body: { feed: { $: 'feed' }, url: { $: 'webhook_url' }, secret: { $: 'webhook_secret' } },
      },
      save: { hook_id: 'id' },
      remove: { method: 'DELETE', path: '/hooks/{hook_id}' },
    },
  },
}

/** The files of its toolkit. */
export function toolkitFiles(url: string): Record<string, object> {
  return {
    'toolkit.json': {
      slug: SLUG,
      name: 'Sample',
      description: 'Feeds of numbered items that are polled or sent by webhooks.',
      categories: ['developer-tools'],
      created: '2026-11-21',
      releases: [{ version: '20261121_00', changes: 'First release.' }],
      base_url: url,
      auth: [{ scheme: 'API_KEY', apply: { headers: { authorization: 'Bearer {generic_api_key}' } } }],
    },
    'tools.json': {
      tools: [
        {
          slug: 'SAMPLE_GET_ME',
          name: 'Get me',
          description: 'Returns who the key belongs to.',
          effect: 'read',
          input: { type: 'object', properties: {} },
          output: { type: 'object', properties: {} },
          request: { method: 'GET', path: '/me' },
        },
      ],
    },
    'triggers.json': {
      triggers: [POLLED_TRIGGER, PUSHED_TRIGGER],
    },
  }
}
