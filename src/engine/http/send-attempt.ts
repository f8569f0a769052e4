import {
  type Egress,
  EgressError,
  type EgressRequest,
  type EgressResponse,
} from '../../platform/egress/index.ts'
import { awaitWithoutTurn, bodyCostMs } from '../../platform/http/turns/request-turns.ts'
import { type CallTrace, timed } from '../execution-log/call-trace.ts'
import type { CallRecorder } from '../recording/recordings.ts'
import type { ResolvedOperation } from '../pipeline/context.ts'
import type { Turn } from '../throttling/index.ts'
import type { ToolCall } from '../types.ts'
import { type ProviderResponse, readProviderResponse } from './provider-response.ts'

interface Sending {
  readonly trace: CallTrace
  readonly recorder?: CallRecorder | undefined
}

/** Errors after which no byte of the request has left. */
const NOTHING_SENT: ReadonlySet<EgressError['kind']> = new Set([
  'refused_address',
  'refused_url',
  'dns',
  'connect',
  'busy',
  'tls',
])

interface Attempting extends Sending {
  readonly call: Pick<ToolCall, 'projectId' | 'sendsUnchanged' | 'paging'>
  readonly operation: ResolvedOperation
  readonly signal: AbortSignal
}

/** Sends a request once and releases its turn. Errors of the network are returned. */
export async function sendAttempt(
  context: Attempting,
  egress: Egress,
  request: EgressRequest,
  turn: Turn,
): Promise<ProviderResponse | EgressError> {
  try {
    const timeoutMs = Math.min(request.timeoutMs, turn.leftMs)
    const { signal } = context
    const response = await sendCounted(context, egress, { ...request, timeoutMs, signal })
    return await readProviderResponse(response, isSentUnchanged(context) ? context.call.projectId : undefined)
  } catch (error) {
    if (error instanceof EgressError) return error
    throw error
  } finally {
    turn.release()
  }
}

/** Whether a successful response is the result of the call as it is, so that no step reads its properties. */
function isSentUnchanged({ call, operation: { tool }, recorder }: Attempting): boolean {
  if (!call.sendsUnchanged || call.paging || recorder) return false
  const { pick, tidy, file } = tool.response
  return !pick && !tidy && !file && !tool.successWhen
}

/** Sends a request, counts it for the log, and records it if the call is recorded. */
export async function sendCounted(
  { trace, recorder }: Sending,
  egress: Egress,
  request: EgressRequest,
): Promise<EgressResponse> {
  trace.requests++
  trace.requestBytes += request.body === undefined ? 0 : Buffer.byteLength(request.body)
  const sending = egress.send({ ...withCountedBody(request, trace), lease: trace.lease })
  const waiting = awaitWithoutTurn(timed(trace, 'application', sending), costOf)
  const response = await waiting.catch((error: unknown) => {
    trace.wasSent ||= !(error instanceof EgressError) || !NOTHING_SENT.has(error.kind)
    throw error
  })
  trace.wasSent = true
  trace.responseBytes += response.body.length
  recorder?.addExchange(request, response)
  return response
}

const costOf = ({ body }: EgressResponse): number => bodyCostMs(body.length)

/** A body that is read while it arrives is counted while it arrives. */
function withCountedBody(request: EgressRequest, trace: CallTrace): EgressRequest {
  const { onBody } = request
  if (!onBody) return request
  return {
    ...request,
    onBody(status, headers) {
      const onChunk = onBody(status, headers)
      return (
        onChunk &&
        ((chunk) => {
          trace.responseBytes += chunk.length
          return onChunk(chunk)
        })
      )
    },
  }
}
