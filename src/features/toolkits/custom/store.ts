import { type Db, sql } from '../../../platform/db/sql.ts'

/** Whose toolkits: a project's id, or null for those of the instance. */
export type Owner = string | null

export interface VersionRow {
  id: number
  slug: string
  version: string
  digest: string
  changes: string
  source_kind: string
  source_url: string | null
  tools_count: number
  size: number
  quarantined: { slug: string; reason: string }[]
  created_at: Date
  toolkit_created_at: Date
}

// `is not distinct from` uses no index for a null, so each kind of owner has its own words.
const owned = (owner: Owner, column: 'v' | 't') =>
  column === 'v'
    ? owner === null
      ? sql`v.project_id is null`
      : sql`v.project_id = ${owner}`
    : owner === null
      ? sql`t.project_id is null`
      : sql`t.project_id = ${owner}`

const COLUMNS = sql`v.id, t.slug, v.version, v.digest, v.changes, v.source_kind, v.source_url, v.tools_count, v.size, v.quarantined, v.created_at, t.created_at as toolkit_created_at`

/** Changes with every version that comes or goes: ids only grow, so the same number of rows with the same greatest id are the same rows. */
export const revisionOf = async (db: Db, owner: Owner): Promise<string> => {
  const row = await db.one<{ count: number; newest: number | null }>(
    sql`select count(*)::int as count, max(v.id) as newest from toolkit_versions v where ${owned(owner, 'v')}`,
  )
  return `${row?.count}.${row?.newest ?? 0}`
}

/** Every version of every toolkit, newest first within each. */
export const versionsOf = (db: Db, owner: Owner): Promise<VersionRow[]> =>
  db.rows(sql`
  select ${COLUMNS} from toolkit_versions v join toolkits t on t.id = v.toolkit_id where ${owned(owner, 'v')} order by t.slug, v.version desc`)

/** The versions of one toolkit, newest first. */
export const versionsOfToolkit = (db: Db, owner: Owner, slug: string): Promise<VersionRow[]> =>
  db.rows(sql`
  select ${COLUMNS} from toolkit_versions v join toolkits t on t.id = v.toolkit_id where ${owned(owner, 't')} and t.slug = ${slug} order by v.version desc`)

export const contentOf = async (db: Db, digest: string): Promise<Buffer | undefined> =>
  (await db.one<{ bytes: Buffer }>(sql`select bytes from toolkit_contents where digest = ${digest}`))?.bytes

export const digests = async (db: Db): Promise<string[]> =>
  (await db.rows<{ digest: string }>(sql`select digest from toolkit_contents`)).map(({ digest }) => digest)

export interface ToolkitRow {
  id: number
  origins: Record<string, string>
}

export const findToolkit = (db: Db, owner: Owner, slug: string): Promise<ToolkitRow | undefined> =>
  db.one(sql`select t.id, t.origins from toolkits t where ${owned(owner, 't')} and t.slug = ${slug}`)

/** One writer for each owner at a time, until the transaction ends. Whoever adds keeps contents from being taken away meanwhile. */
export async function lockForChange(tx: Db, owner: Owner, change: 'add' | 'remove'): Promise<void> {
  await tx.rows(sql`select pg_advisory_xact_lock(hashtextextended(${`toolkits:${owner ?? ''}`}, 0))`)
  await tx.rows(
    change === 'add'
      ? sql`select pg_advisory_xact_lock_shared(hashtextextended('toolkit contents', 0))`
      : sql`select pg_advisory_xact_lock(hashtextextended('toolkit contents', 0))`,
  )
}

export const insertToolkit = async (tx: Db, owner: Owner, slug: string): Promise<ToolkitRow> =>
  (await tx.one<ToolkitRow>(
    sql`insert into toolkits (project_id, slug) values (${owner}, ${slug}) returning id, origins`,
  ))!

export async function insertVersion(
  tx: Db,
  owner: Owner,
  toolkit: ToolkitRow,
  version: Omit<VersionRow, 'id' | 'slug' | 'created_at' | 'toolkit_created_at'>,
  content: Buffer,
  origins: Readonly<Record<string, string>>,
): Promise<void> {
  await tx.run(
    sql`insert into toolkit_contents (digest, bytes) values (${version.digest}, ${content}) on conflict (digest) do nothing`,
  )
  await tx.run(sql`
    insert into toolkit_versions (toolkit_id, project_id, version, digest, changes, source_kind, source_url, tools_count, size, quarantined)
    values (${toolkit.id}, ${owner}, ${version.version}, ${version.digest}, ${version.changes}, ${version.source_kind}, ${version.source_url}, ${version.tools_count}, ${version.size}, ${JSON.stringify(version.quarantined)})`)
  await tx.run(sql`update toolkits set origins = ${JSON.stringify(origins)} where id = ${toolkit.id}`)
}

/** How many auth configs a project has of a toolkit. */
export const authConfigsOf = async (tx: Db, owner: Owner, slug: string): Promise<number> =>
  owner === null
    ? 0
    : (await tx.one<{ count: number }>(
        sql`select count(*)::int as count from auth_configs where project_id = ${owner} and toolkit_slug = ${slug} and deleted_at is null`,
      ))!.count

/** Takes a toolkit away with all its versions, and contents that nobody has any more. */
export async function deleteToolkit(tx: Db, toolkit: ToolkitRow): Promise<void> {
  const digests = (
    await tx.rows<{ digest: string }>(
      sql`select distinct digest from toolkit_versions where toolkit_id = ${toolkit.id}`,
    )
  ).map(({ digest }) => digest)
  await tx.run(sql`delete from toolkits where id = ${toolkit.id}`)
  await tx.run(
    sql`delete from toolkit_contents c where c.digest = any(${digests}) and not exists (select 1 from toolkit_versions v where v.digest = c.digest)`,
  )
}

/** Tells every process that an owner's toolkits changed, once the transaction commits. */
export const announce = async (tx: Db, owner: Owner): Promise<void> => {
  await tx.rows(sql`select pg_notify('changed', ${`toolkits:${owner ?? ''}`})`)
}
