import { runBatch } from '../../../platform/db/run-batch.ts'
import { type Db, sql } from '../../../platform/db/sql.ts'

/** Owner of a tool: a project ID, or null for the instance. */
export type VectorOwner = string | null

const UNUSED_DAYS = 30

/** Digests are in hex, vectors packed (`packVector`). */
export interface StoredVector {
  digest: string
  vector: Buffer
}

const ownedBy = (owner: VectorOwner) => sql`coalesce(project_id, '') = ${owner ?? ''}`

/** Returns the vectors of a model for texts with these digests, and records that they are used. */
export async function findVectors(
  db: Db,
  owner: VectorOwner,
  model: string,
  digests: readonly string[],
): Promise<StoredVector[]> {
  const chosen = sql`${ownedBy(owner)} and model = ${model} and text_digest in (
    select decode(hex, 'hex') from unnest(${digests as string[]}::text[]) as hex)`
  await db.run(sql`
    update tool_embeddings set used_on = current_date where ${chosen} and used_on < current_date`)
  return db.rows(sql`
    select encode(text_digest, 'hex') as digest, vector from tool_embeddings where ${chosen}`)
}

/** Stores vectors. One that another process stored meanwhile stays. */
export async function insertVectors(
  db: Db,
  owner: VectorOwner,
  model: string,
  vectors: readonly { digest: string; vector: Uint8Array }[],
): Promise<void> {
  const rows = vectors.map(({ digest, vector }) => ({
    digest,
    vector: Buffer.from(vector).toString('base64'),
  }))
  await db.run(sql`
    insert into tool_embeddings (project_id, model, text_digest, vector)
    select ${owner}, ${model}, decode(digest, 'hex'), decode(vector, 'base64')
    from json_to_recordset(${JSON.stringify(rows)}::json) as v (digest text, vector text)
    on conflict do nothing`)
}

/** Removes a batch of vectors that no server used for 30 days. Returns whether there may be more. */
export const removeUnusedVectors = (db: Db): Promise<boolean> =>
  runBatch(
    db,
    (limit) => sql`
    delete from tool_embeddings where ctid = any(array(
      select ctid from tool_embeddings where used_on < current_date - ${UNUSED_DAYS}::int
      limit ${limit}))`,
  )
