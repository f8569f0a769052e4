import { nextVersion } from '../../../catalog/importers/index.ts'
import { type Pool, sql } from '../../../platform/db/sql.ts'
import * as store from './store.ts'

/** A toolkit of the instance that was judged and compressed already, elsewhere: see `packContent` for the bytes, `Snapshot` for the digest. */
export interface ReadyToolkit {
  readonly slug: string
  readonly digest: string
  readonly content: Uint8Array
  readonly tools: number
  /** Operation to tool slug. */
  readonly origins: Readonly<Record<string, string>>
  readonly quarantined: readonly { readonly slug: string; readonly reason: string }[]
  /** What the version is, for the changelog. */
  readonly changes: string
  readonly source: { readonly kind: string; readonly address: string }
}

/** What became of one: its content is that of the newest version (`unchanged`), a further version, or the first. */
export type ReadyOutcome = 'added' | 'changed' | 'unchanged'

/** Stores toolkits of the instance in one transaction, and tells nobody: `announceInstance` does, once for many. */
export function putReady(db: Pool, ready: readonly ReadyToolkit[], now: number): Promise<ReadyOutcome[]> {
  return db.begin(async (tx) => {
    await store.lockForChange(tx, null, 'add')
    const outcomes: ReadyOutcome[] = []
    for (const one of ready) {
      const versions = await store.versionsOfToolkit(tx, null, one.slug)
      const [newest] = versions
      if (newest?.digest === one.digest) {
        // What it was read from last, so that it is not read again.
        await tx.run(
          sql`update toolkit_versions set source_kind = ${one.source.kind}, source_url = ${one.source.address} where id = ${newest.id}`,
        )
        outcomes.push('unchanged')
        continue
      }
      const toolkit =
        (await store.findToolkit(tx, null, one.slug)) ?? (await store.insertToolkit(tx, null, one.slug))
      await store.insertVersion(
        tx,
        null,
        toolkit,
        {
          version: nextVersion(
            versions.map(({ version }) => version),
            now,
          ),
          digest: one.digest,
          changes: one.changes,
          source_kind: one.source.kind,
          source_url: one.source.address,
          tools_count: one.tools,
          size: one.content.length,
          quarantined: [...one.quarantined],
        },
        Buffer.from(one.content.buffer, one.content.byteOffset, one.content.length),
        { ...toolkit.origins, ...one.origins },
      )
      outcomes.push(newest ? 'changed' : 'added')
    }
    return outcomes
  })
}

/** Tells every process that toolkits of the instance changed. */
export const announceInstance = (db: Pool): Promise<void> => store.announce(db, null)

/** The newest version of each toolkit of the instance that came from sources of a kind. */
export function ofKind(db: Pool, kind: string): Promise<InstanceToolkit[]> {
  return db.rows(sql`
    select distinct on (t.slug) t.slug, v.version, v.source_url as address, v.tools_count as tools, v.size, v.created_at,
      exists (select 1 from auth_configs a where a.toolkit_slug = t.slug and a.deleted_at is null) as used
    from toolkits t join toolkit_versions v on v.toolkit_id = t.id where t.project_id is null and v.project_id is null and v.source_kind = ${kind} order by t.slug, v.version desc`)
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

/** Tool slugs by operation, of some toolkits of the instance. */
export async function originsOf(
  db: Pool,
  slugs: readonly string[],
): Promise<Map<string, ReadonlyMap<string, string>>> {
  const rows = await db.rows<{ slug: string; origins: Record<string, string> }>(
    sql`select slug, origins from toolkits where project_id is null and slug = any(${slugs})`,
  )
  return new Map(rows.map(({ slug, origins }) => [slug, new Map(Object.entries(origins))]))
}

/** Takes toolkits of the instance away, but for those that auth configs of any project use. Answers the slugs of those that went. */
export function removeFromInstance(db: Pool, slugs: readonly string[]): Promise<string[]> {
  return db.begin(async (tx) => {
    await store.lockForChange(tx, null, 'remove')
    const gone = await tx.rows<{ slug: string }>(sql`
      delete from toolkits t where t.project_id is null and t.slug = any(${slugs})
        and not exists (select 1 from auth_configs a where a.toolkit_slug = t.slug and a.deleted_at is null) returning t.slug`)
    await tx.run(
      sql`delete from toolkit_contents c where not exists (select 1 from toolkit_versions v where v.digest = c.digest)`,
    )
    await store.announce(tx, null)
    return gone.map(({ slug }) => slug)
  })
}
