import { type ResolvedTrigger, triggerParameters } from '../../../catalog/index.ts'
import type { ParameterFormat } from '../../../contract/projects/call-settings.ts'
import type { ApiVersion } from '../../../contract/route.ts'
import type * as contract from '../../../contract/triggers/index.ts'
import type { ListedInstanceRow } from './store.ts'

/** A trigger type in the form of the API version, with config and payload in the given form. */
export function presentType(
  { trigger, toolkit, version }: ResolvedTrigger,
  logo: (slug: string) => string,
  {
    apiVersion,
    format,
    availableVersions,
  }: { apiVersion: ApiVersion; format: ParameterFormat; availableVersions: readonly string[] },
): contract.TriggerType {
  const { flatConfig, flatPayload, config, payload } = triggerParameters(trigger)
  return {
    slug: trigger.slug,
    name: trigger.name,
    description: trigger.description,
    instructions: trigger.instructions,
    type: trigger.poll ? 'poll' : 'webhook',
    toolkit: { slug: toolkit.slug, name: toolkit.name, logo: logo(toolkit.slug) },
    ...(format === 'map' ? { config: flatConfig, payload: flatPayload } : { config, payload }),
    ...(apiVersion !== 'v3' && { requires_webhook_endpoint_setup: trigger.webhook?.scope === 'app' }),
    version,
    available_versions: [...availableVersions],
  }
}

const toText = (date: Date | null) => date && date.toISOString()

/** An instance in the form of the API. `version` is the release that its version resolves to now. */
export function presentInstance(
  row: ListedInstanceRow,
  version: string,
  apiVersion: ApiVersion,
): contract.TriggerInstance {
  const disabledAt = toText(row.disabled_at)
  const updatedAt = row.updated_at.toISOString()
  const state =
    row.failures === null
      ? {}
      : {
          next_run: toText(row.next_run),
          last_run: toText(row.last_run),
          last_ok: toText(row.last_ok),
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
    version,
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
