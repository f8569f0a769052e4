import type { Db } from '../../platform/db/sql.ts'
import { type AuditEntry, genesisHash, nextHash } from './entry.ts'
import { type AuditScope, type ChainRow, findChains, readChain, type StoredEntry } from './store.ts'

/** A place at which a chain is broken. */
export interface ChainProblem {
  chain: string
  /** Number of the entry. */
  seq: number
  problem: 'entry_missing' | 'entry_changed' | 'columns_changed' | 'head_changed'
}

export interface ChainReport {
  chain: string
  entries: number
  /** Number and hash of the newest entry. A copy of them elsewhere proves that the end was not cut off. */
  head: { seq: number; hash: string }
  problem: ChainProblem | null
}

const ENTRIES_PER_STATEMENT = 1_000

/** Computes the hashes of all chains in a scope again, and returns the first problem of each. */
export async function verifyChains(db: Db, scope: AuditScope): Promise<ChainReport[]> {
  const reports: ChainReport[] = []
  for (const chain of await findChains(db, scope)) reports.push(await verifyChain(db, chain))
  return reports
}

async function verifyChain(db: Db, chain: ChainRow): Promise<ChainReport> {
  let { removed_seq: seq } = chain
  let hash = chain.removed_hash ?? genesisHash(chain.id)
  let entries = 0
  const report = (problem: ChainProblem['problem'] | null, at = seq): ChainReport => ({
    chain: chain.id,
    entries,
    head: { seq: chain.seq, hash: chain.hash.toString('hex') },
    problem: problem && { chain: chain.id, seq: at, problem },
  })
  // Entries that were appended after the head was read are not part of this check.
  while (seq < chain.seq) {
    const rows = await readChain(db, chain.id, seq, Math.min(ENTRIES_PER_STATEMENT, chain.seq - seq))
    if (rows.length === 0) return report('entry_missing', seq + 1)
    for (const row of rows) {
      if (row.seq !== seq + 1) return report('entry_missing', seq + 1)
      hash = nextHash(hash, row.seq, row.entry)
      seq = row.seq
      if (!hash.equals(row.hash)) return report('entry_changed')
      if (!columnsMatch(row)) return report('columns_changed')
      entries++
    }
  }
  return report(hash.equals(chain.hash) ? null : 'head_changed')
}

/** The columns are not hashed: a change of one of them hides an entry from filters. */
function columnsMatch(row: StoredEntry): boolean {
  const entry = JSON.parse(row.entry) as AuditEntry
  return (
    row.id === entry.id &&
    row.created_at.toISOString() === entry.time &&
    row.actor_id === entry.actor.id &&
    row.action === entry.action &&
    row.object_type === entry.object.type &&
    row.object_id === entry.object.id &&
    row.outcome === entry.outcome
  )
}
