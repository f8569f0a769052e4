import {
  connectedAccountsUserRows,
  deleteAccount,
  listUserAccountIds,
  listUserToolkits,
} from '../../features/connected-accounts/index.ts'
import { countCallsOfUsers, logsUserRows, removeUserLogs } from '../../features/logs/index.ts'
import { mcpAuthorizationUserRows, removeAllUserGrants } from '../../features/mcp-authorization/index.ts'
import { removeUserInstances } from '../../features/mcp-servers/index.ts'
import { policiesUserRows, removeUserApprovals } from '../../features/policies/index.ts'
import {
  countUserNotes,
  removeUserMemories,
  removeUserRecipes,
  type SessionService,
  sessionsUserRows,
} from '../../features/sessions/index.ts'
import { type UserDataRemover, userRoutes, userTasks } from '../../features/users/index.ts'
import type { AccountsPart } from './accounts.ts'
import type { HttpPart } from './http.ts'
import type { PlatformPart } from './platform.ts'

const ACCOUNTS_PER_BATCH = 10
const SESSIONS_PER_BATCH = 100

interface Parts {
  platform: PlatformPart
  httpPart: HttpPart
  accounts: AccountsPart
  sessions: SessionService
  /** Removes the webhooks of an account at its application. */
  unregisterAccount(projectId: string, id: string): Promise<void>
}

/** Users, and the deletion of everything that belongs to one. */
export function wireUsers(parts: Parts) {
  const { db, clock } = parts.platform
  const deps = {
    db,
    encryptor: parts.platform.encryptor,
    exported: [
      ...connectedAccountsUserRows,
      ...sessionsUserRows,
      ...mcpAuthorizationUserRows,
      ...policiesUserRows,
      ...logsUserRows,
    ],
    removers: removersOf(parts),
    toolkitsOf: (projectId: string, userId: string) => listUserToolkits(db, projectId, userId),
    countNotes: (projectId: string, userId: string) => countUserNotes(db, projectId, userId),
    countCalls: (projectId: string, userIds: readonly string[]) =>
      countCallsOfUsers(db, projectId, userIds, clock.now()),
  }
  userRoutes(parts.httpPart.api, deps)
  return { tasks: userTasks(deps) }
}

/** Accounts come first: their access at the providers ends before anything else is removed. */
function removersOf({ platform: { db }, accounts, sessions, unregisterAccount }: Parts): UserDataRemover[] {
  return [
    {
      kind: 'accounts',
      async removeBatch(projectId, userId) {
        const ids = await listUserAccountIds(db, projectId, userId, ACCOUNTS_PER_BATCH)
        const deps = await accounts.accountDepsOf(projectId)
        for (const id of ids) {
          await unregisterAccount(projectId, id)
          await deleteAccount(deps, projectId, id, true)
        }
        return ids.length
      },
    },
    {
      kind: 'sessions',
      async removeBatch(projectId, userId) {
        const { rows } = await sessions.list(projectId, userId, { limit: SESSIONS_PER_BATCH, offset: 0 })
        for (const { id } of rows) await sessions.remove(projectId, id)
        return rows.length
      },
    },
    { kind: 'memories', removeBatch: (projectId, userId) => removeUserMemories(db, projectId, userId) },
    { kind: 'recipes', removeBatch: (projectId, userId) => removeUserRecipes(db, projectId, userId) },
    { kind: 'mcp_sign_ins', removeBatch: (projectId, userId) => removeAllUserGrants(db, projectId, userId) },
    { kind: 'mcp_instances', removeBatch: (projectId, userId) => removeUserInstances(db, projectId, userId) },
    { kind: 'approvals', removeBatch: (projectId, userId) => removeUserApprovals(db, projectId, userId) },
    { kind: 'executions', removeBatch: (projectId, userId) => removeUserLogs(db, projectId, userId) },
  ]
}
