import type { Encryptor } from '../../../platform/crypto/index.ts'
import type { Db } from '../../../platform/db/sql.ts'
import { findProjectWebhooks, webhookUrlsOf } from './project-webhook-store.ts'
import { decryptSecret } from './secrets.ts'

/** What the settings of a project show of its webhook. */
export interface ProjectWebhook {
  webhook_url: string | null
  event_webhook_url: string | null
  /** In clear. Null without a subscription with trigger messages. */
  webhook_secret: string | null
  webhook_version: string
  /** RFC 3339. */
  last_subscribed_at: string | null
}

const NO_SUBSCRIPTION = { webhook_secret: null, webhook_version: 'V2', last_subscribed_at: null }

/** Returns the webhooks of projects. Projects without a subscription are left out. */
export async function projectWebhooksOf(
  { db, encryptor }: { db: Db; encryptor: Encryptor },
  projectIds: readonly string[],
): Promise<Map<string, ProjectWebhook>> {
  const [urls, rows] = await Promise.all([webhookUrlsOf(db, projectIds), findProjectWebhooks(db, projectIds)])
  const subscriptions = new Map(rows.map((row) => [row.project_id, row]))
  return new Map(
    [...urls].map(([projectId, url]) => {
      const row = subscriptions.get(projectId)
      const subscription = row && {
        webhook_secret: decryptSecret(encryptor, row),
        webhook_version: row.version,
        last_subscribed_at: row.last_subscribed_at.toISOString(),
      }
      return [projectId, { ...url, ...(subscription ?? NO_SUBSCRIPTION) }]
    }),
  )
}
