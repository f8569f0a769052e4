import { createHash } from 'node:crypto'
import type { Encryptor } from '../../platform/crypto/index.ts'
import { type Db, sql, values } from '../../platform/db/sql.ts'
import { newId } from '../../platform/ids.ts'

/** What of a trigger stands in the payload of its message (contract 8.3). */
export interface TriggerFacts {
  log_id: string
  trigger_slug: string
  trigger_id: string
  trigger_uuid: string
  connected_account_id: string
  connected_account_uuid: string
  auth_config_id: string
  user_id: string
}

/** A message of a trigger instance. */
export interface TriggerMessage {
  /** What makes it this message among those of its instance, such as the id the application gave it: the same key again is the same event. */
  key: string
  trigger: TriggerFacts
  /** What the application sent, as an object. It is sealed. */
  payload: Readonly<Record<string, unknown>>
}

/** Something else that happened, told in the caller's transaction. What stands in `payload` is sealed, and joins the data when it is delivered. */
export async function tell(
  tx: Db,
  encryptor: Encryptor,
  projectId: string,
  {
    type,
    data,
    payload,
  }: {
    type: string
    data: Readonly<Record<string, unknown>>
    payload?: Readonly<Record<string, unknown>> | undefined
  },
): Promise<void> {
  const id = newId('evt')
  await tx.run(
    sql`insert into events ${values({ id, project_id: projectId, type, data: JSON.stringify(data), encrypted_payload: payload ? encryptor.encrypt(payload, contextOf(id)) : null })}`,
  )
}

const contextOf = (id: string) => `events:${id}:encrypted_payload`
export const openPayload = (encryptor: Encryptor, id: string, encryptedPayload: Buffer): Record<string, unknown> =>
  encryptor.decrypt(encryptedPayload, contextOf(id))

/** 96 bits of a digest: the same project, instance and key always give the same id. */
export const eventIdOf = (projectId: string, orderingKey: string, key: string): string =>
  `evt_${createHash('sha256')
    .update(JSON.stringify([projectId, orderingKey, key]))
    .digest('hex')
    .slice(0, 24)}`

/**
 * Tells messages of a trigger in the caller's transaction, which may be that of a cursor: they are there if it commits, and only then. They are delivered in
 * the order given. Answers how many were new.
 */
export async function emit(
  tx: Db,
  encryptor: Encryptor,
  projectId: string,
  messages: readonly TriggerMessage[],
): Promise<number> {
  const rows = messages.map(({ key, trigger, payload }) => {
    const id = eventIdOf(projectId, trigger.trigger_id, key)
    return {
      id,
      ordering_key: trigger.trigger_id,
      data: JSON.stringify(trigger),
      encrypted_payload: encryptor.encrypt(payload, contextOf(id)),
    }
  })
  if (rows.length === 0) return 0
  return tx.run(sql`
    insert into events (id, project_id, type, ordering_key, data, encrypted_payload)
    select e.id, ${projectId}, 'trigger.message', e.ordering_key, e.data::jsonb, e.encrypted_payload
    from unnest(${rows.map(({ id }) => id)}::text[], ${rows.map((one) => one.ordering_key)}::text[], ${rows.map(({ data }) => data)}::text[], ${rows.map(({ encrypted_payload: encryptedPayload }) => encryptedPayload)}::bytea[])
      with ordinality as e (id, ordering_key, data, encrypted_payload, n)
    order by e.n on conflict (id) do nothing`)
}
