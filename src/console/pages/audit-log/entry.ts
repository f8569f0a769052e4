import type { listAuditLog } from '../../../contract/audit-log.ts'
import type { ReplyOf } from '../../../contract/route.ts'

export type AuditEntry = ReplyOf<typeof listAuditLog>['items'][number]

const ACTORS = { api_key: 'API key', member: 'Member', user: 'User', system: 'System' } as const

/** Names the caller of an entry: `Member Ada`, or by its id if it has no name any more. */
export const actorText = ({ type, id, name }: AuditEntry['actor']): string =>
  [ACTORS[type], name ?? id].filter(Boolean).join(' ')
