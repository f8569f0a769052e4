import { deleteAccount } from '../../features/connected-accounts/index.ts'
import type { SessionService } from '../../features/sessions/index.ts'
import type { AccountsPart } from './accounts.ts'

const ACCOUNTS_PER_BATCH = 10
const SESSIONS_PER_BATCH = 100

export interface RemoverParts {
  accounts: AccountsPart
  sessions: SessionService
  /** Removes the webhooks of an account at its application. */
  unregisterAccount(projectId: string, id: string): Promise<void>
}

/** Removes a batch of accounts after their webhooks, and revokes their access. Returns how many there were. */
export async function removeAccounts(
  { accounts, unregisterAccount }: RemoverParts,
  projectId: string,
  listIds: (limit: number) => Promise<readonly string[]>,
): Promise<number> {
  const ids = await listIds(ACCOUNTS_PER_BATCH)
  const deps = await accounts.accountDepsOf(projectId)
  for (const id of ids) {
    await unregisterAccount(projectId, id)
    await deleteAccount(deps, projectId, id, true)
  }
  return ids.length
}

/** Removes a batch of sessions of a user, or of all. Returns how many there were. */
export async function removeSessions(
  { sessions }: RemoverParts,
  projectId: string,
  userId?: string,
): Promise<number> {
  const { rows } = await sessions.list(projectId, userId, { limit: SESSIONS_PER_BATCH, offset: 0 })
  for (const { id } of rows) await sessions.remove(projectId, id)
  return rows.length
}
