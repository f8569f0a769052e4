import type { CatalogOf } from '../../catalog/index.ts'
import type { Db } from '../../platform/db/sql.ts'
import { findSession } from './store.ts'

/** Returns what the authorization pages show of a session, or undefined if it does not exist. */
export async function sessionResource(
  { db, catalogOf }: { db: Db; catalogOf: CatalogOf },
  id: string,
): Promise<{ projectId: string; name: string; toolkits: string[]; userId: string } | undefined> {
  const session = await findSession(db, id)
  if (!session) return undefined
  const catalog = await catalogOf(session.project_id)
  const { toolkits } = session.config
  const slugs = toolkits && 'enable' in toolkits ? toolkits.enable : []
  return {
    projectId: session.project_id,
    name: `Session ${id}`,
    toolkits: slugs.map((slug) => catalog.toolkit(slug)?.name ?? slug),
    userId: session.user_id,
  }
}
