/** Webhooks: subscriptions of projects to their events, and the deliveries. */
export { deleteAttempts, eventDeliveries } from './delivery/delivery-log.ts'
export { countWaitingDeliveries } from './delivery/waiting.ts'
export { startDeliveryWorker } from './delivery/worker.ts'
export { webhookRoutes } from './routes.ts'
export { type EventReceiver, eventReceivers, verifyDecision } from './subscriptions/sender-verification.ts'
export { projectWebhooksOf } from './subscriptions/project-webhooks.ts'
export { countSubscriptionsByState, disableSubscriptions } from './subscriptions/store.ts'
export { webhooksProjectRows } from './project-rows.ts'
