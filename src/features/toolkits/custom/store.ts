import { publishChange } from '../../../platform/change-bus.ts'
import { type Db, sql } from '../../../platform/db/sql.ts'

/** Owner of toolkits: a project ID, or null for the instance. */
export type ToolkitOwner = string | null

export interface ToolkitVersionRow {
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

// `is not distinct from` uses no index for null, so each kind of owner has its own condition.
const owned = (owner: ToolkitOwner, column: 'v' | 't') =>
  column === 'v'
    ? owner === null
      ? sql`v.project_id is null`
      : sql`v.project_id = ${owner}`
    : owner === null
      ? sql`t.project_id is null`
      : sql`t.project_id = ${owner}`

const COLUMNS = sql`v.id, t.slug, v.version, v.digest, v.changes, v.source_kind, v.source_url,
    v.tools_count, v.size, v.quarantined, v.created_at, t.created_at as toolkit_created_at`

/**
 * Changes with every added or deleted version: IDs only grow, so equal count and greatest ID mean equal rows.
 */
export const readRevision = async (db: Db, owner: ToolkitOwner): Promise<string> => {
  const row = await db.one<{ count: number; newest: number | null }>(
    sql`select count(*)::int as count, max(v.id) as newest from toolkit_versions v where ${owned(owner, 'v')}`,
  )
  return `${row?.count}.${row?.newest ?? 0}`
}

/** Lists all versions of all toolkits, newest first within each. */
export const listVersions = (db: Db, owner: ToolkitOwner): Promise<ToolkitVersionRow[]> =>
  db.rows(sql`
  select ${COLUMNS} from toolkit_versions v join toolkits t on t.id = v.toolkit_id
    where ${owned(owner, 'v')} order by t.slug, v.version desc`)

/** Lists the versions of one toolkit, newest first. */
export const listVersionsOfToolkit = (
  db: Db,
  owner: ToolkitOwner,
  slug: string,
): Promise<ToolkitVersionRow[]> =>
  db.rows(sql`
  select ${COLUMNS} from toolkit_versions v join toolkits t on t.id = v.toolkit_id
    where ${owned(owner, 't')} and t.slug = ${slug} order by v.version desc`)

/** Finds the digest of the newest version of a toolkit, and the JSON of its tool slugs by operation. */
export const findNewestVersion = (
  db: Db,
  owner: ToolkitOwner,
  slug: string,
): Promise<{ digest: string; origins: string } | undefined> =>
  db.one(sql`
  select v.digest, t.origins::text as origins from toolkit_versions v join toolkits t on t.id = v.toolkit_id
    where ${owned(owner, 't')} and t.slug = ${slug} order by v.version desc limit 1`)

export const findContent = async (db: Db, digest: string): Promise<Buffer | undefined> =>
  (await db.one<{ bytes: Buffer }>(sql`select bytes from toolkit_contents where digest = ${digest}`))?.bytes

export const listDigests = async (db: Db): Promise<string[]> =>
  (await db.rows<{ digest: string }>(sql`select digest from toolkit_contents`)).map(({ digest }) => digest)

export interface ToolkitRow {
  id: number
}

export const findToolkit = (db: Db, owner: ToolkitOwner, slug: string): Promise<ToolkitRow | undefined> =>
  db.one(sql`select t.id from toolkits t where ${owned(owner, 't')} and t.slug = ${slug}`)

/**
 * Allows one writer per owner until the transaction ends. Contents cannot be deleted while another owner adds
 * some.
 */
export async function lockForChange(tx: Db, owner: ToolkitOwner, change: 'add' | 'remove'): Promise<void> {
  await tx.rows(sql`select pg_advisory_xact_lock(hashtextextended(${`toolkits:${owner ?? ''}`}, 0))`)
  await tx.rows(
    change === 'add'
      ? sql`select pg_advisory_xact_lock_shared(hashtextextended('toolkit contents', 0))`
      : sql`select pg_advisory_xact_lock(hashtextextended('toolkit contents', 0))`,
  )
}

export const insertToolkit = async (tx: Db, owner: ToolkitOwner, slug: string): Promise<ToolkitRow> =>
  (await tx.one<ToolkitRow>(
    sql`insert into toolkits (project_id, slug) values (${owner}, ${slug}) returning id`,
  ))!

/** Inserts a version. `origins` is the JSON of its tool slugs by operation, which are added to those of the toolkit. */
export async function insertVersion(
  tx: Db,
  owner: ToolkitOwner,
  toolkit: ToolkitRow,
  version: Omit<ToolkitVersionRow, 'id' | 'slug' | 'created_at' | 'toolkit_created_at'>,
  content: Buffer,
  origins: string,
): Promise<void> {
  await tx.run(
    sql`insert into toolkit_contents (digest, bytes) values (${version.digest}, ${content})
        on conflict (digest) do nothing`,
  )
  await tx.run(sql`
    insert into toolkit_versions (toolkit_id, project_id, version, digest, changes, source_kind,
      source_url, tools_count, size, quarantined)
    values (${toolkit.id}, ${owner}, ${version.version}, ${version.digest}, ${version.changes},
      ${version.source_kind}, ${version.source_url}, ${version.tools_count}, ${version.size},
      ${JSON.stringify(version.quarantined)})`)
  await tx.run(sql`update toolkits set origins = origins || ${origins}::jsonb where id = ${toolkit.id}`)
}

/** Counts the auth configs of a project for a toolkit. */
export const countAuthConfigs = async (tx: Db, owner: ToolkitOwner, slug: string): Promise<number> =>
  owner === null
    ? 0
    : (await tx.one<{ count: number }>(
        sql`select count(*)::int as count from auth_configs where project_id = ${owner}
            and toolkit_slug = ${slug} and deleted_at is null`,
      ))!.count

/** Lists the connected accounts of a project for a toolkit. */
export const listAccountIds = async (tx: Db, projectId: string, slug: string): Promise<string[]> =>
  (
    await tx.rows<{ id: string }>(
      sql`select id from connected_accounts where project_id = ${projectId} and toolkit_slug = ${slug}
          and deleted_at is null order by id`,
    )
  ).map(({ id }) => id)

/** Deletes a toolkit with all its versions, and contents that no version uses. */
export async function deleteToolkit(tx: Db, toolkit: ToolkitRow): Promise<void> {
  const digests = (
    await tx.rows<{ digest: string }>(
      sql`select distinct digest from toolkit_versions where toolkit_id = ${toolkit.id}`,
    )
  ).map(({ digest }) => digest)
  await tx.run(sql`delete from toolkits where id = ${toolkit.id}`)
  await tx.run(
    sql`delete from toolkit_contents c where c.digest = any(${digests}) and not exists (select 1
        from toolkit_versions v where v.digest = c.digest)`,
  )
}

/** Notifies all processes, after the commit, that toolkits of an owner changed. */
export const announceChange = async (tx: Db, owner: ToolkitOwner): Promise<void> => {
  await publishChange(tx, { kind: 'toolkits_changed', projectId: owner })
}
