/** Webhooks: subscriptions of projects to their events, and the deliveries. */
export { deleteAttempts, eventDeliveries } from './delivery/delivery-log.ts'
export { startDeliveryWorker } from './delivery/worker.ts'
export { webhookRoutes } from './routes.ts'
export { type EventReceiver, eventReceivers, verifyDecision } from './subscriptions/sender-verification.ts'
export { projectWebhooksOf } from './subscriptions/project-webhooks.ts'
