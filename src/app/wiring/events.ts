import {
  type EventDependents,
  eventRoutes,
  eventSchedules,
  EventStreams,
} from '../../features/events/index.ts'
import {
  deleteDeliveriesOf,
  eventDeliveries,
  giveUpOldDeliveries,
  hasOpenDeliveries,
  startDeliveryWorker,
  webhookRoutes,
} from '../../features/webhooks/index.ts'
import { removeOldTriggerLogs } from '../../features/triggers/index.ts'
import type { AppOptions } from '../options.ts'
import type { HttpPart } from './http.ts'
import type { PlatformPart } from './platform.ts'

const DELIVERY_CONNECTIONS = 3
const EVENT_DEPENDENTS: EventDependents = {
  giveUpDeliveries: (db, { before, beforeOthers }) => giveUpOldDeliveries(db, before, beforeOthers),
  hasOpenDeliveries,
  removeDeliveries: deleteDeliveriesOf,
  removeTriggerLogs: removeOldTriggerLogs,
}

export type EventsPart = ReturnType<typeof wireEvents>

/** Events, their streams, webhook subscriptions and deliveries. */
export function wireEvents(options: AppOptions, platform: PlatformPart, { api }: HttpPart) {
  const { db, encryptor, egress, clock, brand, log, changeBus, metrics, tracing } = platform
  const deps = { db, encryptor, egress, clock, brand }
  const streams = new EventStreams({
    ...deps,
    log,
    heartbeatMs: options.streamHeartbeatMs,
    now: () => clock.now(),
    listen: (onChange, onMissed) => changeBus.subscribe('events', onChange, onMissed),
  })
  webhookRoutes(api, deps)
  eventRoutes(api, deps, streams, eventDeliveries)
  return {
    streams,
    schedules: eventSchedules({ db, dependents: EVENT_DEPENDENTS }),
    /** Delivers with connections of its own, so that a backlog does not delay calls. */
    startDeliveries() {
      const deliveryDb = platform.openPool({ max: DELIVERY_CONNECTIONS, applicationName: 'patchbay-deliver' })
      const worker = startDeliveryWorker({
        ...deps,
        db: deliveryDb,
        log,
        metrics,
        tracing,
        retrySeconds: options.webhookRetrySeconds,
      })
      const wake = () => worker.wake()
      const listener = changeBus.subscribe('deliveries', wake, wake)
      return {
        async close() {
          await Promise.all([worker.close(), listener.close()])
          await deliveryDb.close()
        },
      }
    },
  }
}
