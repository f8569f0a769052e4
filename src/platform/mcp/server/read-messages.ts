import { complexityProblem, textProblem } from '../../http/middleware/json-body.ts'

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

/** Reads the messages of a request, or returns the response to an invalid one. */
export function readMessages({
  method,
  text,
}: {
  method: string
  text: string
}): RequestMessages | { error: Response } {
  if (method !== 'POST') return { body: undefined, messages: [] }
  const nesting = complexityProblem(text)
  if (nesting)
    return { error: errorResponse(400, RPC_ERRORS.parseError, `Parse error: the body ${nesting}.`) }
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return { error: errorResponse(400, RPC_ERRORS.parseError, 'Parse error: the body is not JSON.') }
  }
  const problem = textProblem(text, body)
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
