import { type Db, sql } from '../../../platform/db/sql.ts'
import { INSTANCE_TABLES } from './store.ts'
import { type StoredConfig, withConfig } from './stored-config.ts'

/** What messages of the realtime channel contain in addition to the event. */
export interface TriggerFacts {
  id: string
  toolkit_slug: string
  config: Readonly<Record<string, unknown>>
  auth_config_uuid: string
  account_status: string
}

/** Returns the instances of a project by id, deleted ones included. */
export async function findTriggerFacts(
  db: Db,
  projectId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, TriggerFacts>> {
  const rows = await db.rows<Omit<TriggerFacts, 'config'> & StoredConfig>(sql`
    select i.id, i.toolkit_slug, i.config, i.encrypted_config, a.uuid as auth_config_uuid, c.status as account_status
    from ${INSTANCE_TABLES}
    where i.project_id = ${projectId} and i.id = any(${ids as string[]}::text[])`)
  return new Map(rows.map((row) => [row.id, withConfig(db, row)]))
}
