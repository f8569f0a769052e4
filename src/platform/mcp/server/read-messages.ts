import { JsonTooComplex } from '../../bounded-json.ts'
import { complexityProblem, textProblem } from '../../http/middleware/json-body.ts'
import { isLargeBody } from '../../http/turns/request-turns.ts'
import { runInSlices } from '../../http/turns/run-in-slices.ts'
import { parseJsonInPieces } from '../../json-pieces.ts'
import { findFaultInPieces, REQUEST_BOUNDS } from '../../request-json.ts'

/** JSON-RPC error codes (JSON-RPC 2.0 §5.1). */
export const RPC_ERRORS = {
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  parseError: -32_700,
  methodNotAllowed: -32_000,
} as const

/** Messages in one request: a batch, which only revision 2025-03-26 has. */
const BATCH_MAX = 50

export interface McpMessage {
  id?: unknown
  method?: unknown
  params?: Record<string, unknown> & { _meta?: Record<string, unknown> }
}

/** The body of a request, and the messages in it. */
export interface RequestMessages {
  body: unknown
  messages: readonly McpMessage[]
}

/** A body, or what is wrong with it. */
interface ParsedBody {
  readonly body?: unknown
  readonly nesting?: string
  readonly isInvalid?: true
  readonly problem?: string | undefined
}

function parseBody(text: string): ParsedBody {
  const nesting = complexityProblem(text)
  if (nesting) return { nesting }
  try {
    const body = JSON.parse(text) as unknown
    return { body, problem: textProblem(text, body) }
  } catch {
    return { isInvalid: true }
  }
}

/** The same for a large body. Yields, so that the process handles other requests meanwhile. */
function* parseLargeBody(text: string): Generator<void, ParsedBody> {
  try {
    const body = yield* parseJsonInPieces(text, REQUEST_BOUNDS)
    return { body, problem: yield* findFaultInPieces(text, body, true) }
  } catch (error) {
    return error instanceof JsonTooComplex ? { nesting: error.message } : { isInvalid: true }
  }
}

/** Reads the messages of a request, or returns the response to an invalid one. A large body is parsed in slices. */
export async function readMessages({
  method,
  text,
}: {
  method: string
  text: string
}): Promise<RequestMessages | { error: Response }> {
  if (method !== 'POST') return { body: undefined, messages: [] }
  const parsed = isLargeBody(text.length) ? await runInSlices(parseLargeBody(text)) : parseBody(text)
  const { body, nesting, isInvalid, problem } = parsed
  if (nesting)
    return { error: errorResponse(400, RPC_ERRORS.parseError, `Parse error: the body ${nesting}.`) }
  if (isInvalid)
    return { error: errorResponse(400, RPC_ERRORS.parseError, 'Parse error: the body is not JSON.') }
  if (problem) return invalidRequest(problem)
  const messages = Array.isArray(body) ? body : [body]
  if (!messages.length || messages.length > BATCH_MAX)
    return invalidRequest(`a batch holds 1 to ${BATCH_MAX} messages`)
  if (messages.some((one) => typeof one !== 'object' || one === null || Array.isArray(one)))
    return invalidRequest('a message is an object')
  // Lists do not change during a request, so there are no changes to subscribe to.
  const listening = (messages as McpMessage[]).find((one) => one.method === 'subscriptions/listen')
  if (listening)
    return {
      error: errorResponse(
        200,
        RPC_ERRORS.methodNotFound,
        'Method not found: this server sends no change notifications.',
        listening.id,
      ),
    }
  return { body, messages }
}

const invalidRequest = (reason: string) => ({
  error: errorResponse(400, RPC_ERRORS.invalidRequest, `Invalid request: ${reason}.`),
})

export const errorResponse = (status: number, code: number, message: string, id: unknown = null): Response =>
  Response.json({ jsonrpc: '2.0', id, error: { code, message } }, { status })
