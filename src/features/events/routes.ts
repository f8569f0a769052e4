import * as contract from '../../contract/events/index.ts'
import type { Db, Pool } from '../../platform/db/sql.ts'
import { ApiError, badRequest } from '../../platform/http/api-error.ts'
import type { BrandedName } from '../../contract/branded-names.ts'
import type { Branding } from '../../platform/http/branding/branding.ts'
import type { Api } from '../../platform/http/call.ts'
import { boundedPageOf, readPage } from '../../platform/http/paging.ts'
import type { EventDeps } from './deps.ts'
import { isApproval, messageId } from './message.ts'
import { decryptContent } from './outbox.ts'
import { type EventRow, findEvent, listEvents } from './store.ts'
import { mayReadApprovals, streamRoute } from './stream/routes.ts'
import type { EventStreams } from './stream/stream.ts'

/** Which events to deliver again. */
export interface RedeliveryFilter {
  eventIds: readonly string[] | undefined
  from: Date | undefined
  to: Date | undefined
  subscriptionId: string | undefined
  onlyDead: boolean
}

/** The deliveries of events, which the feature webhooks makes. */
export interface EventDeliveries {
  list(db: Db, projectId: string, eventId: string): Promise<contract.Delivery[]>
  /** Returns how many deliveries start. @throws ApiError WebhookSubscription_NotFound */
  redeliver(db: Pool, projectId: string, filter: RedeliveryFilter): Promise<number>
}

export function eventRoutes(
  api: Api,
  deps: EventDeps,
  streams: EventStreams,
  deliveries: EventDeliveries,
): void {
  const { db, brand } = deps
  streamRoute(api, streams)
  api.on(contract.listEvents, async ({ projectId, query }) => {
    const page = readPage(query)
    const filter = { status: query.delivery_status, subscriptionId: query.subscription_id }
    const { rows, count, next } = await listEvents(db, projectId, filter, page)
    const items = rows.map(({ pending, delivered, dead, ...row }) => ({
      ...presentEvent(brand, row),
      deliveries: { pending, delivered, dead },
    }))
    return boundedPageOf(items, count, page, next)
  })
  api.on(contract.readEvent, async ({ projectId, permissions, params }) => {
    const row = await findEvent(db, projectId, params.event_id)
    if (!row) throw new ApiError('Event_NotFound', `Event ${params.event_id} not found`)
    const isHidden = isApproval(row.type) && !mayReadApprovals(permissions)
    const { data, payload = null } = decryptContent(db, row)
    return {
      ...presentEvent(brand, row),
      data,
      payload: isHidden ? null : payload,
      deliveries: await deliveries.list(db, projectId, row.id),
    }
  })
  api.on(contract.replayEvents, async ({ projectId, body }) => {
    const { event_ids: eventIds, subscription_id: subscriptionId, only_dead: onlyDead = false } = body
    if (eventIds === undefined && body.from === undefined)
      throw badRequest('Error in payload: event_ids or from is required')
    const from = readTime('from', body.from)
    const to = readTime('to', body.to)
    const filter = { eventIds, from, to, subscriptionId, onlyDead }
    return { queued: await deliveries.redeliver(db, projectId, filter) }
  })
}

/** A leap second passes the format check, but PostgreSQL and JavaScript do not have it. */
function readTime(field: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const date = new Date(text)
  if (Number.isNaN(date.getTime())) throw badRequest(`Error in payload.${field}: is not a valid time`)
  return date
}

const presentEvent = (
  brand: Branding,
  { id, type, ordering_key, created_at }: Omit<EventRow, 'data' | 'encrypted_payload'>,
) => ({
  id,
  webhook_id: messageId(id),
  type: brand.toWire(`service.${type}` as BrandedName),
  ordering_key,
  created_at: created_at.toISOString(),
})
