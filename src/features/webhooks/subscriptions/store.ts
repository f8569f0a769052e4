import type { EventType, PayloadVersion } from '../../../contract/events/index.ts'
import { notification } from '../../../platform/change-bus.ts'
import { assignments, type Db, type Sql, sql, values } from '../../../platform/db/sql.ts'
import { type ListPage, oldestFirst, type PageWindow, readListPage } from '../../../platform/list-page.ts'
import { readUrl, type StoredUrl, urlColumns } from './webhook-url.ts'

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
  /** Signs decisions on approvals. Null: the subscription cannot decide. */
  approval_secret: Buffer | null
  /** Private Ed25519 key. Null: deliveries are signed with the secret only. */
  signing_key: Buffer | null
  failing_since: Date | null
  disabled_at: Date | null
  disabled_reason: 'failing' | 'gone' | 'incident' | null
  created_at: Date
  updated_at: Date
}
export type DeliveryLimits = { [K in 'max_at_once' | 'max_per_second']?: SubscriptionRow[K] | undefined }

const COLUMNS = sql`
    id, project_id, webhook_url, encrypted_webhook_url, version, enabled_events, max_at_once, max_per_second, secret,
    former_secret, former_until, approval_secret, signing_key, failing_since, disabled_at, disabled_reason,
    created_at, updated_at`

type StoredRow = Omit<SubscriptionRow, 'webhook_url'> & StoredUrl

function toRow(db: Db, { webhook_url, encrypted_webhook_url, ...row }: StoredRow): SubscriptionRow {
  return { ...row, webhook_url: readUrl(db, row.id, { webhook_url, encrypted_webhook_url }) }
}

const oneRow = async (db: Db, query: Sql): Promise<SubscriptionRow | undefined> => {
  const row = await db.one<StoredRow>(query)
  return row && toRow(db, row)
}

const allRows = async (db: Db, query: Sql): Promise<SubscriptionRow[]> =>
  (await db.rows<StoredRow>(query)).map((row) => toRow(db, row))

export const insertSubscription = async (
  tx: Db,
  row: Pick<
    SubscriptionRow,
    | 'id'
    | 'project_id'
    | 'webhook_url'
    | 'version'
    | 'enabled_events'
    | 'secret'
    | 'approval_secret'
    | 'signing_key'
  > &
    DeliveryLimits,
): Promise<SubscriptionRow> =>
  (await oneRow(
    tx,
    sql`insert into webhook_subscriptions ${values({
      ...row,
      ...urlColumns(row.project_id, row.id, row.webhook_url),
    })} returning ${COLUMNS}`,
  )) as SubscriptionRow

export const findSubscription = (
  db: Db,
  projectId: string,
  id: string,
): Promise<SubscriptionRow | undefined> =>
  oneRow(db, sql`select ${COLUMNS} from webhook_subscriptions where project_id = ${projectId} and id = ${id}`)

/** Oldest first: a client that uses the first one keeps using it when others are added. */
export async function listSubscriptions(
  db: Db,
  projectId: string,
  page: PageWindow,
): Promise<ListPage<SubscriptionRow>> {
  const where = sql`project_id = ${projectId}`
  const query = { columns: COLUMNS, from: sql`webhook_subscriptions`, where, order: oldestFirst() }
  const { rows, ...rest } = await readListPage<StoredRow>(db, query, page)
  return { rows: rows.map((row) => toRow(db, row)), ...rest }
}

export const countSubscriptions = async (db: Db, projectId: string): Promise<number> =>
  (
    await db.one<{ count: number }>(
      sql`select count(*)::int as count from webhook_subscriptions where project_id = ${projectId}`,
    )
  )?.count ?? 0

/** Locks the subscriptions of a project until the transaction ends: others cannot add or change any. */
export const lockSubscriptions = (tx: Db, projectId: string): Promise<number> =>
  tx.run(sql`select 1 from projects where id = ${projectId} for no key update`)

/** Finds the subscription with a URL. The caller has locked the subscriptions: two of a project have different URLs. */
export const findByUrl = async (
  tx: Db,
  projectId: string,
  url: string,
): Promise<SubscriptionRow | undefined> => {
  const rows = await allRows(
    tx,
    sql`select ${COLUMNS} from webhook_subscriptions where project_id = ${projectId}`,
  )
  return rows.find((row) => row.webhook_url === url)
}

/** The subscription that earlier clients use as the webhook of the project. */
export const findProjectWebhook = (db: Db, projectId: string): Promise<SubscriptionRow | undefined> =>
  oneRow(
    db,
    sql`
    select ${COLUMNS} from webhook_subscriptions
    where project_id = ${projectId} and 'service.trigger.message' = any (enabled_events)
    order by created_at, id limit 1`,
  )

const ENABLED = sql`failing_since = null, disabled_at = null, disabled_reason = null`
const NOTIFIED = sql`(select ${notification({ kind: 'deliveries_due' })}) as notified`

/** Updates a subscription and enables it: the change may have fixed it, so pending deliveries are due. */
export const updateSubscription = (
  tx: Db,
  projectId: string,
  id: string,
  {
    webhook_url: url,
    ...patch
  }: Partial<
    Pick<SubscriptionRow, 'webhook_url' | 'version' | 'enabled_events' | 'approval_secret' | 'signing_key'>
  > &
    DeliveryLimits,
): Promise<SubscriptionRow | undefined> =>
  oneRow(
    tx,
    sql`
    update webhook_subscriptions
    set ${assignments({
      ...patch,
      ...(url !== undefined && urlColumns(projectId, id, url)),
      updated_at: sql`now()`,
    })}, ${ENABLED}
    where project_id = ${projectId} and id = ${id} returning ${COLUMNS}, ${NOTIFIED}`,
  )

export const enableSubscription = (db: Db, projectId: string, id: string): Promise<number> =>
  db.run(sql`
    update webhook_subscriptions set ${ENABLED} where project_id = ${projectId} and id = ${id} returning ${NOTIFIED}`)

/** Disables the subscriptions of projects after an incident: nothing is delivered until they are enabled again. */
export const disableSubscriptions = (tx: Db, projectIds: readonly string[]): Promise<number> =>
  tx.run(sql`
    update webhook_subscriptions set disabled_at = now(), disabled_reason = 'incident', updated_at = now()
    where project_id = any(${projectIds as string[]}::text[]) and disabled_at is null`)

/** Replaces the secret of `row`. The former one signs too for some hours, or not at all if it is null. */
export const replaceSecret = (
  tx: Db,
  row: SubscriptionRow,
  secret: Buffer,
  formerSecret: Buffer | null,
  hours: number,
): Promise<SubscriptionRow | undefined> =>
  oneRow(
    tx,
    sql`
    update webhook_subscriptions
    set secret = ${secret}, former_secret = ${formerSecret}, updated_at = now(),
      former_until = case when ${formerSecret === null} then null else now() + make_interval(hours => ${hours}::int) end
    where project_id = ${row.project_id} and id = ${row.id} returning ${COLUMNS}`,
  )

/** Locks a subscription against new deliveries until the transaction ends. Returns false if there is none. */
export const lockSubscription = async (tx: Db, projectId: string, id: string): Promise<boolean> =>
  (await tx.run(
    sql`select 1 from webhook_subscriptions where project_id = ${projectId} and id = ${id} for update`,
  )) > 0

export const deleteSubscription = (tx: Db, projectId: string, id: string): Promise<number> =>
  tx.run(sql`delete from webhook_subscriptions where project_id = ${projectId} and id = ${id}`)

/** The enabled subscriptions that receive an event. */
export const subscriptionsWithEvent = (
  db: Db,
  projectId: string,
  event: EventType,
): Promise<SubscriptionRow[]> =>
  allRows(
    db,
    sql`
    select ${COLUMNS} from webhook_subscriptions
    where project_id = ${projectId} and disabled_at is null and ${event} = any(enabled_events)
    order by created_at, id`,
  )

/** Replaces the secret that signs decisions. The former one is invalid at once. */
export const replaceApprovalSecret = (
  tx: Db,
  projectId: string,
  id: string,
  approvalSecret: Buffer,
): Promise<SubscriptionRow | undefined> =>
  oneRow(
    tx,
    sql`
    update webhook_subscriptions set approval_secret = ${approvalSecret}, updated_at = now()
    where project_id = ${projectId} and id = ${id} returning ${COLUMNS}`,
  )

/**
 * The subscriptions that may decide on the approval that an event announced: enabled ones that existed before the event
 * and to which it was sent, or is being sent, because a receiver may decide before it responds to the delivery.
 */
export const subscriptionsThatMayDecide = (
  db: Db,
  projectId: string,
  eventId: string,
): Promise<{ id: string; approval_secret: Buffer }[]> =>
  db.rows(sql`
    select s.id, s.approval_secret from events e
    join webhook_deliveries d on d.event_id = e.id and d.event_created_at = e.created_at
    join webhook_subscriptions s on s.id = d.subscription_id
    where e.project_id = ${projectId} and e.id = ${eventId}
      and (d.status = 'delivered' or d.attempts > 0 or d.leased_until is not null)
      and s.project_id = ${projectId} and s.disabled_at is null and s.approval_secret is not null
      and 'service.approval.requested' = any(s.enabled_events) and s.created_at <= e.created_at
    order by s.created_at, s.id`)
