import { nextVersion } from '../../../catalog/importers/versions/index.ts'
import { type Pool, sql } from '../../../platform/db/sql.ts'
import * as store from './store.ts'

/**
 * A toolkit of the instance that is already validated and compressed (see `packContent`; digest of
 * `Snapshot`).
 */
export interface PrebuiltToolkit {
  readonly slug: string
  readonly digest: string
  readonly content: Uint8Array
  readonly tools: number
  /** Tool slugs by operation. */
  readonly origins: Readonly<Record<string, string>>
  readonly quarantined: readonly { readonly slug: string; readonly reason: string }[]
  /** Text for the changelog. */
  readonly changes: string
  readonly source: { readonly kind: string; readonly address: string }
}

/** Result for one toolkit: the first version, a further version, or the same content as the newest version. */
export type PrebuiltOutcome = 'added' | 'changed' | 'unchanged'

/**
 * Stores toolkits in one transaction, without notification: call `announceInstanceToolkits` once afterwards.
 */
export function storePrebuilt(
  db: Pool,
  toolkits: readonly PrebuiltToolkit[],
  now: number,
): Promise<PrebuiltOutcome[]> {
  return db.begin(async (tx) => {
    await store.lockForChange(tx, null, 'add')
    const outcomes: PrebuiltOutcome[] = []
    for (const prebuilt of toolkits) {
      const versions = await store.listVersionsOfToolkit(tx, null, prebuilt.slug)
      const [newest] = versions
      if (newest?.digest === prebuilt.digest) {
        // Records the latest source, so that it is not read again.
        await tx.run(
          sql`update toolkit_versions set source_kind = ${prebuilt.source.kind},
              source_url = ${prebuilt.source.address} where id = ${newest.id}`,
        )
        outcomes.push('unchanged')
        continue
      }
      const toolkit =
        (await store.findToolkit(tx, null, prebuilt.slug)) ??
        (await store.insertToolkit(tx, null, prebuilt.slug))
      await store.insertVersion(
        tx,
        null,
        toolkit,
        {
          version: nextVersion(
            versions.map(({ version }) => version),
            now,
          ),
          digest: prebuilt.digest,
          changes: prebuilt.changes,
          source_kind: prebuilt.source.kind,
          source_url: prebuilt.source.address,
          tools_count: prebuilt.tools,
          size: prebuilt.content.length,
          quarantined: [...prebuilt.quarantined],
        },
        Buffer.from(prebuilt.content.buffer, prebuilt.content.byteOffset, prebuilt.content.length),
        JSON.stringify(prebuilt.origins),
      )
      outcomes.push(newest ? 'changed' : 'added')
    }
    return outcomes
  })
}

/** Notifies all processes that toolkits of the instance changed. */
export const announceInstanceToolkits = (db: Pool): Promise<void> => store.announceChange(db, null)

/** Lists the newest version of each toolkit of the instance from sources of a kind. */
export function listInstanceToolkits(db: Pool, kind: string): Promise<InstanceToolkit[]> {
  return db.rows(sql`
    select distinct on (t.slug) t.slug, v.version, v.source_url as address, v.tools_count as tools, v.size,
      v.created_at,
      exists (select 1 from auth_configs a where a.toolkit_slug = t.slug and a.deleted_at is null) as used
    from toolkits t join toolkit_versions v on v.toolkit_id = t.id where t.project_id is null
      and v.project_id is null and v.source_kind = ${kind} order by t.slug, v.version desc`)
}

export interface InstanceToolkit {
  slug: string
  version: string
  address: string
  tools: number
  size: number
  created_at: Date
  used: boolean
}

/** Finds the tool slugs by operation, for some toolkits of the instance. */
export async function findInstanceOrigins(
  db: Pool,
  slugs: readonly string[],
): Promise<Map<string, ReadonlyMap<string, string>>> {
  const rows = await db.rows<{ slug: string; origins: Record<string, string> }>(
    sql`select slug, origins from toolkits where project_id is null and slug = any(${slugs})`,
  )
  return new Map(rows.map(({ slug, origins }) => [slug, new Map(Object.entries(origins))]))
}

/** Deletes toolkits of the instance that no auth config uses. Returns the slugs of the deleted ones. */
export function deleteInstanceToolkits(db: Pool, slugs: readonly string[]): Promise<string[]> {
  return db.begin(async (tx) => {
    await store.lockForChange(tx, null, 'remove')
    const deleted = await tx.rows<{ slug: string }>(sql`
      delete from toolkits t where t.project_id is null and t.slug = any(${slugs})
        and not exists (select 1 from auth_configs a where a.toolkit_slug = t.slug
          and a.deleted_at is null) returning t.slug`)
    await tx.run(
      sql`delete from toolkit_contents c where not exists (select 1 from toolkit_versions v where v.digest = c.digest)`,
    )
    await store.announceChange(tx, null)
    return deleted.map(({ slug }) => slug)
  })
}
