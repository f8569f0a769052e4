// The messages of the Pusher Channels protocol, version 7:
// https://pusher.com/docs/channels/library_auth_reference/pusher-websockets-protocol
import { parseBoundedJson } from '../../platform/bounded-json.ts'
import { isObject } from '../../platform/json-object.ts'

/** Versions of the protocol that have the messages below. */
const PROTOCOL_MIN = 5
export const PROTOCOL_MAX = 7

/** Seconds without a message after which a side sends a ping. */
export const ACTIVITY_TIMEOUT_S = 120

/**
 * Reasons to close a connection. Clients do not reconnect after 4000 to 4099, reconnect later after 4100 to 4199, and
 * at once after 4200 to 4299.
 */
export const CLOSE = {
  unknownKey: [4001, 'There is no project with this key'],
  unsupportedProtocol: [4007, `This server supports protocol ${PROTOCOL_MIN} to ${PROTOCOL_MAX}`],
  notAuthorized: [4009, 'The connection is not authorized, or not any more'],
  overCapacity: [4100, 'This server has too many connections, or the client sends too many messages'],
  restarting: [4200, 'The stream was interrupted, or the server stops. Reconnect'],
  noPong: [4201, 'The client did not respond to a ping'],
  slowReader: [4202, 'The client reads too slowly'],
} as const satisfies Record<string, readonly [number, string]>
export type CloseReason = keyof typeof CLOSE

/** What a client can send. Other messages are rejected. */
export type ClientMessage =
  | { event: 'pusher:ping' | 'pusher:pong' }
  | { event: 'pusher:subscribe'; channel: string; auth: string }
  | { event: 'pusher:unsubscribe'; channel: string }

/** Builds a message. Data is JSON text inside of the JSON of the message. */
export const messageText = (event: string, data: object, channel?: string): string =>
  JSON.stringify({ event, ...(channel !== undefined && { channel }), data: JSON.stringify(data) })

/** Reads a message of a client. Returns undefined for anything that is not part of the protocol. */
export function readMessage(text: string): ClientMessage | undefined {
  const message = parseObject(text)
  const data = objectOf(message?.['data'])
  const { channel, auth = '' } = data
  switch (message?.['event']) {
    case 'pusher:ping':
    case 'pusher:pong':
      return { event: message['event'] }
    case 'pusher:subscribe':
      return typeof channel === 'string' && typeof auth === 'string'
        ? { event: message['event'], channel, auth }
        : undefined
    case 'pusher:unsubscribe':
      return typeof channel === 'string' ? { event: message['event'], channel } : undefined
    default:
      return undefined
  }
}

/** Returns whether the server can speak the version that a client requests. */
export function supportsProtocol(version: string | null): boolean {
  return /^\d$/.test(version ?? '') && Number(version) >= PROTOCOL_MIN && Number(version) <= PROTOCOL_MAX
}

/** Clients send data as an object or as JSON text. */
const objectOf = (value: unknown): Record<string, unknown> =>
  (typeof value === 'string' ? parseObject(value) : isObject(value) ? value : undefined) ?? {}

/** Messages of clients are small objects of texts. */
const MESSAGE_BOUNDS = { depth: 5, values: 50 }

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value = parseBoundedJson(text, MESSAGE_BOUNDS)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
