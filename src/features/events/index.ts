/** Events: the outbox, the log of events and their deliveries, and streams of them. */
export { decryptResponse, encryptResponse } from './attempt-response.ts'
export { messageId, messageOf, type PublishedEvent, type TriggerMessageData } from './message.ts'
export {
  decryptPayload,
  EVENTS_NOTIFIED,
  type NewEvent,
  PUBLISH_NEW_EVENTS,
  publishEvents,
  stableEventId,
  withPayload,
} from './outbox.ts'
export { type EventDeliveries, eventRoutes, type RedeliveryFilter } from './routes.ts'
export { eventSchedules } from './schedules.ts'
export { type EventOutcome, outcomesOf } from './store.ts'
export { EventStreams } from './stream/stream.ts'
export { eventsProjectRows } from './project-rows.ts'
