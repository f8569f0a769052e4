import type { PublishedEvent, TriggerMessageData } from '../events/index.ts'
import type { TriggerFacts } from '../triggers/index.ts'

/** Builds the data of `trigger_to_client` (contract 7.6) from the event of a trigger. */
export function triggerData(
  { project_id: projectId, data, payload = {} }: PublishedEvent,
  facts: TriggerFacts | undefined,
): object {
  const message = data as unknown as TriggerMessageData
  return {
    appName: facts?.toolkit_slug ?? message.trigger_slug.split('_')[0]?.toLowerCase(),
    clientId: projectId,
    payload,
    originalPayload: payload,
    metadata: {
      id: message.trigger_uuid,
      nanoId: message.trigger_id,
      triggerName: message.trigger_slug,
      triggerData: '',
      triggerConfig: facts?.config ?? {},
      connection: {
        id: message.connected_account_uuid,
        connectedAccountNanoId: message.connected_account_id,
        integrationId: facts?.auth_config_uuid ?? '',
        authConfigNanoId: message.auth_config_id,
        clientUniqueUserId: message.user_id,
        status: facts?.account_status ?? 'INACTIVE',
      },
    },
  }
}
