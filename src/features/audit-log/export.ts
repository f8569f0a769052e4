import { csvLines } from '../../platform/csv.ts'
import type { AuditEntry } from './entry.ts'
import type { AuditRow } from './store.ts'

export type ExportFormat = 'ndjson' | 'csv'

/** An entry as the API presents it. */
export interface PresentedEntry extends AuditEntry {
  seq: number
  chain: string
  hash: string
}

export const presentEntry = ({ seq, chain_id: chain, entry, hash }: AuditRow): PresentedEntry => ({
  ...(JSON.parse(entry) as AuditEntry),
  seq,
  chain,
  hash: hash.toString('hex'),
})

const COLUMNS: Readonly<Record<string, (entry: PresentedEntry) => unknown>> = {
  time: ({ time }) => time,
  id: ({ id }) => id,
  organization_id: (entry) => entry.organization_id,
  project_id: (entry) => entry.project_id,
  actor_type: ({ actor }) => actor.type,
  actor_id: ({ actor }) => actor.id,
  action: ({ action }) => action,
  object_type: ({ object }) => object.type,
  object_id: ({ object }) => object.id,
  outcome: ({ outcome }) => outcome,
  status: ({ status }) => status,
  error: ({ error }) => error,
  before: ({ before }) => before && JSON.stringify(before),
  after: ({ after }) => after && JSON.stringify(after),
  source_ip: (entry) => entry.source_ip,
  user_agent: (entry) => entry.user_agent,
  request_id: (entry) => entry.request_id,
  seq: ({ seq }) => seq,
  chain: ({ chain }) => chain,
  hash: ({ hash }) => hash,
}

/** One line per entry; for NDJSON with `entry`, the text that was hashed. */
const ndjsonLine = (row: AuditRow): string =>
  JSON.stringify({ seq: row.seq, chain: row.chain_id, hash: row.hash.toString('hex'), entry: row.entry })

/** Writes rows as text. The first page of a CSV file has the header. */
export function exportRows(rows: readonly AuditRow[], format: ExportFormat, isFirstPage: boolean): string {
  if (format === 'ndjson') return rows.map((row) => `${ndjsonLine(row)}\n`).join('')
  const lines = rows.map((row) => {
    const entry = presentEntry(row)
    return Object.values(COLUMNS).map((read) => read(entry))
  })
  return csvLines([...(isFirstPage ? [Object.keys(COLUMNS)] : []), ...lines])
}
