import { type Db, sql } from '../../platform/db/sql.ts'
import { type NewEvent, publishEvents } from '../events/index.ts'
import type { ChangedAccountRow } from './state-machine.ts'

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
  for (const [projectId, ofProject] of Map.groupBy(published, (change) => change.project_id)) {
    const events = ofProject.map(({ id, type, from }) => ({
      type,
      data: { ...eventData(rows.get(id) as EventDataRow), previous_status: from },
      // The events of one account are delivered in order.
      orderingKey: id,
    }))
    await publishEvents(tx, projectId, events)
  }
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

interface EventDataRow {
  id: string
  uuid: string
  word_id: string
  alias: string | null
  user_id: string
  toolkit_slug: string
  auth_scheme: string
  status: string
  status_reason: string | null
  created_at: Date
  updated_at: Date
  deleted_at: Date | null
  auth_config_id: string
  auth_config_uuid: string
  is_service_managed: boolean
  is_disabled: boolean
}

async function findEventData(tx: Db, ids: readonly string[]): Promise<ReadonlyMap<string, EventDataRow>> {
  const rows = await tx.rows<EventDataRow>(sql`
    select c.id, c.uuid, c.word_id, c.alias, c.user_id, c.toolkit_slug, c.auth_scheme, c.status, c.status_reason,
      c.created_at, c.updated_at, c.deleted_at, a.id as auth_config_id, a.uuid as auth_config_uuid,
      a.is_service_managed, a.status = 'DISABLED' or a.deleted_at is not null as is_disabled
    from connected_accounts c join auth_configs a on a.id = c.auth_config_id
    where c.id = any(${ids as string[]}::text[])`)
  return new Map(rows.map((row) => [row.id, row]))
}

/** The account as reads present it, without credentials and identity: events are stored in clear. */
const eventData = (row: EventDataRow) => ({
  id: row.id,
  word_id: row.word_id,
  alias: row.alias,
  user_id: row.user_id,
  toolkit: { slug: row.toolkit_slug },
  auth_config: {
    id: row.auth_config_id,
    auth_scheme: row.auth_scheme,
    is_service_managed: row.is_service_managed,
    is_disabled: row.is_disabled,
    deprecated: { uuid: row.auth_config_uuid },
  },
  status: row.status,
  status_reason: row.status_reason,
  is_disabled: row.is_disabled,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  ...(row.deleted_at && { deleted_at: row.deleted_at.toISOString() }),
  state: { authScheme: row.auth_scheme, val: { status: row.status } },
  deprecated: { labels: [], uuid: row.uuid },
})
