import { createHash } from 'node:crypto'
import { type Db, sql } from '../../../platform/db/sql.ts'

/**
 * Uses an assertion or a proof, once in all processes. Returns whether this is the first use.
 * @param kind separates ids of different kinds
 * @param holder the client or the key whose id it is
 */
export const claimProof = async (
  db: Db,
  {
    kind,
    holder,
    id,
    expiresAt,
  }: { kind: 'assertion' | 'dpop'; holder: string; id: string; expiresAt: Date },
): Promise<boolean> =>
  (await db.run(sql`
    insert into mcp_used_proofs (proof_hash, expires_at)
    values (${hashOf([kind, holder, id])}, ${expiresAt}) on conflict do nothing`)) > 0

const hashOf = (parts: readonly string[]): Buffer =>
  createHash('sha256').update(JSON.stringify(parts)).digest()

export const removeOldProofs = (db: Db): Promise<number> =>
  db.run(sql`delete from mcp_used_proofs where expires_at < now()`)
