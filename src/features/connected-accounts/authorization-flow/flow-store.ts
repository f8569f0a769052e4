import { createHash } from 'node:crypto'
import { type Db, sql, values } from '../../../platform/db/sql.ts'
import { SETUP_EXPIRES_AT } from '../state-machine.ts'

/** With `reconnect`, the account keeps its credentials until the flow has new ones. */
export type FlowKind = 'connect' | 'reconnect'

export interface AuthorizationFlowRow {
  state_hash: Buffer
  short_id: string
  project_id: string
  connected_account_id: string
  secrets: Buffer
  kind: FlowKind
  browser_hash: Buffer | null
  browser_toolkit: string | null
  expires_at: Date
  used_at: Date | null
  is_expired: boolean
}
const COLUMNS = sql`
  state_hash, short_id, project_id, connected_account_id, secrets, kind, browser_hash, browser_toolkit, expires_at,
  used_at, expires_at < now() as is_expired`

export const hashState = (state: string): Buffer => createHash('sha256').update(state).digest()

export interface NewFlowRow {
  state_hash: Buffer
  short_id: string
  project_id: string
  connected_account_id: string
  secrets: Buffer
  kind?: FlowKind
  browser_hash?: Buffer
  browser_toolkit?: string | null
}

export async function insertFlow(db: Db, row: NewFlowRow): Promise<void> {
  const { state_hash, browser_hash, browser_toolkit = null } = row
  if (browser_hash && browser_toolkit !== null) {
    await endOtherFlowsInBrowser(db, { state_hash, browser_toolkit }, browser_hash)
  }
  await db.run(sql`insert into authorization_flows ${values({ ...row, expires_at: SETUP_EXPIRES_AT })}`)
}

// These two queries have no project: the secret in the URL identifies the flow.
export const findFlowByShortId = (db: Db, shortId: string): Promise<AuthorizationFlowRow | undefined> =>
  db.one(sql`select ${COLUMNS} from authorization_flows where short_id = ${shortId}`)
export const findFlowByState = (db: Db, stateHash: Buffer): Promise<AuthorizationFlowRow | undefined> =>
  db.one(sql`select ${COLUMNS} from authorization_flows where state_hash = ${stateHash}`)

/**
 * Binds the flow to a browser. The browser that opened the link last is the one that must return: a service
 * that shows previews of links can open it before the user does.
 */
export const bindFlowToBrowser = (db: Db, stateHash: Buffer, browserHash: Buffer): Promise<number> =>
  db.run(sql`
    update authorization_flows set browser_hash = ${browserHash}
    where state_hash = ${stateHash} and used_at is null`)

/** Claims a flow. Returns undefined if it is used or expired, or belongs to another browser. */
export const claimFlowByState = (
  db: Db,
  stateHash: Buffer,
  browserHash: Buffer | undefined,
): Promise<AuthorizationFlowRow | undefined> =>
  db.one(sql`
    update authorization_flows set used_at = now()
    where state_hash = ${stateHash} and used_at is null and expires_at > now()
      and (browser_hash is null or browser_hash = ${browserHash ?? null})
    returning ${COLUMNS}`)

/**
 * Ends the older flows of this browser and toolkit whose provider returns no state: the one that the user
 * started last is the one that counts.
 */
export const endOtherFlowsInBrowser = (
  db: Db,
  { state_hash, browser_toolkit }: Pick<AuthorizationFlowRow, 'state_hash' | 'browser_toolkit'>,
  browserHash: Buffer,
): Promise<number> =>
  db.run(sql`
    update authorization_flows set used_at = now()
    where browser_hash = ${browserHash} and browser_toolkit = ${browser_toolkit}
      and state_hash <> ${state_hash} and used_at is null`)

/**
 * Claims the only open flow of the browser with this toolkit. Returns undefined if there are none or several.
 */
export const claimOnlyFlowInBrowser = (
  db: Db,
  toolkit: string,
  browserHash: Buffer,
): Promise<AuthorizationFlowRow | undefined> =>
  db.one(sql`
    with open as (
      select state_hash from authorization_flows
      where browser_hash = ${browserHash} and browser_toolkit = ${toolkit} and used_at is null and expires_at > now()
      order by state_hash limit 2 for update)
    update authorization_flows set used_at = now()
    where used_at is null and state_hash in (select state_hash from open) and (select count(*) from open) = 1
    returning ${COLUMNS}`)

export async function countOpenFlowsInBrowser(db: Db, toolkit: string, browserHash: Buffer): Promise<number> {
  const row = await db.one<{ count: number }>(sql`
    select count(*)::int as count from authorization_flows
    where browser_hash = ${browserHash} and browser_toolkit = ${toolkit} and used_at is null and expires_at > now()`)
  return row?.count ?? 0
}

/** Removes flows one day after they expired. */
export const removeOldFlows = (db: Db): Promise<number> =>
  db.run(sql`delete from authorization_flows where expires_at < now() - interval '1 day'`)
