import { parseBoundedJson } from '../../bounded-json.ts'
import type { Egress } from '../../egress/index.ts'
import type { McpSend } from './transport.ts'

const USER_AGENT = 'patchbay/0.1'

/**
 * Sends requests to one URL with these headers, through the egress guard. `bytesMax` applies to all responses
 * together, so that lists of pages are bounded.
 */
export function egressTransport(
  egress: Egress,
  address: string,
  headers: Readonly<Record<string, string>>,
  bytesMax: number,
): McpSend {
  let bytes = 0
  return async ({ method, headers: own, message, timeoutMs, signal, onBody: take }) => {
    const answer = await egress.send({
      method,
      url: address,
      timeoutMs,
      bytesMax: Math.max(1, bytesMax - bytes),
      ...(signal && { signal }),
      sensitiveHeaders: Object.keys(headers),
      headers: {
        'user-agent': USER_AGENT,
        ...headers,
        ...own,
        ...(message && { 'content-type': 'application/json' }),
      },
      ...(message && { body: JSON.stringify(message) }),
      ...(take && {
        onBody: (status, received) => {
          const taker = take(status, received)
          return (
            taker &&
            ((chunk) => {
              bytes += chunk.length
              return taker(chunk)
            })
          )
        },
      }),
    })
    bytes += answer.body.length
    return {
      status: answer.status,
      headers: answer.headers,
      body: answer.body.length === 0 ? undefined : parsed(answer.body.toString('utf8')),
    }
  }
}

/** Text that cannot be parsed is no message. */
function parsed(text: string): unknown {
  try {
    return parseBoundedJson(text)
  } catch {
    return text
  }
}
