import { type Db, sql } from '../../platform/db/sql.ts'
import { type NewEvent, publishEventsOfProjects } from '../events/index.ts'
import { type AccountFieldsRow, accountFields, AUTH_CONFIG_STATUS } from './account-fields.ts'
import type { ChangedAccountRow } from './state-machine.ts'
import type { AccountRow } from './store.ts'

type AccountEventType = Extract<NewEvent['type'], `connected_account.${string}`>

/** Schemes whose expired access is published. A rejected API key is an action of its owner. */
const EXPIRING_SCHEMES = ['OAUTH2', 'DCR_OAUTH', 'S2S_OAUTH2']

type Change = Pick<ChangedAccountRow, 'id' | 'project_id' | 'from' | 'to' | 'deleted' | 'auth_scheme'>

/** The event of a change of an account; undefined if the change has none. */
function eventTypeOf({ from, to, deleted, auth_scheme: scheme }: Change): AccountEventType | undefined {
  if (deleted) return 'connected_account.deleted'
  if (from === to) return undefined
  if (to === 'ACTIVE') return 'connected_account.active'
  if (to === 'FAILED') return 'connected_account.failed'
  if (to !== 'EXPIRED') return undefined
  // The time to connect ended: the account was never usable.
  if (from !== 'ACTIVE') return 'connected_account.failed'
  return EXPIRING_SCHEMES.includes(scheme) ? 'connected_account.expired' : undefined
}

/** Publishes the changes of accounts that have an event, in the transaction of the changes. */
export async function publishAccountEvents(tx: Db, changes: readonly Change[]): Promise<void> {
  const published = changes.flatMap((change) => {
    const type = eventTypeOf(change)
    return type ? [{ ...change, type }] : []
  })
  if (published.length === 0) return
  const rows = await findEventData(
    tx,
    published.map(({ id }) => id),
  )
  await publishEventsOfProjects(
    tx,
    published.map(({ id, project_id: projectId, type, from }) => ({
      projectId,
      type,
      data: { ...eventData(rows.get(id) as EventDataRow), previous_status: from },
      // The events of one account are delivered in order.
      orderingKey: id,
    })),
  )
}

/** Publishes that a new account is ACTIVE: its credentials came with the request that created it. */
export const publishNewAccount = (
  tx: Db,
  projectId: string,
  { id, auth_scheme }: { id: string; auth_scheme: string },
): Promise<void> =>
  publishAccountEvents(tx, [
    { id, project_id: projectId, from: 'INITIALIZING', to: 'ACTIVE', deleted: false, auth_scheme },
  ])

type EventDataRow = AccountFieldsRow & Pick<AccountRow, 'uuid'> & { deleted_at: Date | null }

async function findEventData(tx: Db, ids: readonly string[]): Promise<ReadonlyMap<string, EventDataRow>> {
  const rows = await tx.rows<EventDataRow>(sql`
    select c.id, c.uuid, c.word_id, c.alias, c.user_id, c.toolkit_slug, c.auth_scheme, c.status, c.status_reason,
      c.created_at, c.updated_at, c.deleted_at, a.id as auth_config_id, a.uuid as auth_config_uuid,
      a.is_service_managed, ${AUTH_CONFIG_STATUS} as auth_config_status
    from connected_accounts c join auth_configs a on a.id = c.auth_config_id
    where c.id = any(${ids as string[]}::text[])`)
  return new Map(rows.map((row) => [row.id, row]))
}

/** The account as reads present it, without credentials and identity: events are stored in clear. */
const eventData = (row: EventDataRow) => ({
  ...accountFields(row),
  ...(row.deleted_at && { deleted_at: row.deleted_at.toISOString() }),
  state: { authScheme: row.auth_scheme, val: { status: row.status } },
  deprecated: { labels: [], uuid: row.uuid },
})
