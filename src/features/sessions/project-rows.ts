import { projectRows } from '../../platform/db/project-rows.ts'
import { sql } from '../../platform/db/sql.ts'

/**
 * What the deletion of a project erases, in this order. Versions of recipes and configurations are erased with their
 * owners.
 */
export const sessionsProjectRows = [
  projectRows(sql`recipe_runs`),
  projectRows(sql`recipes`),
  projectRows(sql`user_memories`),
  projectRows(sql`saved_session_configs`),
  projectRows(sql`sandbox_runs`),
  projectRows(sql`session_sandboxes`),
  projectRows(sql`sessions`),
]
