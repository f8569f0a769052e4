import type { Db } from '../../../../platform/db/sql.ts'
import { enqueue } from '../../../../platform/jobs/index.ts'
import { pollNow } from '../../polling/store.ts'
import { publishTriggerEvents } from '../../publish-trigger-events.ts'
import type { PushDeps } from '../deps.ts'
import { lockEnabled } from '../registrations/store.ts'
import type { DeliveryTarget } from './receivers.ts'

/** The job that polls an instance after a poll that was in progress when its application sent a ping. */
export const POLL_AFTER_PING_TASK = 'triggers.wake'
/** By then a poll that was in progress at the time of the ping has ended. */
const POLL_AFTER_PING_MS = 60_000
const POLL_AFTER_PING_ATTEMPTS_MAX = 3

/**
 * Stores the events of a delivery in one transaction. The lock of an instance makes its deliveries wait for each other,
 * so that events have the order in which they arrived.
 */
export function storeEvents(
  { db }: PushDeps,
  projectId: string,
  targets: readonly DeliveryTarget[],
): Promise<void> {
  return db.begin(async (tx) => {
    const ids = targets.map(({ instance }) => instance.id)
    const enabled = await lockEnabled(tx, projectId, ids)
    const pinged: string[] = []
    for (const { instance, trigger, items } of targets) {
      if (!enabled.has(instance.id)) continue
      if (trigger.webhook!.isPing) {
        pinged.push(instance.id)
        continue
      }
      const triggerItems = items.map((item) => ({
        key: trigger.webhook!.keyOf(item),
        payload: trigger.payloadOf({ ...item, config: instance.config }),
      }))
      await publishTriggerEvents(tx, instance, triggerItems)
    }
    if (pinged.length > 0) await pollAfterPing(tx, projectId, pinged)
  })
}

/** Polls at once, or after the poll that may be in progress, which may have missed the change. */
async function pollAfterPing(tx: Db, projectId: string, ids: readonly string[]): Promise<void> {
  const polledNow = await pollNow(tx, projectId, ids)
  const runAt = new Date(Date.now() + POLL_AFTER_PING_MS)
  for (const id of ids) {
    if (polledNow.has(id)) continue
    const options = { key: `${POLL_AFTER_PING_TASK}:${id}`, runAt, maxAttempts: POLL_AFTER_PING_ATTEMPTS_MAX }
    await enqueue(tx, POLL_AFTER_PING_TASK, { project: projectId, id }, options)
  }
}
