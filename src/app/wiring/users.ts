import {
  connectedAccountsUserRows,
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
  sessionsUserRows,
} from '../../features/sessions/index.ts'
import { type UserDataRemover, userRoutes, userTasks } from '../../features/users/index.ts'
import type { HttpPart } from './http.ts'
import type { PlatformPart } from './platform.ts'
import { removeAccounts, type RemoverParts, removeSessions } from './removers.ts'

interface Parts extends RemoverParts {
  platform: PlatformPart
  httpPart: HttpPart
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
function removersOf(parts: Parts): UserDataRemover[] {
  const { db } = parts.platform
  return [
    {
      kind: 'accounts',
      removeBatch: (projectId, userId) =>
        removeAccounts(parts, projectId, (limit) => listUserAccountIds(db, projectId, userId, limit)),
    },
    { kind: 'sessions', removeBatch: (projectId, userId) => removeSessions(parts, projectId, userId) },
    { kind: 'memories', removeBatch: (projectId, userId) => removeUserMemories(db, projectId, userId) },
    { kind: 'recipes', removeBatch: (projectId, userId) => removeUserRecipes(db, projectId, userId) },
    { kind: 'mcp_sign_ins', removeBatch: (projectId, userId) => removeAllUserGrants(db, projectId, userId) },
    { kind: 'mcp_instances', removeBatch: (projectId, userId) => removeUserInstances(db, projectId, userId) },
    { kind: 'approvals', removeBatch: (projectId, userId) => removeUserApprovals(db, projectId, userId) },
    { kind: 'executions', removeBatch: (projectId, userId) => removeUserLogs(db, projectId, userId) },
  ]
}
