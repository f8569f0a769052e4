import type { Encryptor } from '../../platform/crypto/index.ts'
import { type Db, sql } from '../../platform/db/sql.ts'
import { newId } from '../../platform/ids.ts'
import { emit, eventIdOf } from '../webhooks/index.ts'
import type { NewEvent } from './poll/poll.ts'
import type { InstanceRow } from './store.ts'

/** What of an instance stands in its events. */
export type Teller = Pick<
  InstanceRow,
  | 'id'
  | 'uuid'
  | 'project_id'
  | 'trigger_slug'
  | 'connected_account_id'
  | 'connected_account_uuid'
  | 'auth_config_id'
  | 'user_id'
>

/**
 * Tells events of an instance, with a line in its log each, in the caller's transaction, which is that of what they come from. A key that was told before is the
 * same event and changes nothing. Answers how many were new.
 */
export async function tell(
  tx: Db,
  encryptor: Encryptor,
  teller: Teller,
  events: readonly NewEvent[],
): Promise<number> {
  if (events.length === 0) return 0
  const {
    id,
    uuid,
    project_id: projectId,
    trigger_slug,
    connected_account_id,
    connected_account_uuid,
    auth_config_id,
    user_id,
  } = teller
  const facts = {
    trigger_slug,
    trigger_id: id,
    trigger_uuid: uuid,
    connected_account_id,
    connected_account_uuid,
    auth_config_id,
    user_id,
  }
  const messages = events.map(({ key, payload }) => ({
    key,
    payload,
    trigger: { ...facts, log_id: newId('log') },
  }))
  const added = await emit(tx, encryptor, projectId, messages)
  if (added > 0) {
    // An event that was there already has the line of when it was told.
    await tx.run(sql`
      insert into trigger_logs (id, project_id, instance_id, kind, event_id)
      select l.id, ${projectId}, ${id}, 'event', e.id
      from unnest(${messages.map(({ trigger }) => trigger.log_id)}::text[], ${messages.map(({ key }) => eventIdOf(projectId, id, key))}::text[]) as l (id, event_id)
      join events e on e.id = l.event_id and e.project_id = ${projectId} and e.data->>'log_id' = l.id`)
  }
  return added
}
