import { hash } from 'node:crypto'
import type { PayloadVersion } from '../../contract/events/index.ts'
import { BRANDED_NAMES, type BrandedName } from '../../contract/branded-names.ts'

/** The data of an event `trigger.message`: the fields of its message (contract 8.3). */
export interface TriggerMessageData {
  log_id: string
  trigger_slug: string
  trigger_id: string
  trigger_uuid: string
  connected_account_id: string
  connected_account_uuid: string
  auth_config_id: string
  user_id: string
}

/** An event with everything that its message needs. */
export interface PublishedEvent {
  id: string
  /** Without the brand: `trigger.message`. */
  type: string
  data: Readonly<Record<string, unknown>>
  /** The decrypted payload: of a trigger message what the application sent, of other events a part of the data. */
  payload: Readonly<Record<string, unknown>> | undefined
  created_at: Date
  project_id: string
  organization_id: string
}

/**
 * `msg_` and a UUID (version 8, RFC 9562 5.8) made from the id of the event: the same for every attempt, redelivery and
 * receiver.
 */
export function messageId(eventId: string): string {
  const bytes = hash('sha256', eventId, 'buffer')
  bytes[6] = (bytes.readUInt8(6) & 0x0f) | 0x80
  bytes[8] = (bytes.readUInt8(8) & 0x3f) | 0x80
  const hex = bytes.toString('hex', 0, 16)
  return `msg_${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

type ToWireName = (name: BrandedName) => string

/** The message of an event (contract 8.3, 8.4), with the fields in the order of the contract. */
export function messageOf(event: PublishedEvent, version: PayloadVersion, toWire: ToWireName): object {
  const build = event.type === 'trigger.message' ? TRIGGER_MESSAGES[version] : otherMessage
  return build(event, event.data as unknown as TriggerMessageData, toWire)
}

type BuildMessage = (event: PublishedEvent, trigger: TriggerMessageData, toWire: ToWireName) => object

const TRIGGER_MESSAGES: Readonly<Record<PayloadVersion, BuildMessage>> = {
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
    toWire,
  ) => ({
    id: messageId(id),
    timestamp: created_at.toISOString(),
    type: toWire('service.trigger.message'),
    metadata: { log_id, trigger_slug, trigger_id, connected_account_id, auth_config_id, user_id },
    data: payload,
  }),
}

/** Other events have messages in V3 only. */
const otherMessage: BuildMessage = (event, _trigger, toWire) => ({
  id: messageId(event.id),
  timestamp: event.created_at.toISOString(),
  type: toWire(`service.${event.type}` as BrandedName),
  metadata: { project_id: event.project_id, org_id: event.organization_id },
  data: spellReason({ ...event.data, ...event.payload }, toWire),
})

const BRANDED_REASONS: readonly string[] = BRANDED_NAMES.disabledReasons

/** Spells the reason why a trigger was disabled. Other values are data of users or applications. */
const spellReason = (data: Readonly<Record<string, unknown>>, toWire: ToWireName) =>
  BRANDED_REASONS.includes(data['disabled_reason'] as string)
    ? { ...data, disabled_reason: toWire(data['disabled_reason'] as BrandedName) }
    : data

/** Returns whether an event is about an approval. Its payload contains the arguments of the call. */
export const isApproval = (type: string): boolean => type.startsWith('approval.')
