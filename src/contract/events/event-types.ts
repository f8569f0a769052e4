import { Enum } from '../common.ts'

export const PAYLOAD_VERSIONS = ['V1', 'V2', 'V3'] as const

export type PayloadVersion = (typeof PAYLOAD_VERSIONS)[number]

/** Types of events, and the payload versions that can express each. */
export const EVENT_TYPES = {
  'service.trigger.message': {
    description: 'An enabled trigger instance published an event.',
    versions: PAYLOAD_VERSIONS,
  },
  'service.connected_account.active': {
    description:
      'A connected account became ACTIVE: its user connected or reconnected it, or it was enabled. An addition of ' +
      'this server.',
    versions: ['V3'],
  },
  'service.connected_account.failed': {
    description:
      'A connection was not completed: the provider denied access, or its user did not finish in time. An ' +
      'addition of this server.',
    versions: ['V3'],
  },
  'service.connected_account.deleted': {
    description: 'A connected account was deleted. An addition of this server.',
    versions: ['V3'],
  },
  'service.connected_account.expired': {
    description: 'An ACTIVE OAuth account became EXPIRED. Its user has to connect again.',
    versions: ['V3'],
  },
  'service.webhook.disabled': {
    description:
      'A webhook subscription was disabled because its receiver failed for five days or returned 410. An ' +
      'addition of this server.',
    versions: ['V3'],
  },
  'service.trigger.disabled': {
    description: 'The server disabled a trigger instance.',
    versions: ['V3'],
  },
  'service.approval.requested': {
    description:
      'A call needs the approval of a person. The receiver may decide with a signed request. An addition of ' +
      'this server.',
    versions: ['V3'],
  },
  'service.approval.decided': {
    description: 'A pending call was approved or denied. An addition of this server.',
    versions: ['V3'],
  },
  'service.budget.threshold_reached': {
    description: 'A budget is used up to 80 %, or to 100 %. An addition of this server.',
    versions: ['V3'],
  },
  'service.session_hook.before_execute': {
    description:
      'A tool of a session with a hook is about to be executed. It is sent once, while the call waits: the ' +
      'response decides.',
    versions: ['V3'],
  },
  'service.session_hook.after_execute': {
    description:
      'Request to a hook after a tool of a session was executed. The response decides. It cannot be subscribed.',
    versions: ['V3'],
  },
} as const satisfies Record<string, { description: string; versions: readonly PayloadVersion[] }>

export type EventType = keyof typeof EVENT_TYPES

/** The type of messages that only the event stream sends: they are neither stored nor delivered by webhooks. */
export const EXECUTION_ENDED = 'service.tool_execution.ended'

export const EventTypeName = Enum(Object.keys(EVENT_TYPES) as EventType[])

/** The types that a reader of the event stream can name. */
export const StreamedTypeName = Enum([...(Object.keys(EVENT_TYPES) as EventType[]), EXECUTION_ENDED])
