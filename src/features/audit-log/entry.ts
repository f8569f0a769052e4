import { createHash } from 'node:crypto'
import type { AuditFields } from './redact.ts'

export type AuditOutcome = 'success' | 'failure' | 'unknown'

/** An entry of the audit log, in the order of fields in which it is hashed. */
export interface AuditEntry {
  id: string
  time: string
  organization_id: string
  /** Null for a call with a key of the organization. */
  project_id: string | null
  actor: { type: 'api_key' | 'member' | 'user' | 'system'; id: string | null }
  /** Id of the operation, such as `authConfigs.update`. */
  action: string
  object: { type: string; id: string | null }
  /** `unknown`: the process was killed during the call. */
  outcome: AuditOutcome
  status: number | null
  /** Slug of the error; null unless the call failed. */
  error: string | null
  before: AuditFields | null
  after: AuditFields | null
  source_ip: string | null
  user_agent: string | null
  request_id: string | null
}

/** The chain of an entry: that of its project, or of the organization. */
export const chainOf = ({ project_id: project, organization_id: organization }: AuditEntry): string =>
  project ?? organization

const sha256 = (...parts: (string | Buffer)[]): Buffer =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest()

/** The hash before the first entry of a chain. */
export const genesisHash = (chain: string): Buffer => sha256(`audit_log:${chain}`)

/** The hash of an entry: of the hash before it, its number as 8 bytes, and its JSON text. */
export function nextHash(previous: Buffer, seq: number, text: string): Buffer {
  const number = Buffer.alloc(8)
  number.writeBigUInt64BE(BigInt(seq))
  return sha256(previous, number, text)
}
