import type { EventType, PayloadVersion } from '../../contract/webhooks.ts'
import { assignments, type Db, sql, values } from '../../platform/db/sql.ts'

export interface SubscriptionRow {
  id: string
  project_id: string
  webhook_url: string
  version: PayloadVersion
  enabled_events: EventType[]
  max_at_once: number
  max_per_second: number | null
  secret: Buffer
  former_secret: Buffer | null
  former_until: Date | null
  failing_since: Date | null
  disabled_at: Date | null
  disabled_reason: 'failing' | 'gone' | null
  created_at: Date
  updated_at: Date
}
export type Pace = { [K in 'max_at_once' | 'max_per_second']?: SubscriptionRow[K] | undefined }
const COLUMNS = sql`id, project_id, webhook_url, version, enabled_events, max_at_once, max_per_second, secret, former_secret, former_until, failing_since, disabled_at, disabled_reason, created_at, updated_at`

export const insert = async (
  tx: Db,
  row: Pick<SubscriptionRow, 'id' | 'project_id' | 'webhook_url' | 'version' | 'enabled_events' | 'secret'> &
    Pace,
): Promise<SubscriptionRow> =>
  (await tx.one<SubscriptionRow>(
    sql`insert into webhook_subscriptions ${values(row)} returning ${COLUMNS}`,
  )) as SubscriptionRow

export const find = (db: Db, projectId: string, id: string): Promise<SubscriptionRow | undefined> =>
  db.one(sql`
  select ${COLUMNS} from webhook_subscriptions where project_id = ${projectId} and id = ${id}`)

/** Oldest first: what a client that knows of one subscription takes for it stays the same when others are added. */
export async function list(
  db: Db,
  projectId: string,
  page: { limit: number; offset: number },
): Promise<{ rows: SubscriptionRow[]; total: number }> {
  const rows = await db.rows<SubscriptionRow>(sql`
    select ${COLUMNS} from webhook_subscriptions where project_id = ${projectId} order by created_at, id limit ${page.limit} offset ${page.offset}`)
  return { rows, total: await count(db, projectId) }
}

export const count = async (db: Db, projectId: string): Promise<number> =>
  (
    await db.one<{ count: number }>(
      sql`select count(*)::int as count from webhook_subscriptions where project_id = ${projectId}`,
    )
  )?.count ?? 0

/** Until the transaction ends, nobody else adds to or changes the project's subscriptions through this. */
export const hold = (tx: Db, projectId: string): Promise<number> =>
  tx.run(sql`select 1 from projects where id = ${projectId} for no key update`)

export const withUrl = (db: Db, projectId: string, url: string): Promise<{ id: string } | undefined> =>
  db.one(sql`
  select id from webhook_subscriptions where project_id = ${projectId} and webhook_url = ${url}`)

/** The addresses that stand in projects: of the oldest subscription that takes messages of triggers, and of the oldest that takes other events. Projects without any are left out. */
export async function addressesOf(
  db: Db,
  projectIds: readonly string[],
): Promise<Map<string, { webhook_url: string | null; event_webhook_url: string | null }>> {
  const rows = await db.rows<{
    project_id: string
    webhook_url: string | null
    event_webhook_url: string | null
  }>(sql`
    select project_id, (array_agg(webhook_url order by created_at, id) filter (where 'service.trigger.message' = any (enabled_events)))[1] as webhook_url,
      (array_agg(webhook_url order by created_at, id) filter (where enabled_events <> array['service.trigger.message']))[1] as event_webhook_url
    from webhook_subscriptions where project_id = any(${[...projectIds]}::text[]) group by project_id`)
  return new Map(rows.map(({ project_id: id, ...addresses }) => [id, addresses]))
}

/** The subscription that earlier clients know as the webhook of the project. */
export const ofProject = (db: Db, projectId: string): Promise<SubscriptionRow | undefined> =>
  db.one(sql`
  select ${COLUMNS} from webhook_subscriptions where project_id = ${projectId} and 'service.trigger.message' = any (enabled_events) order by created_at, id limit 1`)

const RESUMED = sql`failing_since = null, disabled_at = null, disabled_reason = null`
const WAKES = sql`(select pg_notify('deliveries', ''))`

/** Whoever changes a subscription has mended it: what waits is delivered. */
export const update = (
  tx: Db,
  projectId: string,
  id: string,
  patch: Partial<Pick<SubscriptionRow, 'webhook_url' | 'version' | 'enabled_events'>> & Pace,
): Promise<SubscriptionRow | undefined> =>
  tx.one(sql`
  update webhook_subscriptions set ${assignments({ ...patch, updated_at: sql`now()` })}, ${RESUMED} where project_id = ${projectId} and id = ${id} returning ${COLUMNS}, ${WAKES} as woken`)

export const resume = (db: Db, projectId: string, id: string): Promise<number> =>
  db.run(sql`
  update webhook_subscriptions set ${RESUMED} where project_id = ${projectId} and id = ${id} returning ${WAKES}`)

/** The new secret takes the place of `row`'s; its own stays beside it for some hours, or not at all. */
export const replaceSecret = (
  tx: Db,
  row: SubscriptionRow,
  secret: Buffer,
  former: Buffer | null,
  hours: number,
): Promise<SubscriptionRow | undefined> =>
  tx.one(sql`
  update webhook_subscriptions set secret = ${secret}, former_secret = ${former}, former_until = case when ${former === null} then null else now() + make_interval(hours => ${hours}::int) end, updated_at = now()
  where project_id = ${row.project_id} and id = ${row.id} returning ${COLUMNS}`)

export const remove = (db: Db, projectId: string, id: string): Promise<number> =>
  db.run(sql`delete from webhook_subscriptions where project_id = ${projectId} and id = ${id}`)

/** Subscriptions that an event is delivered to. */
export const takersOf = (db: Db, projectId: string, event: EventType): Promise<SubscriptionRow[]> =>
  db.rows(sql`
  select ${COLUMNS} from webhook_subscriptions where project_id = ${projectId} and disabled_at is null and ${event} = any(enabled_events) order by created_at, id`)
