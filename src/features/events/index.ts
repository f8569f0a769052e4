/** Events: the outbox, the log of events and their deliveries, and streams of them. */
export {
  type AttemptOutcome,
  decryptOutcome,
  encryptOutcome,
  OUTCOME_COLUMNS,
  type ReadOutcome,
} from './attempt-outcome.ts'
export { ExecutionAnnouncer } from './executions/announcer.ts'
export { messageId, messageOf, type PublishedEvent, type TriggerMessageData } from './message.ts'
export {
  decryptContent,
  type NewEvent,
  publishEvents,
  publishEventsOfProjects,
  stableEventId,
  type StoredContent,
} from './outbox.ts'
export { type EventDeliveries, eventRoutes, type RedeliveryFilter } from './routes.ts'
export type { EventDependents } from './retention.ts'
export { eventSchedules } from './schedules.ts'
export { type EventOutcome, outcomesOf } from './store.ts'
export { EventStreams } from './stream/stream.ts'
export { eventsProjectRows } from './project-rows.ts'
