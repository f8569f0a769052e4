import type { listAuditLog } from '../../../contract/audit-log.ts'
import type { ReplyOf } from '../../../contract/route.ts'

export type AuditEntry = ReplyOf<typeof listAuditLog>['items'][number]

const ACTORS = { api_key: 'API key', member: 'Member', user: 'User', system: 'System' } as const

/** Names the caller of an entry: `Member mem_…`. */
export const actorText = ({ type, id }: AuditEntry['actor']): string =>
  id === null ? ACTORS[type] : `${ACTORS[type]} ${id}`
