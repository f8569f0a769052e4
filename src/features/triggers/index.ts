/** Trigger types, instances of them, and the polls of those that poll. */
export { triggerLogRoutes } from './log-routes.ts'
export {
  heal as healPolls,
  LEASE_S as POLL_LEASE_S,
  removeOldLogs as removeOldTriggerLogs,
} from './poll-store.ts'
export { poller, type Poller, type PollMetrics } from './poller.ts'
export { triggerRoutes } from './routes.ts'
export { disable, find, INSTANCE, INSTANCES, type InstanceRow } from './store.ts'
export { tell, type Teller } from './tell.ts'
