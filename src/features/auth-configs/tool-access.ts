import type { Db } from '../../platform/db/sql.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { listToolAccess } from './store.ts'

export interface ToolAccess {
  toolkit: string
  /** The tools that may be executed; empty for all tools of the toolkit. */
  tools: readonly string[]
}

/** Returns which tools the auth configs allow. @throws ApiError Auth_Config_NotFound if one does not exist */
export async function requireToolAccess(
  db: Db,
  projectId: string,
  ids: readonly string[],
): Promise<readonly ToolAccess[]> {
  const rows = await listToolAccess(db, projectId, ids)
  const missing = ids.find((id) => !rows.some((row) => row.id === id))
  if (missing) throw new ApiError('Auth_Config_NotFound', `Auth config ${missing} not found`)
  return rows.map((row) => ({ toolkit: row.toolkit_slug, tools: row.tools_available_for_execution }))
}
