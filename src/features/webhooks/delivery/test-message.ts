import { newId, newLogId } from '../../../platform/ids.ts'
import { attemptDelivery, type AttemptDeps, type AttemptResult, type Receiver } from './attempt.ts'
import { createMessage } from './event-message.ts'

const NO_UUID = '00000000-0000-4000-8000-000000000000'

/**
 * Sends one signed test message, without retries. It is the message of a trigger that does not exist, which every
 * payload version can express. Nothing of it is stored.
 */
export function sendTestMessage(
  deps: AttemptDeps,
  receiver: Receiver,
  { projectId, organizationId }: { projectId: string; organizationId: string },
  signal: AbortSignal,
): Promise<AttemptResult> {
  const data = {
    log_id: newLogId(),
    trigger_slug: 'TEST_EVENT',
    trigger_id: 'ti_000000000000',
    trigger_uuid: NO_UUID,
    connected_account_id: 'ca_000000000000',
    connected_account_uuid: NO_UUID,
    auth_config_id: 'ac_000000000000',
    user_id: 'test',
  }
  const event = {
    id: newId('evt'),
    type: 'trigger.message',
    data,
    payload: { test: true },
    created_at: new Date(deps.clock.now()),
    project_id: projectId,
    organization_id: organizationId,
  }
  const message = createMessage(event, receiver.version, deps.brand.toWire)
  return attemptDelivery(deps, receiver, message, 1, signal)
}
