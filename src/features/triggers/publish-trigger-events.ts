import { type Db, sql } from '../../platform/db/sql.ts'
import { newLogId } from '../../platform/ids.ts'
import { type NewEvent, publishEvents, stableEventId, type TriggerMessageData } from '../events/index.ts'
import type { InstanceRow } from './instances/store.ts'

/** The fields of an instance that its events contain. */
export type EventSource = Pick<
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

/** One item that the application reported. */
export interface TriggerItem {
  /** Identifies the item among those of its instance, such as its id at the application. */
  key: string
  payload: Readonly<Record<string, unknown>>
}

/**
 * Publishes an event of an instance for each item, with a row in its log, in the transaction of the caller. An item
 * whose key was published before is the same event and changes nothing. Returns how many are new.
 */
export async function publishTriggerEvents(
  tx: Db,
  source: EventSource,
  items: readonly TriggerItem[],
): Promise<number> {
  if (items.length === 0) return 0
  const messages = new Map<string, ReturnType<typeof triggerMessage>>()
  for (const item of items) {
    const message = triggerMessage(source, item)
    if (!messages.has(message.id)) messages.set(message.id, message)
  }
  // Without a lock, a poll and a delivery of the same item at once would both find that its event does not exist.
  await tx.rows(sql`select pg_advisory_xact_lock(hashtextextended(${`trigger events ${source.id}`}, 0))`)
  const published = await publishEvents(
    tx,
    source.project_id,
    [...messages.values()].map(({ event }) => event),
  )
  // An event that existed before has the log row of its first publication.
  const added = published.flatMap((id) => messages.get(id) ?? [])
  if (added.length > 0) {
    await tx.run(sql`
      insert into trigger_logs (id, project_id, instance_id, kind, event_id)
      select l.id, ${source.project_id}, ${source.id}, 'event', l.event_id
      from unnest(${added.map(({ logId }) => logId)}::text[], ${added.map(({ id }) => id)}::text[])
        with ordinality as l (id, event_id, position)
      order by l.position`)
  }
  return added.length
}

function triggerMessage(source: EventSource, { key, payload }: TriggerItem) {
  const logId = newLogId()
  const data: TriggerMessageData = {
    trigger_slug: source.trigger_slug,
    trigger_id: source.id,
    trigger_uuid: source.uuid,
    connected_account_id: source.connected_account_id,
    connected_account_uuid: source.connected_account_uuid,
    auth_config_id: source.auth_config_id,
    user_id: source.user_id,
    log_id: logId,
  }
  const id = stableEventId(source.project_id, source.id, key)
  const event: NewEvent = {
    id,
    type: 'trigger.message',
    orderingKey: source.id,
    data: { ...data },
    payload,
  }
  return { id, logId, event }
}
