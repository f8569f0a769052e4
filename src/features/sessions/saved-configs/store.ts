import { columnEncryption } from '../../../platform/db/encrypted-value.ts'
import { assignments, type Db, sql, values } from '../../../platform/db/sql.ts'
import { type ListPage, newestFirst, type PageWindow, readListPage } from '../../../platform/list-page.ts'
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

const CONFIG = columnEncryption<SavedConfigFilters>('saved_session_configs', 'config')

/** A configuration as its row has it: `config` is that of rows from before configurations were encrypted. */
type StoredRow = Omit<SavedConfigRow, 'config'> & {
  config: SavedConfigFilters | null
  encrypted_config: Buffer | null
}

const COLUMNS = sql`id, name, description, config, encrypted_config, archived, created_at, updated_at`

const toColumns = <T extends { config?: SavedConfigFilters }>(
  projectId: string,
  id: string,
  { config, ...rest }: T,
) => ({
  ...rest,
  ...(config && { config: null, encrypted_config: CONFIG.encrypt(projectId, id, config) }),
})

const fromRow = (db: Db, { encrypted_config: encrypted, config, ...row }: StoredRow): SavedConfigRow => ({
  ...row,
  config: CONFIG.read(db, row.id, encrypted, config) as SavedConfigFilters,
})

/** Undefined when another one has the name. */
export async function insertSavedConfig(
  db: Db,
  projectId: string,
  row: Pick<SavedConfigRow, 'id' | 'name' | 'description' | 'config'>,
): Promise<SavedConfigRow | undefined> {
  const inserted = await db.one<StoredRow>(sql`
  insert into saved_session_configs ${values({ ...toColumns(projectId, row.id, row), project_id: projectId })}
    on conflict do nothing returning ${COLUMNS}`)
  return inserted && fromRow(db, inserted)
}

export async function findSavedConfig(
  db: Db,
  projectId: string,
  id: string,
): Promise<SavedConfigRow | undefined> {
  const found = await db.one<StoredRow>(sql`
  select ${COLUMNS} from saved_session_configs where project_id = ${projectId} and id = ${id}`)
  return found && fromRow(db, found)
}

export async function listSavedConfigs(
  db: Db,
  projectId: string,
  { search, archived }: { search: string | undefined; archived: boolean },
  page: PageWindow,
): Promise<ListPage<SavedConfigRow>> {
  const pattern = search && `%${search.replace(/[\\%_]/g, '\\$&')}%`
  const where = sql`project_id = ${projectId} and archived = ${archived}
      and ${pattern ? sql`(name ilike ${pattern} or description ilike ${pattern})` : sql`true`}`
  const query = { columns: COLUMNS, from: sql`saved_session_configs`, where, order: newestFirst() }
  const { rows, ...rest } = await readListPage<StoredRow>(db, query, page)
  return { rows: rows.map((row) => fromRow(db, row)), ...rest }
}

/** Nothing that is archived has the name, so that only names in use can meet. */
export const isNameInUse = async (db: Db, projectId: string, name: string, id: string): Promise<boolean> =>
  (await db.one(sql`
  select 1 from saved_session_configs where project_id = ${projectId} and name = ${name} and not archived
    and id <> ${id}`)) !== undefined

export async function updateSavedConfig(
  db: Db,
  projectId: string,
  id: string,
  change: Partial<Pick<SavedConfigRow, 'name' | 'description' | 'config' | 'archived'>>,
): Promise<SavedConfigRow | undefined> {
  const updated = await db.one<StoredRow>(sql`
  update saved_session_configs set ${assignments({ ...toColumns(projectId, id, change), updated_at: sql`now()` })}
    where project_id = ${projectId} and id = ${id} returning ${COLUMNS}`)
  return updated && fromRow(db, updated)
}

/** Until the transaction ends, nobody else gives a configuration of the project a name. */
export const lockNames = (tx: Db, projectId: string): Promise<number> =>
  tx.run(sql`select 1 from projects where id = ${projectId} for no key update`)
