import { assignments, type Db, sql, values } from '../../../platform/db/sql.ts'
import type { SessionConfig } from '../config/session-config.ts'

export type SavedConfigFilters = Pick<SessionConfig, 'toolkits' | 'tools' | 'tags'>
export interface SavedConfigRow {
  id: string
  name: string
  description: string
  config: SavedConfigFilters
  archived: boolean
  created_at: Date
  updated_at: Date
}

const COLUMNS = sql`id, name, description, config, archived, created_at, updated_at`
const toColumns = <T extends { config?: SavedConfigFilters }>({ config, ...rest }: T) => ({
  ...rest,
  ...(config === undefined ? {} : { config: JSON.stringify(config) }),
})

/** Undefined when another one has the name. */
export const insertSavedConfig = (
  db: Db,
  projectId: string,
  row: Pick<SavedConfigRow, 'id' | 'name' | 'description' | 'config'>,
): Promise<SavedConfigRow | undefined> =>
  db.one(sql`
  insert into saved_session_configs ${values({ ...toColumns(row), project_id: projectId })}
    on conflict do nothing returning ${COLUMNS}`)

export const findSavedConfig = (db: Db, projectId: string, id: string): Promise<SavedConfigRow | undefined> =>
  db.one(sql`
  select ${COLUMNS} from saved_session_configs where project_id = ${projectId} and id = ${id}`)

export async function listSavedConfigs(
  db: Db,
  projectId: string,
  { search, archived }: { search: string | undefined; archived: boolean },
  page: { limit: number; offset: number },
): Promise<{ rows: SavedConfigRow[]; total: number }> {
  const pattern = search && `%${search.replace(/[\\%_]/g, '\\$&')}%`
  const where = sql`project_id = ${projectId} and archived = ${archived}
      and ${pattern ? sql`(name ilike ${pattern} or description ilike ${pattern})` : sql`true`}`
  const rows = await db.rows<SavedConfigRow>(
    sql`select ${COLUMNS} from saved_session_configs where ${where} order by created_at desc, id
        limit ${page.limit} offset ${page.offset}`,
  )
  const total = await db.one<{ total: number }>(
    sql`select count(*)::int as total from saved_session_configs where ${where}`,
  )
  return { rows, total: total?.total ?? 0 }
}

/** Nothing that is archived has the name, so that only names in use can meet. */
export const isNameInUse = async (db: Db, projectId: string, name: string, id: string): Promise<boolean> =>
  (await db.one(sql`
  select 1 from saved_session_configs where project_id = ${projectId} and name = ${name} and not archived
    and id <> ${id}`)) !== undefined

export const updateSavedConfig = (
  db: Db,
  projectId: string,
  id: string,
  change: Partial<Pick<SavedConfigRow, 'name' | 'description' | 'config' | 'archived'>>,
): Promise<SavedConfigRow | undefined> =>
  db.one(sql`
  update saved_session_configs set ${assignments({ ...toColumns(change), updated_at: sql`now()` })}
    where project_id = ${projectId} and id = ${id} returning ${COLUMNS}`)

/** Until the transaction ends, nobody else gives a configuration of the project a name. */
export const lockNames = (tx: Db, projectId: string): Promise<number> =>
  tx.run(sql`select 1 from projects where id = ${projectId} for no key update`)
