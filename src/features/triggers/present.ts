import { type ResolvedTrigger, triggerParameters } from '../../catalog/index.ts'
import type { ApiVersion } from '../../contract/route.ts'
import type * as contract from '../../contract/triggers.ts'
import type { ListedRow } from './store.ts'

/** A trigger type as the wire shows it: flat maps on v3, JSON Schema on v3.1. */
export function presentType(
  { trigger, toolkit, version }: ResolvedTrigger,
  logo: (slug: string) => string,
  apiVersion: ApiVersion,
): contract.TriggerType {
  const { flatConfig, flatPayload, config, payload } = triggerParameters(trigger)
  const shapes =
    apiVersion === 'v3'
      ? { config: flatConfig, payload: flatPayload }
      : { config, payload, requires_webhook_endpoint_setup: trigger.webhook?.scope === 'app' }
  return {
    slug: trigger.slug,
    name: trigger.name,
    description: trigger.description,
    instructions: trigger.instructions,
    type: trigger.poll ? 'poll' : 'webhook',
    toolkit: { slug: toolkit.slug, name: toolkit.name, logo: logo(toolkit.slug) },
    ...shapes,
    version,
  }
}

const textOf = (date: Date | null) => date && date.toISOString()

/** An instance as lists show it. `releaseOf`: what the name of a version means now. */
export function presentInstance(
  row: ListedRow,
  releaseOf: (row: ListedRow) => string,
  apiVersion: ApiVersion,
): contract.TriggerInstance {
  const disabledAt = textOf(row.disabled_at)
  const updatedAt = row.updated_at.toISOString()
  const state =
    row.failures === null
      ? {}
      : {
          next_run: textOf(row.next_run),
          last_run: textOf(row.last_run),
          last_ok: textOf(row.last_ok),
          lag_seconds: row.lag_s ?? 0,
          failures: row.failures,
          stalled: row.stalled ?? false,
        }
  return {
    id: row.id,
    uuid: row.uuid,
    connected_account_id: row.connected_account_id,
    connected_account_uuid: row.connected_account_uuid,
    user_id: row.user_id,
    trigger_name: row.trigger_slug,
    trigger_data: '',
    trigger_config: row.config,
    state,
    version: releaseOf(row),
    updated_at: updatedAt,
    disabled_at: disabledAt,
    disabled_reason: row.disabled_reason,
    ...(apiVersion === 'v3' && {
      disabledAt,
      connectedAccountId: row.connected_account_id,
      triggerName: row.trigger_slug,
      updatedAt,
      triggerConfig: row.config,
      deprecated: { createdAt: row.created_at.toISOString() },
    }),
  }
}
