import { createHash } from 'node:crypto'
import { type Db, sql, values } from '../../platform/db/sql.ts'
import { SETUP_END } from './store.ts'

/** `reconnect`: an account that authenticates again keeps what it has until the walk has brought new credentials. */
export type FlowKind = 'connect' | 'reconnect'

export interface FlowRow {
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
  late: boolean
}
const COLUMNS = sql`state_hash, short_id, project_id, connected_account_id, secrets, kind, browser_hash, browser_toolkit, expires_at, used_at, expires_at < now() as late`

export const hashState = (state: string): Buffer => createHash('sha256').update(state).digest()

export async function insert(
  db: Db,
  row: {
    state_hash: Buffer
    short_id: string
    project_id: string
    connected_account_id: string
    secrets: Buffer
    kind?: FlowKind
    browser_hash?: Buffer
    browser_toolkit?: string | null
  },
): Promise<void> {
  const { browser_hash: browserHash, browser_toolkit: toolkit = null } = row
  if (browserHash && toolkit !== null)
    await endOthers(db, { state_hash: row.state_hash, browser_toolkit: toolkit }, browserHash)
  await db.run(sql`insert into connection_flows ${values({ ...row, expires_at: SETUP_END })}`)
}

// These look-ups begin with a secret instead of a project: whoever holds the secret is who was sent here.
export const byShortId = (db: Db, shortId: string): Promise<FlowRow | undefined> =>
  db.one(sql`select ${COLUMNS} from connection_flows where short_id = ${shortId}`)
export const byState = (db: Db, stateHash: Buffer): Promise<FlowRow | undefined> =>
  db.one(sql`select ${COLUMNS} from connection_flows where state_hash = ${stateHash}`)

/** The browser that opened the link last is the one to come back: something that shows a preview of links may have been there before the user. */
export const bindBrowser = (db: Db, stateHash: Buffer, browserHash: Buffer): Promise<number> =>
  db.run(sql`
  update connection_flows set browser_hash = ${browserHash} where state_hash = ${stateHash} and used_at is null`)

/** A state works once, and in the browser that was sent out with it; answers undefined when it was used, is late, or came with another browser. */
export const claim = (
  db: Db,
  stateHash: Buffer,
  browserHash: Buffer | undefined,
): Promise<FlowRow | undefined> =>
  db.one(sql`
  update connection_flows set used_at = now()
  where state_hash = ${stateHash} and used_at is null and expires_at > now() and (browser_hash is null or browser_hash = ${browserHash ?? null}) returning ${COLUMNS}`)

/** The walk without a state that its user began last is the one: those that were begun before in this browser, with this toolkit, end. */
export const endOthers = (
  db: Db,
  { state_hash, browser_toolkit }: Pick<FlowRow, 'state_hash' | 'browser_toolkit'>,
  browserHash: Buffer,
): Promise<number> =>
  db.run(sql`
  update connection_flows set used_at = now() where browser_hash = ${browserHash} and browser_toolkit = ${browser_toolkit} and state_hash <> ${state_hash} and used_at is null`)

/** As `claim`, for a provider that brings no state: the one walk with this toolkit that is open in this browser. Answers nothing when there are several. */
export const claimOfBrowser = (db: Db, toolkit: string, browserHash: Buffer): Promise<FlowRow | undefined> =>
  db.one(sql`
  with open as (
    select state_hash from connection_flows where browser_hash = ${browserHash} and browser_toolkit = ${toolkit} and used_at is null and expires_at > now() order by state_hash limit 2 for update)
  update connection_flows set used_at = now() where used_at is null and state_hash in (select state_hash from open) and (select count(*) from open) = 1 returning ${COLUMNS}`)

/** How many walks with this toolkit are open in this browser. */
export async function openInBrowser(db: Db, toolkit: string, browserHash: Buffer): Promise<number> {
  const found = await db.one<{ count: number }>(sql`
    select count(*)::int as count from connection_flows where browser_hash = ${browserHash} and browser_toolkit = ${toolkit} and used_at is null and expires_at > now()`)
  return found?.count ?? 0
}

export const removeOld = (db: Db): Promise<number> =>
  db.run(sql`delete from connection_flows where expires_at < now() - interval '1 day'`)
