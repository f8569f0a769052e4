import { alertsProjectRows } from '../../features/alerts/index.ts'
import { authConfigsProjectRows } from '../../features/auth-configs/index.ts'
import { budgetsProjectRows } from '../../features/budgets/index.ts'
import {
  connectedAccountsProjectRows,
  countPendingRevocations,
  listProjectAccountIds,
} from '../../features/connected-accounts/index.ts'
import { eventsProjectRows } from '../../features/events/index.ts'
import type { FileService } from '../../features/files/index.ts'
import { logsProjectRows } from '../../features/logs/index.ts'
import { mcpAuthorizationProjectRows } from '../../features/mcp-authorization/index.ts'
import { mcpServersProjectRows } from '../../features/mcp-servers/index.ts'
import { membersProjectRows } from '../../features/members/index.ts'
import { policiesProjectRows } from '../../features/policies/index.ts'
import { erasureSchedules, erasureTasks, type ProjectDataRemover } from '../../features/projects/index.ts'
import { rateLimitCooldownsProjectRows } from '../../features/rate-limit-cooldowns/index.ts'
import { sessionsProjectRows } from '../../features/sessions/index.ts'
import { toolkitsProjectRows } from '../../features/toolkits/index.ts'
import { playgroundProjectRows } from '../../features/playground/index.ts'
import { toolsProjectRows } from '../../features/tools/index.ts'
import { triggersProjectRows } from '../../features/triggers/index.ts'
import { usersProjectRows } from '../../features/users/index.ts'
import { webhooksProjectRows } from '../../features/webhooks/index.ts'
import type { ProjectRows } from '../../platform/db/project-rows.ts'
import type { Db } from '../../platform/db/sql.ts'
import type { PlatformPart } from './platform.ts'
import { removeAccounts, type RemoverParts, removeSessions } from './removers.ts'

const ROWS_PER_BATCH = 1_000

/** Tables of the features, those that refer to others before them. A test of the erasure finds what is missing. */
export const ERASED_ROWS: readonly ProjectRows[] = [
  ...budgetsProjectRows,
  ...alertsProjectRows,
  ...policiesProjectRows,
  ...mcpAuthorizationProjectRows,
  ...mcpServersProjectRows,
  ...toolsProjectRows,
  ...logsProjectRows,
  ...triggersProjectRows,
  ...webhooksProjectRows,
  ...eventsProjectRows,
  ...sessionsProjectRows,
  ...connectedAccountsProjectRows,
  ...authConfigsProjectRows,
  ...toolkitsProjectRows,
  ...usersProjectRows,
  ...rateLimitCooldownsProjectRows,
  ...membersProjectRows,
  ...playgroundProjectRows,
]

interface Parts extends RemoverParts {
  platform: PlatformPart
  files: FileService
}

/** The erasure of deleted projects. */
export function wireProjectErasure(parts: Parts) {
  const { db } = parts.platform
  return {
    schedules: erasureSchedules({ db }),
    tasks: erasureTasks({ db, removers: removersOf(parts) }),
  }
}

/** Accounts come first: their access at the providers ends, and is revoked, before anything else is removed. */
function removersOf(parts: Parts): ProjectDataRemover[] {
  const {
    platform: { db },
    files,
  } = parts
  return [
    {
      kind: 'accounts',
      removeBatch: (projectId) =>
        removeAccounts(parts, projectId, (limit) => listProjectAccountIds(db, projectId, limit)),
    },
    { kind: 'open_sessions', removeBatch: (projectId) => removeSessions(parts, projectId) },
    { kind: 'files', removeBatch: (projectId) => files.removeOfProject(projectId) },
    { kind: 'pending_revocations', removeBatch: (projectId) => waitForRevocations(db, projectId) },
    ...ERASED_ROWS.map(({ table, erase }) => ({
      kind: table,
      removeBatch: (projectId: string) => erase(db, projectId, ROWS_PER_BATCH),
    })),
  ]
}

/** Revocations need the account and the auth config. They end after two days at the latest. */
const waitForRevocations = async (db: Db, projectId: string): Promise<number | undefined> =>
  (await countPendingRevocations(db, projectId)) === 0 ? 0 : undefined
