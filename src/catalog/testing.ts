import type { ToolkitSource } from './read.ts'

/** A small sound toolkit for tests; every call makes new objects, so that a test may spoil one. */
export function sampleToolkit(more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    slug: 'shop',
    name: 'Shop',
    description: 'Sells things to people who want things.',
    categories: ['e-commerce'],
    created: '2026-01-15',
    releases: [{ version: '20260115_00', changes: 'First release.' }],
    base_url: 'https://{subdomain}.shop.example',
    auth: [
      {
        scheme: 'API_KEY',
        apply: { headers: { 'X-Key': '{generic_api_key}' } },
        fields: {
          connected_account_initiation: [
            {
              name: 'subdomain',
              display_name: 'Store',
              description: 'xyz in xyz.shop.example.',
              legacy_template_name: 'shop',
            },
          ],
        },
      },
    ],
    ...more,
  }
}

export function sampleTool(more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    slug: 'SHOP_GET_ORDER',
    name: 'Get order',
    description: 'Returns one order by its id.',
    effect: 'read',
    input: {
      type: 'object',
      properties: { id: { type: 'string', description: 'Id of the order.' } },
      required: ['id'],
    },
    output: { type: 'object', properties: { id: { type: 'string', description: 'Id.' } } },
    request: { method: 'GET', path: '/orders/{id}' },
    ...more,
  }
}

export function sampleSource(
  toolkit: Record<string, unknown> = {},
  tools: unknown[] = [sampleTool()],
  more: Partial<ToolkitSource> = {},
): ToolkitSource {
  return { slug: 'shop', toolkit: sampleToolkit(toolkit), tools: { tools }, icon: '<svg/>', ...more }
}

export const SAMPLE_OAUTH = {
  scheme: 'OAUTH2',
  authorize: { url: 'https://shop.example/authorize' },
  token: { url: 'https://shop.example/token', capture: { instance_url: 'instance_url' } },
  base_url: '{instance_url}/api',
}

/** A sound trigger type that polls a list of orders, newest first. */
export function sampleTrigger(more: Record<string, unknown> = {}): Record<string, unknown> {
  const trigger: Record<string, unknown> = {
    slug: 'SHOP_NEW_ORDER',
    name: 'New order',
    description: 'Fires for every order that comes in.',
    config: {
      type: 'object',
      properties: {
        status: { type: 'string', description: 'Only orders in this status.', default: 'any' },
        shelf: { type: 'string', description: 'Only orders from this shelf.' },
      },
    },
    payload: { type: 'object', properties: { order: { type: 'integer', description: 'Its number.' } } },
    poll: {
      request: { method: 'GET', path: '/orders', query: ['status', 'page'] },
      items: 'orders',
      key: 'id',
      time: 'at',
      page: { by: 'page', more: 'more' },
      by: 'newest_first',
      only_when: [
        { path: 'shelf', equals_config: 'shelf' },
        { path: 'kind', exists: true },
      ],
      skip_when: [{ path: 'kind', equals: 'test' }],
    },
    event: { order: 'item.id' },
    ...more,
  }
  return Object.fromEntries(Object.entries(trigger).filter(([, value]) => value !== undefined))
}
