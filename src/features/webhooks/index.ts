/** Webhooks: subscriptions of projects to their events, and the deliveries. */
export { eventDeliveries } from './delivery/delivery-log.ts'
export {
  deleteDeliveriesOf,
  type EventKey,
  giveUpOldDeliveries,
  hasOpenDeliveries,
} from './delivery/remove-deliveries.ts'
export { countWaitingDeliveries } from './delivery/waiting.ts'
export { startDeliveryWorker } from './delivery/worker.ts'
export { webhookRoutes } from './routes.ts'
export { type EventReceiver, eventReceivers, verifyDecision } from './subscriptions/sender-verification.ts'
export { projectWebhooksOf } from './subscriptions/project-webhooks.ts'
export { disableSubscriptions } from './subscriptions/store.ts'
export { countSubscriptionsByState } from './subscriptions/subscription-counts.ts'
export { webhooksProjectRows } from './project-rows.ts'
