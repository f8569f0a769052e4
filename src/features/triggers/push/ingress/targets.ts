import type { CompiledWebhook, DeliveredItem, Trigger } from '../../../../catalog/index.ts'
import type { InstanceRow } from '../../instances/store.ts'
import type { DeliveryTarget } from './receivers.ts'

/** An instance as a target, with the items that create events; none if there are no such items. */
export function toTargets(
  instance: InstanceRow,
  trigger: Trigger,
  webhook: CompiledWebhook,
  items: readonly DeliveredItem[],
): DeliveryTarget[] {
  const matching = items.filter((item) => webhook.makesEvent(item, instance.config))
  return matching.length > 0 ? [{ instance, trigger, items: matching }] : []
}
