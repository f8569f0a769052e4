import type { Egress } from '../../platform/egress/index.ts'
import { bodyOf, type TakenExchange } from './take.ts'

/** A longer body is left out of an exchange; the result of the execution has what the tool made of it. */
const BODY_BYTES_MAX = 1_000_000

/** The way out, and every exchange over it noted in `exchanges`, with its secrets: to be redacted before it is kept. */
export function watched(egress: Egress, exchanges: TakenExchange[]): Egress {
  return {
    ...egress,
    async send(request) {
      const answer = await egress.send(request)
      const [sent, got] = [request.body, answer.body].map((body) =>
        body !== undefined && body.length <= BODY_BYTES_MAX ? bodyOf(body) : undefined,
      )
      const headers = Object.fromEntries(
        Object.entries(answer.headers).map(([name, value]) => [name, String(value)]),
      )
      exchanges.push({
        request: {
          method: request.method,
          url: String(request.url),
          headers: { ...request.headers },
          ...(sent && { body: sent }),
        },
        answer: { status: answer.status, headers, ...(got && { body: got }) },
      })
      return answer
    },
  }
}
