import { createHash } from 'node:crypto'
import { runBatch } from '../../../platform/db/run-batch.ts'
import { type Db, sql } from '../../../platform/db/sql.ts'
import { clientNetwork } from '../clients/client-network.ts'

/** Proofs of one source that are stored at the same time: eight a second, for the minutes that one is stored. */
export const PROOFS_PER_SOURCE_MAX = 4_000
/** A row is stored for longer than its proof is valid: clocks of the database and of this process differ. */
const SKEW_MS = 60_000

/** Who causes a proof to be stored: a network, whose clients may be unknown, or the grant of an access token. */
export type ProofSource =
  | { readonly kind: 'network'; readonly id: string }
  | { readonly kind: 'grant'; readonly id: string }

export const networkOf = (ip: string): ProofSource => ({ kind: 'network', id: clientNetwork(ip) })

export interface UsedProof {
  /** Separates ids of different kinds. */
  kind: 'assertion' | 'dpop'
  /** The client or the key whose id it is. */
  holder: string
  id: string
  /** When the proof is not accepted any more. */
  expiresAt: Date
  source: ProofSource
}

/** `used`: not the first use. `full`: the source has too many proofs, and nothing was stored. */
export type ProofClaim = 'first' | 'used' | 'full'

/** Uses an assertion or a proof, once in all processes. Call it when everything else about it is verified. */
export async function claimProof(
  db: Db,
  { kind, holder, id, expiresAt, source }: UsedProof,
): Promise<ProofClaim> {
  const sourceHash = hashOf([source.kind, source.id])
  const row = await db.one<{ is_stored: boolean; is_full: boolean }>(sql`
    with live as materialized (
      select count(*) >= ${PROOFS_PER_SOURCE_MAX} as is_full from (
        select 1 from mcp_used_proofs where source_hash = ${sourceHash} and expires_at > now()
        limit ${PROOFS_PER_SOURCE_MAX}) l),
    stored as (
      insert into mcp_used_proofs (proof_hash, expires_at, source_hash)
      select ${hashOf([kind, holder, id])}, ${new Date(expiresAt.getTime() + SKEW_MS)}, ${sourceHash}
      from live where not is_full
      on conflict do nothing returning 1)
    select exists (select from stored) as is_stored, is_full from live`)
  return row?.is_stored ? 'first' : row?.is_full ? 'full' : 'used'
}

const hashOf = (parts: readonly string[]): Buffer =>
  createHash('sha256').update(JSON.stringify(parts)).digest()

/** Deletes expired proofs. Returns whether there may be more. */
export const removeOldProofs = (db: Db): Promise<boolean> =>
  runBatch(
    db,
    (limit) => sql`
    delete from mcp_used_proofs where proof_hash in (
      select proof_hash from mcp_used_proofs where expires_at < now()
      limit ${limit} for update skip locked)`,
  )
