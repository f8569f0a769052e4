import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { getOwn } from '../../json-object.ts'
import type { McpMessage } from './read-messages.ts'
import { sessionOf } from './session-id.ts'

/**
 * Identifies a request by its caller, session and id. The key is a hash, because it is sent to other servers.
 * @returns undefined for a client without a session: it cannot cancel
 */
export const cancellationKey = (
  { scope }: { scope: string },
  session: string | null,
  id: unknown,
): string | undefined =>
  session === null
    ? undefined
    : createHash('sha256')
        .update(JSON.stringify([scope, session.slice(0, 128), id]))
        .digest('base64url')

/** Returns the keys of the calls that a request cancels. */
export const cancelledCalls = (
  headers: IncomingHttpHeaders,
  offer: { scope: string },
  messages: readonly McpMessage[],
): string[] =>
  messages.flatMap(({ method, params }) =>
    method === 'notifications/cancelled'
      ? (cancellationKey(offer, sessionOf(headers), getOwn(params, 'requestId')) ?? [])
      : [],
  )
