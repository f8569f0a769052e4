import {
  type Egress,
  EgressError,
  type EgressRequest,
  type EgressResponse,
} from '../../src/platform/egress/index.ts'
import type { WireReply, WireRequest } from './wire.ts'

/** An exchange with a simulated application, for who wants to look. */
export interface Exchanged {
  readonly request: WireRequest
  readonly reply: WireReply
}

/** A way out that leads to no network: `answer` has the reply to every request, or undefined where nobody answers. */
export function simulatedEgress(
  answer: (request: WireRequest) => WireReply | undefined,
  seen: (exchanged: Exchanged) => void = () => {},
): Egress {
  return {
    async send({ method, url, headers = {}, body, signal }: EgressRequest): Promise<EgressResponse> {
      if (signal?.aborted) throw new EgressError('aborted', 'the call was ended.')
      const request: WireRequest = {
        method,
        url: String(url),
        headers: lowered(headers),
        body: Buffer.from(body ?? ''),
      }
      const reply = answer(request)
      if (!reply)
        throw new EgressError(
          'connect',
          `${new URL(request.url).host}: no simulated application has this address.`,
        )
      seen({ request, reply })
      return {
        status: reply.status,
        headers: {
          'content-type': reply.text === undefined ? 'application/json' : 'text/plain',
          ...reply.headers,
        },
        body: bytesOf(reply),
        url: request.url,
      }
    },
    check() {},
    lease: () => ({ add: () => true, release() {} }),
    async close() {},
    stats: () => ({ origins: 0, connections: 0, running: 0, waiting: 0 }),
  }
}

const lowered = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

export const bytesOf = ({ json, text }: WireReply): Buffer =>
  Buffer.from(json === undefined ? (text ?? '') : JSON.stringify(json))
