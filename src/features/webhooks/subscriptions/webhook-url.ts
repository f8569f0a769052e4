import { columnEncryption } from '../../../platform/db/encrypted-value.ts'
import type { Db } from '../../../platform/db/sql.ts'

/** The URL of a subscription as its row has it. It is often a capability: who knows it may post to a channel. */
export interface StoredUrl {
  /** Of subscriptions from before their URLs were encrypted. */
  webhook_url: string | null
  encrypted_webhook_url: Buffer | null
}

const URL_COLUMN = columnEncryption<string>('webhook_subscriptions', 'webhook_url')

/** Returns the columns that store a URL. */
export const urlColumns = (projectId: string, id: string, url: string) => ({
  webhook_url: null,
  encrypted_webhook_url: URL_COLUMN.encrypt(projectId, id, url),
})

export const readUrl = (db: Pick<Db, 'decrypt'>, id: string, stored: StoredUrl): string =>
  URL_COLUMN.read(db, id, stored.encrypted_webhook_url, stored.webhook_url) as string
