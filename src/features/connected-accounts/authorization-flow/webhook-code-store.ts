import { createHash } from 'node:crypto'
import { type Db, sql } from '../../../platform/db/sql.ts'
import { SETUP_EXPIRES_AT } from '../state-machine.ts'

/**
 * A code from a webhook and the flow that it belongs to; whichever comes first waits for the other. `code`
 * and `returned` (the parameters of the browser's callback) are encrypted.
 */
export interface WebhookCodeRow {
  id: string
  state_hash: Buffer | null
  returned: Buffer | null
  code: Buffer | null
  is_expired: boolean
}
const COLUMNS = sql`id, state_hash, returned, code, expires_at < now() as is_expired`

/** The id of a code: the value that webhook and callback share, within one auth config. */
export const webhookCodeId = (authConfigId: string, match: string): string =>
  createHash('sha256').update(`${authConfigId}\0${match}`).digest('hex')

export const findWebhookCode = (db: Db, projectId: string, id: string): Promise<WebhookCodeRow | undefined> =>
  db.one(sql`select ${COLUMNS} from webhook_codes where project_id = ${projectId} and id = ${id}`)

/**
 * Stores the code of the provider. Returns undefined if a code was stored before or the row is expired;
 * `state_hash` is set if the browser is back already.
 */
export const storeCode = (
  db: Db,
  projectId: string,
  id: string,
  code: Buffer,
): Promise<WebhookCodeRow | undefined> =>
  db.one(sql`
    insert into webhook_codes as c (id, project_id, code, expires_at)
    values (${id}, ${projectId}, ${code}, ${SETUP_EXPIRES_AT})
    on conflict (id) do update set code = excluded.code
    where c.project_id = excluded.project_id and c.code is null and c.expires_at > now() returning ${COLUMNS}`)

/**
 * Stores that the browser is back. Returns undefined if another flow came back with the same value or the row
 * is expired; `code` is set if the webhook came already.
 */
export const storeReturnedBrowser = (
  db: Db,
  projectId: string,
  id: string,
  { state_hash: stateHash, returned }: { state_hash: Buffer; returned: Buffer },
): Promise<WebhookCodeRow | undefined> =>
  db.one(sql`
    insert into webhook_codes as c (id, project_id, state_hash, returned, expires_at)
    values (${id}, ${projectId}, ${stateHash}, ${returned}, ${SETUP_EXPIRES_AT})
    on conflict (id) do update set state_hash = excluded.state_hash, returned = excluded.returned
    where c.project_id = excluded.project_id and c.state_hash is null and c.expires_at > now() returning ${COLUMNS}`)

/**
 * Whether the auth config has a flow in progress, so that a code can come before its browser is back. A flow
 * that was just claimed counts.
 */
export const hasFlowInProgress = async (db: Db, projectId: string, authConfigId: string): Promise<boolean> =>
  (await db.one(sql`
    select 1 from authorization_flows f
    join connected_accounts c on c.id = f.connected_account_id and c.project_id = f.project_id
    where f.project_id = ${projectId} and c.auth_config_id = ${authConfigId} and c.deleted_at is null
      and f.expires_at > now() limit 1`)) !== undefined

/** Whether a flow whose browser is back still waits for its code. */
export const isWaitingForCode = async (db: Db, projectId: string, stateHash: Buffer): Promise<boolean> =>
  (await db.one(sql`
    select 1 from webhook_codes
    where project_id = ${projectId} and state_hash = ${stateHash} and code is null`)) !== undefined

/**
 * Finds the project of an auth config by its public id. The caller verifies a signature before it changes
 * anything.
 */
export async function findProjectOfAuthConfig(db: Db, authConfigId: string): Promise<string | undefined> {
  const row = await db.one<{ project_id: string }>(sql`
    select project_id from auth_configs
    where id = ${authConfigId} and deleted_at is null and status = 'ENABLED'`)
  return row?.project_id
}

/** Removes codes one day after they expired; until then, a webhook that is sent again is recognized. */
export const removeOldWebhookCodes = (db: Db): Promise<number> =>
  db.run(sql`delete from webhook_codes where expires_at < now() - interval '1 day'`)
