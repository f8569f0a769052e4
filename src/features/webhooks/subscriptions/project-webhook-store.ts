import type { EventType } from '../../../contract/events/index.ts'
import { type Db, sql } from '../../../platform/db/sql.ts'
import type { SubscriptionRow } from './store.ts'
import { readUrl, type StoredUrl } from './webhook-url.ts'

export interface ProjectWebhookUrls {
  webhook_url: string | null
  event_webhook_url: string | null
}

interface StoredWebhook extends StoredUrl {
  id: string
  project_id: string
  enabled_events: readonly EventType[]
}

const TRIGGER_MESSAGES: EventType = 'service.trigger.message'

/**
 * The URLs that the settings of projects show: of the oldest subscription with trigger messages, and of the oldest with
 * other events. Projects without a subscription are left out.
 */
export async function webhookUrlsOf(
  db: Db,
  projectIds: readonly string[],
): Promise<Map<string, ProjectWebhookUrls>> {
  const rows = await db.rows<StoredWebhook>(sql`
    select id, project_id, enabled_events, webhook_url, encrypted_webhook_url from webhook_subscriptions
    where project_id = any(${[...projectIds]}::text[]) order by created_at, id`)
  const urlOf = (row: StoredWebhook | undefined) => (row ? readUrl(db, row.id, row) : null)
  const urls = (own: readonly StoredWebhook[]): ProjectWebhookUrls => ({
    webhook_url: urlOf(own.find(({ enabled_events: events }) => events.includes(TRIGGER_MESSAGES))),
    event_webhook_url: urlOf(
      own.find(({ enabled_events: events }) => events.some((event) => event !== TRIGGER_MESSAGES)),
    ),
  })
  return new Map([...Map.groupBy(rows, (row) => row.project_id)].map(([id, own]) => [id, urls(own)]))
}

/** What the settings of a project show of its webhook. `secret` is encrypted, of the row `subscription_id`. */
export type ProjectWebhookRow = Pick<SubscriptionRow, 'secret' | 'version'> & {
  id: string
  project_id: string
  last_subscribed_at: Date
}

/** Returns the oldest subscription with trigger messages of each project, and when the project last subscribed. */
export const findProjectWebhooks = (db: Db, projectIds: readonly string[]): Promise<ProjectWebhookRow[]> =>
  db.rows(sql`
    select distinct on (project_id) project_id, id, secret, version,
      max(created_at) over (partition by project_id) as last_subscribed_at
    from webhook_subscriptions
    where project_id = any(${[...projectIds]}::text[]) and 'service.trigger.message' = any (enabled_events)
    order by project_id, created_at, id`)
