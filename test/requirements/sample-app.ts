import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import {
  API_KEY,
  type ConnectedAccountsApp,
  type Manifest,
  oauth,
  startConnectedAccountsApp,
} from '#fixtures/connected-accounts.ts'
import { sampleTool, sampleToolkit, sampleTrigger } from '#fixtures/sample-toolkits.ts'

export interface SendOptions {
  version?: 'v3' | 'v3.1'
  headers?: Record<string, string>
}
export type Send = (
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
  options?: SendOptions,
) => Promise<{ status: number; body: any }>
/** Sends a request that has to succeed, and returns the body of the response. */
export type Call = (...request: Parameters<Send>) => Promise<any>

/** A scheme with OAuth 1.0a whose connections have these fields in addition to those of the scheme. */
const oauth1 = (url: string, names: readonly string[]): Manifest => ({
  scheme: 'OAUTH1',
  name: 'OAuth 1.0a',
  request_token: { url: `${url}/request` },
  authorize: { url: `${url}/authorize` },
  access_token: { url: `${url}/access` },
  fields: {
    auth_config_creation: [
      {
        name: 'consumer_region',
        display_name: 'Region',
        description: 'Region of the client.',
        required: false,
        legacy_template_name: 'region',
      },
    ],
    connected_account_initiation: names.map((name, index) => ({
      name,
      display_name: name,
      description: `Value of ${name}.`,
      required: index === 0,
      default: 'x',
    })),
  },
})

const TOKENS = new URLSearchParams({
  oauth_token: 'request-token',
  oauth_token_secret: 'request-secret',
  oauth_callback_confirmed: 'true',
}).toString()

const STATUS = {
  type: 'string',
  description: 'Status of the orders.',
  enum: ['open', 'paid'],
  examples: ['open'],
}

const CUSTOMER = {
  type: 'object',
  description: 'Customer.',
  properties: { name: { type: 'string', description: 'Name of the customer.' } },
}

const TRIGGER = sampleTrigger({
  instructions: 'Connect an account first.',
  config: { type: 'object', properties: { status: STATUS } },
  payload: { type: 'object', properties: { customer: CUSTOMER } },
  event: { customer: 'item.customer' },
  poll: {
    request: { method: 'GET', path: '/orders', query: ['status'] },
    items: 'orders',
    key: 'id',
    time: 'at',
    by: 'newest_first',
  },
})

const TOOL = {
  output: { type: 'object', properties: { status: STATUS } },
  scopes: { all_of: [{ any_of: ['orders:read'] }] },
}
const LIST_TOOL = { slug: 'SHOP_LIST_ORDERS', name: 'List orders' }
/** The first release, in which a tool has another path. */
const FIRST_RELEASE = {
  version: '20260115_00',
  toolkit: sampleToolkit(),
  tools: {
    tools: [sampleTool({ ...TOOL, request: { method: 'GET', path: '/first/{id}' } }), sampleTool(LIST_TOOL)],
  },
}

/** Starts the app with a toolkit that declares everything that the specification names. */
export async function startSampleApp(t: TestContext, siteKeys: readonly string[] = ['region']) {
  return startConnectedAccountsApp(t, {
    auth: (url) => [oauth(url), oauth1(url, siteKeys), API_KEY],
    toolkit: {
      app_url: 'https://shop.example',
      identity: { path: '/me', id: 'id' },
      releases: ['20260301_00', '20260115_00'].map((version) => ({ version, changes: 'Released.' })),
    },
    tools: [sampleTool(TOOL), sampleTool(LIST_TOOL)],
    code: {
      triggers: { triggers: [TRIGGER] },
      versions: [FIRST_RELEASE],
    },
    answer: ({ path }) =>
      path === '/request' || path === '/access'
        ? { text: TOKENS, headers: { 'content-type': 'application/x-www-form-urlencoded' } }
        : { json: {} },
  })
}

/** Returns functions that send requests with the key of the project. */
export function requestsOf({ app, keys }: ConnectedAccountsApp): { send: Send; call: Call } {
  const send: Send = async (method, path, body, { version = 'v3', headers } = {}) => {
    const reply = await app.http.inject({
      method,
      url: `/api/${version}${path}`,
      headers: headers ?? { 'x-api-key': keys.projectApiKey },
      ...(body === undefined ? {} : { payload: body }),
    })
    return { status: reply.statusCode, body: reply.json() }
  }
  const call: Call = async (...request) => {
    const { status, body } = await send(...request)
    assert.ok(status < 300, `${request[0]} ${request[1]}: ${status} ${JSON.stringify(body)}`)
    return body
  }
  return { send, call }
}
