import type { Values } from '../../auth-schemes/index.ts'
import { mayArrive } from './arrival.ts'
import type { AccountDeps } from './deps.ts'
import type { FlowRow } from './flow-store.ts'
import type { Kept } from './reauthentication.ts'
import { type AccountRow, find, move } from './store.ts'

const NOTHING_KEPT: Kept = { val: {}, requested_scopes: [], requested_user_scopes: [] }

/** What a walk on an account that stood before keeps until its end; a first walk has stored all with the account. */
export const keptBy = (secrets: Values): Kept => (secrets['kept'] as Kept | undefined) ?? NOTHING_KEPT

/** Whether the end of this walk can still bring credentials to the account. A first walk never writes over an account that is connected. */
export const mayFinish = ({ kind }: FlowRow, row: AccountRow): boolean => mayArrive(kind, row)

/** The browser goes to the provider: a first walk is noted, an account that works meanwhile stays as it is. False when the account waits for no walk. */
export async function sendOff({ db }: AccountDeps, flow: FlowRow): Promise<boolean> {
  const { project_id, connected_account_id, kind } = flow
  return (
    (await move(db, project_id, connected_account_id, 'send')) ||
    (kind === 'reconnect' && (await find(db, project_id, connected_account_id))?.status === 'ACTIVE')
  )
}
