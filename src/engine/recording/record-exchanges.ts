import type { Egress, EgressRequest, EgressResponse } from '../../platform/egress/index.ts'
import { type RecordedExchange, toRecordedBody } from './recorded-call.ts'

/** A longer body is left out of an exchange. The result of the call contains what the tool made of it. */
const BODY_BYTES_MAX = 1_000_000

/** Returns the exchange with its secrets, which must be redacted before it is stored. */
export function toRecordedExchange(request: EgressRequest, response: EgressResponse): RecordedExchange {
  const headers = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
  )
  return {
    request: {
      method: request.method,
      url: String(request.url),
      headers: { ...request.headers },
      ...optionalBody(request.body),
    },
    answer: { status: response.status, headers, ...optionalBody(response.body) },
  }
}

function optionalBody(body: string | Buffer | undefined): Pick<RecordedExchange['request'], 'body'> {
  const recorded = body !== undefined && body.length <= BODY_BYTES_MAX ? toRecordedBody(body) : undefined
  return recorded ? { body: recorded } : {}
}

/** Returns an egress that adds each exchange to `exchanges`, with its secrets. */
export function recordExchanges(egress: Egress, exchanges: RecordedExchange[]): Egress {
  return {
    ...egress,
    async send(request) {
      const response = await egress.send(request)
      exchanges.push(toRecordedExchange(request, response))
      return response
    },
  }
}
