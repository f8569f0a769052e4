import type { CatalogOf } from '../../catalog/index.ts'
import type { Db } from '../../platform/db/sql.ts'
import { findMcpServer } from './store.ts'

/** Returns what the authorization pages show of a server, or undefined if it does not exist. */
export async function serverResource(
  { db, catalogOf }: { db: Db; catalogOf: CatalogOf },
  id: string,
): Promise<{ projectId: string; name: string; toolkits: string[] } | undefined> {
  const server = await findMcpServer(db, id)
  if (!server) return undefined
  const catalog = await catalogOf(server.project_id)
  return {
    projectId: server.project_id,
    name: server.name,
    toolkits: server.all_toolkits.map((slug) => catalog.toolkit(slug)?.name ?? slug),
  }
}
