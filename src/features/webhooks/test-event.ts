import { newId } from '../../platform/ids.ts'
import { type Answered, attempt, type AttemptDeps, type Receiver } from './attempt.ts'

/** One signed message to a receiver, now and once: of a trigger that does not exist, so that every payload version can express it. Nothing of it is stored. */
export function sendTest(
  deps: AttemptDeps,
  receiver: Receiver,
  { projectId, organizationId }: { projectId: string; organizationId: string },
  signal: AbortSignal,
): Promise<Answered> {
  const none = '00000000-0000-4000-8000-000000000000'
  const data = {
    log_id: newId('log'),
    trigger_slug: 'TEST_EVENT',
    trigger_id: 'ti_000000000000',
    trigger_uuid: none,
    connected_account_id: 'ca_000000000000',
    connected_account_uuid: none,
    auth_config_id: 'ac_000000000000',
    user_id: 'test',
  }
  return attempt(
    deps,
    receiver,
    {
      id: newId('evt'),
      type: 'trigger.message',
      data,
      payload: { test: true },
      created_at: new Date(deps.clock.now()),
      project_id: projectId,
      organization_id: organizationId,
    },
    1,
    signal,
  )
}
