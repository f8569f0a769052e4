import * as contract from '../../contract/users.ts'
import { ApiError, badRequest } from '../../platform/http/api-error.ts'
import type { Api } from '../../platform/http/call.ts'
import { exportUser, type UserExportDeps } from './export-user.ts'
import { startDeletion, type UserDeletionDeps } from './delete-user.ts'
import { readUser, type UserNumbers, type UserReadDeps } from './read-users.ts'
import { searchUsers } from './search.ts'
import * as store from './store.ts'

const LIMIT_DEFAULT = 20
const LIMIT_MAX = 100
const EXPORT_LIMIT_DEFAULT = 200
const EXPORT_LIMIT_MAX = 1_000

export interface UserDeps extends UserDeletionDeps, UserExportDeps, UserReadDeps {
  /** Returns the toolkits of the user's accounts. */
  toolkitsOf(projectId: string, userId: string): Promise<string[]>
  /** Counts what agents stored about the user. */
  countNotes(projectId: string, userId: string): Promise<{ memories: number; recipes: number }>
}

export function userRoutes(api: Api, deps: UserDeps): void {
  const { db } = deps
  api.on(contract.listUsers, async ({ projectId, query }) => {
    const limit = Math.min(query.limit ?? LIMIT_DEFAULT, LIMIT_MAX)
    const after = query.cursor === undefined ? '' : parseCursor(query.cursor)
    const { rows, next } = await searchUsers(deps, projectId, { after, search: query.search, limit })
    return { items: rows.map(presentUser), next_cursor: next === null ? null : formatCursor(next) }
  })
  api.on(contract.exportUser, async ({ projectId, params: { user_id: userId }, body }) =>
    exportUser(
      deps,
      { projectId, userId },
      body.cursor,
      Math.min(body.limit ?? EXPORT_LIMIT_DEFAULT, EXPORT_LIMIT_MAX),
    ),
  )
  api.on(contract.readUser, async ({ projectId, params: { user_id: userId } }) => {
    const [row, toolkits, notes, deletion] = await Promise.all([
      readUser(deps, projectId, userId),
      deps.toolkitsOf(projectId, userId),
      deps.countNotes(projectId, userId),
      store.findLatestDeletion(db, projectId, userId),
    ])
    if (isUnknown(row, notes) && !deletion) throw notFound(userId)
    return { ...presentUser(row), toolkits, ...notes, deletion: deletion ? presentDeletion(deletion) : null }
  })
  api.on(contract.deleteUser, async ({ projectId, params: { user_id: userId } }) => {
    const [row, notes] = await Promise.all([
      readUser(deps, projectId, userId),
      deps.countNotes(projectId, userId),
    ])
    if (isUnknown(row, notes)) throw notFound(userId)
    return presentDeletion(await startDeletion(deps, projectId, userId))
  })
}

const isUnknown = (row: UserNumbers, notes: { memories: number; recipes: number }): boolean =>
  row.accounts + row.sessions + notes.memories + notes.recipes === 0 && row.last_call_at === null

const notFound = (userId: string) => new ApiError('User_NotFound', `User ${userId} not found`)

const presentUser = ({ last_call_at: lastCallAt, ...row }: UserNumbers): contract.UserSummary => ({
  ...row,
  last_call_at: lastCallAt?.toISOString() ?? null,
})

const presentDeletion = ({
  id,
  status,
  removed,
  last_error,
  created_at,
  finished_at,
}: store.DeletionRow): contract.UserDeletion => ({
  id,
  status,
  removed,
  last_error,
  created_at: created_at.toISOString(),
  finished_at: finished_at?.toISOString() ?? null,
})

/** Writes a cursor: the last user of a page. */
const formatCursor = (userId: string): string => Buffer.from(`user-${userId}`).toString('base64url')

function parseCursor(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString()
  if (!text.startsWith('user-') || text.includes('\0'))
    throw badRequest('Error in query.cursor: is not a cursor of this API')
  return text.slice('user-'.length)
}
