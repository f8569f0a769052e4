import { createWebhook } from '../../../src/contract/webhooks/index.ts'
import { sql, values } from '../../../src/platform/db/sql.ts'
import { unique, type World } from '../world.ts'
import type { Example } from './samples.ts'

/** A project has twenty at most, and these calls are made often. */
const noSubscriptions = ({ app: { db }, own }: World) =>
  db.run(sql`delete from webhook_subscriptions where project_id = ${own.project}`)

async function subscription(w: World, url = `https://${unique()}.example.com/hooks`): Promise<string> {
  await noSubscriptions(w)
  return (
    await w.own.call(createWebhook, {
      body: { webhook_url: url, enabled_events: ['service.trigger.message'] },
    })
  ).body.id
}

/** A subscription whose receiver decides about calls. */
async function approvalSubscription(w: World): Promise<string> {
  await noSubscriptions(w)
  const webhook_url = `https://${unique()}.example.com/approvals`
  return (
    await w.own.call(createWebhook, { body: { webhook_url, enabled_events: ['service.approval.requested'] } })
  ).body.id
}

async function event({ app: { db }, own }: World): Promise<string> {
  const id = `evt_${unique()}`
  await db.run(
    sql`insert into events ${values({
      id,
      project_id: own.project,
      type: 'connected_account.expired',
      data: '{"id": "ca_1"}',
    })}`,
  )
  return id
}

/** Calls of the operations of webhook subscriptions and events. */
export const WEBHOOKS_EXAMPLES: Readonly<Record<string, Example>> = {
  'webhooks.create': async (w) => {
    await noSubscriptions(w)
    return {
      body: {
        webhook_url: `https://${unique()}.example.com/hooks`,
        enabled_events: ['service.trigger.message', 'service.connected_account.expired'],
        version: 'V3',
      },
    }
  },
  'webhooks.list': () => ({ query: { limit: 5 } }),
  'webhooks.deliveries': async (w) => ({
    params: { id: await subscription(w) },
    query: { status: 'dead', limit: 5 },
  }),
  'webhooks.eventTypes': () => ({}),
  'webhooks.read': async (w) => ({ params: { id: await subscription(w) } }),
  'webhooks.update': async (w) => ({
    params: { id: await subscription(w) },
    body: { enabled_events: ['service.trigger.message'], version: 'V2', max_at_once: 4, max_per_second: 100 },
  }),
  'webhooks.delete': async (w) => ({ params: { id: await subscription(w) } }),
  'webhooks.rotateSecret': async (w) => ({
    params: { id: await subscription(w) },
    body: { overlap_hours: 1 },
  }),
  'webhooks.rotateApprovalSecret': async (w) => ({ params: { id: await approvalSubscription(w) } }),
  'webhooks.test': async (w) => ({ params: { id: await subscription(w, w.application.url) } }),
  'webhooks.readProject': async (w) => {
    await subscription(w)
    return {}
  },
  'webhooks.updateProject': async (w) => {
    await noSubscriptions(w)
    return { body: { webhook_url: `https://${unique()}.example.com/hooks`, webhook_version: 'V1' } }
  },
  'webhooks.refreshProject': async (w) => {
    await subscription(w)
    return { body: {} }
  },
  'webhooks.deleteProject': async (w) => {
    await subscription(w)
    return {}
  },
  'events.list': () => ({ query: { delivery_status: 'dead', limit: 5 } }),
  'events.show': async (w) => ({ params: { event_id: await event(w) } }),
  'events.stream': () => ({
    query: { last_event_id: '0', event_types: 'service.trigger.message', trigger_ids: 'ti_1,ti_2' },
  }),
  'events.replay': async (w) => ({ body: { event_ids: [await event(w)], only_dead: false } }),
}
