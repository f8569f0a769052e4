import type { PayloadVersion } from '../../../contract/events/index.ts'
import type { Db } from '../../../platform/db/sql.ts'
import type { Branding } from '../../../platform/http/branding/branding.ts'
import { decryptContent, messageOf, type PublishedEvent } from '../../events/index.ts'
import type { ClaimedDelivery } from './claim.ts'

/** The message of one event, which all its receivers with the same version of the payload get. */
export class EventMessage {
  readonly eventId: string
  readonly #readEvent: () => PublishedEvent
  readonly #toWire: Branding['toWire']
  readonly #bodies = new Map<PayloadVersion, string>()

  constructor(eventId: string, readEvent: () => PublishedEvent, toWire: Branding['toWire']) {
    this.eventId = eventId
    this.#readEvent = readEvent
    this.#toWire = toWire
  }

  /** Returns the body of a request. @throws EncryptionError when the content of the event cannot be decrypted */
  body(version: PayloadVersion): string {
    let body = this.#bodies.get(version)
    if (body === undefined) {
      body = JSON.stringify(messageOf(this.#readEvent(), version, this.#toWire))
      this.#bodies.set(version, body)
    }
    return body
  }
}

/**
 * The messages of deliveries. Those that were claimed together share the message of their event: decrypting and
 * serializing it for each receiver takes a tenth of the processor time of a delivery.
 */
export class EventMessages {
  readonly #deps: { readonly db: Pick<Db, 'decrypt'>; readonly brand: Branding }
  readonly #messages = new WeakMap<ClaimedDelivery, EventMessage>()

  constructor(deps: { readonly db: Pick<Db, 'decrypt'>; readonly brand: Branding }) {
    this.#deps = deps
  }

  /** Lets deliveries share messages for as long as they are in memory. */
  share(deliveries: readonly ClaimedDelivery[]): void {
    const byEvent = new Map<string, EventMessage>()
    for (const delivery of deliveries) {
      const message = byEvent.get(delivery.event_id) ?? this.of(delivery)
      byEvent.set(delivery.event_id, message)
      this.#messages.set(delivery, message)
    }
  }

  of(delivery: ClaimedDelivery): EventMessage {
    const known = this.#messages.get(delivery)
    if (known) return known
    const { db, brand } = this.#deps
    const stored = { ...delivery, id: delivery.event_id }
    const readEvent = () => ({ ...stored, ...decryptContent(db, stored) })
    return new EventMessage(stored.id, readEvent, brand.toWire)
  }
}
