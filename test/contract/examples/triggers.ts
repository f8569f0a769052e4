import { createWebhookEndpoint, mergeWebhookEndpoint } from '../../../src/contract/triggers/index.ts'
import { sql } from '../../../src/platform/db/sql.ts'
import { unique, type World } from '../world.ts'
import { type Example, trigger, triggerOf } from './samples.ts'

/** As subscriptions, they have a bound. */
const noEndpoints = ({ app: { db }, own }: World) =>
  db.run(sql`delete from webhook_endpoints where project_id = ${own.project}`)

/** An address for the events of an app, with its secret. */
async function endpoint(w: World): Promise<string> {
  await noEndpoints(w)
  const { call } = w.own
  const { body } = await call(createWebhookEndpoint, { body: { toolkit_slug: 'slack', client_id: unique() } })
  await call(mergeWebhookEndpoint, {
    params: { nano_id: body.id },
    body: { data: { signing_secret: 'signing-secret-1' } },
  })
  return body.id
}

/** Calls of the operations of trigger types, triggers and their webhook endpoints. */
export const TRIGGERS_EXAMPLES: Readonly<Record<string, Example>> = {
  'triggerTypes.list': () => ({
    query: { toolkit_slugs: ['github', 'nodered'], toolkit_versions: 'latest', limit: 5 },
  }),
  'triggerTypes.enum': () => ({}),
  'triggerTypes.read': () => ({
    params: { slug: 'github_issue_added_event' },
    query: { toolkit_versions: 'latest' },
  }),
  'realtime.credentials': () => ({}),
  'realtime.auth': ({ own }) => ({
    body: { socket_id: '81240.52013', channel_name: `private-${own.project}_triggers` },
  }),
  'triggers.upsert': triggerOf,
  'triggers.active': async (w) => ({
    query: {
      trigger_ids: [await trigger(w)],
      trigger_names: ['nodered_flow_added'],
      show_disabled: true,
      user_ids: ['user-1'],
      limit: 5,
    },
  }),
  'triggers.setStatus': async (w) => ({
    params: { trigger_id: await trigger(w) },
    body: { status: 'disable' },
  }),
  'triggers.test': async (w) => ({ params: { trigger_id: await trigger(w) }, body: {} }),
  'triggers.delete': async (w) => ({ params: { trigger_id: await trigger(w) } }),
  'webhookEndpoints.list': async (w) => {
    await endpoint(w)
    return { query: { toolkit_slug: 'slack' } }
  },
  'webhookEndpoints.create': async (w) => {
    await noEndpoints(w)
    return { body: { toolkit_slug: 'slack', client_id: unique() } }
  },
  'webhookEndpoints.schema': () => ({ query: { toolkit_slug: 'slack' } }),
  'webhookEndpoints.read': async (w) => ({ params: { nano_id: await endpoint(w) } }),
  'webhookEndpoints.merge': async (w) => ({
    params: { nano_id: await endpoint(w) },
    body: { data: { signing_secret: 'merged-secret-1' } },
  }),
  'webhookEndpoints.replace': async (w) => ({
    params: { nano_id: await endpoint(w) },
    body: { data: { signing_secret: 'another-secret-1' } },
  }),
  'webhookEndpoints.delete': async (w) => ({ params: { nano_id: await endpoint(w) } }),
}
