import { LRUCache } from 'lru-cache'
import type { PayloadVersion } from '../../../contract/events/index.ts'
import type { Db } from '../../../platform/db/sql.ts'
import type { Branding } from '../../../platform/http/branding/branding.ts'
import { decryptContent, messageId, messageOf, type PublishedEvent } from '../../events/index.ts'
import type { ClaimedDelivery } from './claim.ts'

/** The message of an event in one version of the payload, which all its receivers with this version get. */
export interface EventMessage {
  /** The same for each receiver, attempt and version: the header `webhook-id`. */
  readonly id: string
  readonly body: string
}

export const createMessage = (
  event: PublishedEvent,
  version: PayloadVersion,
  toWire: Branding['toWire'],
): EventMessage => ({ id: messageId(event.id), body: JSON.stringify(messageOf(event, version, toWire)) })

/** The sizes of all cached bodies together, in characters. */
const CACHED_CHARACTERS_MAX = 8_000_000

/**
 * The messages of deliveries. The receivers of an event share its message while there are deliveries: decrypting,
 * serializing and hashing it for each of them takes a tenth of the processor time of a delivery. They are rarely in the
 * same claim, because each subscription has its own progress.
 */
export class EventMessages {
  readonly #deps: { readonly db: Pick<Db, 'decrypt'>; readonly brand: Branding }
  readonly #cache = new LRUCache<string, EventMessage>({
    maxSize: CACHED_CHARACTERS_MAX,
    sizeCalculation: ({ body }) => body.length,
  })

  constructor(deps: { readonly db: Pick<Db, 'decrypt'>; readonly brand: Branding }) {
    this.#deps = deps
  }

  /** Returns the message of a delivery. @throws EncryptionError when the content of the event cannot be decrypted */
  of(delivery: ClaimedDelivery): EventMessage {
    const key = `${delivery.project_id} ${delivery.event_id} ${delivery.version}`
    const known = this.#cache.get(key)
    if (known) return known
    const { db, brand } = this.#deps
    const stored = { ...delivery, id: delivery.event_id }
    const event = { ...stored, ...decryptContent(db, stored) }
    const message = createMessage(event, delivery.version, brand.toWire)
    this.#cache.set(key, message)
    return message
  }

  /** Forgets the messages, so that a process without deliveries has no content of events in memory. */
  clear(): void {
    this.#cache.clear()
  }
}
