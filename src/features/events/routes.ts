import * as contract from '../../contract/events.ts'
import { ApiError, badRequest } from '../../platform/http/api-error.ts'
import type { Api } from '../../platform/http/call.ts'
import { EventMessages } from '../../platform/http/server/event-stream.ts'
import { pageOf, readPage } from '../../platform/http/paging.ts'
import type { BrandedName, WireBrand } from '../../platform/http/branding/branding.ts'
import { openPayload } from './outbox.ts'
import * as store from './store.ts'
import type { Live } from './stream/stream.ts'
import { messageId } from '../webhooks/payload.ts'
import type { WebhookDeps } from '../webhooks/service.ts'
import { find as findSubscription } from '../webhooks/store.ts'

const LAST_EVENT_ID = /^\d{1,15}$/

export function eventRoutes(api: Api, { db, encryptor, brand }: WebhookDeps, live: Live): void {
  api.on(contract.streamEvents, async ({ projectId, query, header, signal, judgeAgain }) => {
    const last = header('last-event-id') ?? query.last_event_id
    if (last !== undefined && !LAST_EVENT_ID.test(last))
      throw badRequest('Error in headers.last-event-id: is no id of a message of this stream')
    const types = query.event_types?.map((type) => type.replace(/^service\./, '')) ?? null
    const place = { projectId, after: await live.placeOf(last), types, triggers: query.trigger_ids ?? null }
    return header('accept')?.includes('text/event-stream')
      ? new EventMessages(live.follow({ place, signal, judgeAgain }))
      : live.next(place)
  })
  api.on(contract.listEvents, async ({ projectId, query }) => {
    const page = readPage(query)
    const { rows, total } = await store.list(
      db,
      projectId,
      { status: query.delivery_status, subscriptionId: query.subscription_id },
      page,
    )
    return pageOf(
      rows.map(({ pending, delivered, dead, ...row }) => ({
        ...fields(brand, row),
        deliveries: { pending, delivered, dead },
      })),
      total,
      page,
    )
  })
  api.on(contract.showEvent, async ({ projectId, params }) => {
    const row = await store.find(db, projectId, params.event_id)
    if (!row) throw new ApiError('Event_NotFound', `Event ${params.event_id} not found`)
    const deliveries = await store.deliveriesOf(db, projectId, row.id)
    return {
      ...fields(brand, row),
      data: row.data,
      payload: row.encrypted_payload && openPayload(encryptor, row.id, row.encrypted_payload),
      deliveries: deliveries.map(delivery),
    }
  })
  api.on(contract.replayEvents, async ({ projectId, body }) => {
    const {
      event_ids: eventIds,
      from,
      to,
      subscription_id: subscriptionId,
      only_dead: onlyDead = false,
    } = body
    if (eventIds === undefined && from === undefined)
      throw badRequest('Error in payload: event_ids or from is required')
    if (subscriptionId !== undefined && !(await findSubscription(db, projectId, subscriptionId)))
      throw new ApiError('WebhookSubscription_NotFound', `Webhook subscription ${subscriptionId} not found`)
    return {
      queued: await store.replay(db, projectId, {
        eventIds,
        from: dateOf('from', from),
        to: dateOf('to', to),
        subscriptionId,
        onlyDead,
      }),
    }
  })
}

/** A leap second has the form of a moment, and is none that the database takes. */
function dateOf(member: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const date = new Date(text)
  if (Number.isNaN(date.getTime())) throw badRequest(`Error in payload.${member}: is not a moment`)
  return date
}

const fields = (
  brand: WireBrand,
  { id, type, ordering_key, created_at }: Omit<store.EventRow, 'data' | 'encrypted_payload'>,
) => ({
  id,
  webhook_id: messageId(id),
  type: brand.spell(`service.${type}` as BrandedName),
  ordering_key,
  created_at: created_at.toISOString(),
})

const delivery = ({ next_at, finished_at, log, ...row }: store.DeliveryRow): contract.Delivery => ({
  ...row,
  next_at: row.status === 'pending' ? next_at.toISOString() : null,
  finished_at: finished_at?.toISOString() ?? null,
  log: log.map(({ response, ...one }) => ({ ...one, answer: response, ended_at: new Date(one.ended_at).toISOString() })),
})
