import { hash } from 'node:crypto'
import type { PayloadVersion } from '../../contract/webhooks.ts'
import type { BrandedName } from '../../platform/http/branding/branding.ts'
import type { TriggerFacts } from '../events/outbox.ts'

/** An event as it is sent. */
export interface Told {
  id: string
  /** Without the brand: `trigger.message`. */
  type: string
  data: Readonly<Record<string, unknown>>
  /** What was sealed: of a trigger message what an application sent, of others a part of the data. */
  payload: Readonly<Record<string, unknown>> | undefined
  created_at: Date
  project_id: string
  organization_id: string
}

/** `msg_` and a UUID (version 8, RFC 9562 5.8) made of the event's id: the same for every attempt, every replay and every receiver. */
export function messageId(eventId: string): string {
  const bytes = hash('sha256', eventId, 'buffer')
  bytes[6] = (bytes.readUInt8(6) & 0x0f) | 0x80
  bytes[8] = (bytes.readUInt8(8) & 0x3f) | 0x80
  const hex = bytes.toString('hex', 0, 16)
  return `msg_${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** What is sent of an event (contract 8.3, 8.4), member by member in the order of the contract. */
export function payload(event: Told, version: PayloadVersion, spell: (name: BrandedName) => string): object {
  const shape = event.type === 'trigger.message' ? TRIGGER_SHAPES[version] : otherShape
  return shape(event, event.data as unknown as TriggerFacts, spell)
}

/** The bytes that are signed and sent; equal for every attempt. */
export const payloadText = (
  event: Told,
  version: PayloadVersion,
  spell: (name: BrandedName) => string,
): string => JSON.stringify(payload(event, version, spell))

type Shape = (event: Told, trigger: TriggerFacts, spell: (name: BrandedName) => string) => object

const TRIGGER_SHAPES: Readonly<Record<PayloadVersion, Shape>> = {
  V1: ({ payload }, { trigger_slug, trigger_uuid, connected_account_uuid, log_id }) => ({
    trigger_name: trigger_slug,
    trigger_id: trigger_uuid,
    connection_id: connected_account_uuid,
    payload,
    log_id,
  }),
  V2: (
    { payload, created_at },
    { trigger_slug, trigger_id, trigger_uuid, connected_account_id, connected_account_uuid, log_id, user_id },
  ) => ({
    type: trigger_slug.toLowerCase(),
    timestamp: created_at.toISOString(),
    log_id,
    data: {
      ...payload,
      connection_id: connected_account_uuid,
      connection_nano_id: connected_account_id,
      trigger_nano_id: trigger_id,
      trigger_id: trigger_uuid,
      user_id,
    },
  }),
  V3: (
    { id, payload, created_at },
    { trigger_slug, trigger_id, connected_account_id, auth_config_id, log_id, user_id },
    spell,
  ) => ({
    id: messageId(id),
    timestamp: created_at.toISOString(),
    type: spell('service.trigger.message'),
    metadata: { log_id, trigger_slug, trigger_id, connected_account_id, auth_config_id, user_id },
    data: payload,
  }),
}

/** Only V3 has them. */
const otherShape: Shape = (
  { id, type, data, payload, created_at, project_id, organization_id },
  _trigger,
  spell,
) => ({
  id: messageId(id),
  timestamp: created_at.toISOString(),
  type: spell(`service.${type}` as BrandedName),
  metadata: { project_id, org_id: organization_id },
  data: payload ? { ...data, ...payload } : data,
})
