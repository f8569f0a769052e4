import { JsonTooComplex } from '../../bounded-json.ts'
import { complexityProblem, textProblem } from '../../http/middleware/json-body.ts'
import { objectOfBody, type ReceivedBody } from '../../http/middleware/receive-large-body.ts'
import { isLargeBody } from '../../http/turns/request-turns.ts'
import { parseInSlices } from '../../http/turns/parse-in-slices.ts'
import { runInSlices } from '../../http/turns/run-in-slices.ts'
import { getOwn } from '../../json-object.ts'
import { defineMember, isPartlyUnparsed, unparsedMember } from '../../json-outline/index.ts'
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
  /** Arguments of the only message, which has none in their place: the SDK would copy them, and so parse them. */
  largeArguments?: Record<string, unknown> | undefined
}

/** A body, or what is wrong with it. */
interface ParsedBody {
  readonly body?: unknown
  readonly nesting?: string
  readonly isInvalid?: true
  readonly problem?: string | undefined
  readonly largeArguments?: Record<string, unknown> | undefined
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

/** Returns a body that a thread has checked. Large arguments of a tool stay bytes until something reads them. */
async function readCheckedBody({ bytes, outline }: ReceivedBody): Promise<ParsedBody> {
  if (outline.kind === 'other') return runInSlices(parseLargeBody(bytes.toString('utf8')))
  if (outline.kind === 'invalid') return { isInvalid: true }
  if (outline.kind === 'rejected')
    return outline.isTooComplex ? { nesting: outline.reason } : { problem: outline.reason }
  const body = objectOfBody(bytes, outline)
  const largeArguments = removeLargeArguments(body)
  return { body: await parseInSlices(body), largeArguments }
}

/** Returns the arguments of a call of a tool, and replaces them in the message, if properties of them are unparsed. */
function removeLargeArguments(message: Record<string, unknown>): Record<string, unknown> | undefined {
  if (parsedMember(message, 'method') !== 'tools/call') return undefined
  const params = parsedMember(message, 'params')
  const args = parsedMember(params, 'arguments')
  if (!isPartlyUnparsed(args)) return undefined
  defineMember(params as object, 'arguments', {})
  // The SDK removes it from arguments that it copies.
  delete args['__proto__']
  return args
}

/** Returns a property unless reading it would parse it in one piece. */
const parsedMember = (value: unknown, name: string): unknown =>
  isPartlyUnparsed(value) && unparsedMember(value, name) ? undefined : getOwn(value, name)

/** Reads the messages of a request, or returns the response to an invalid one. A large body is parsed in slices. */
export async function readMessages({
  method,
  text,
  largeBody,
}: {
  method: string
  text: string
  /** A body that was received before, instead of the text. */
  largeBody?: ReceivedBody | undefined
}): Promise<RequestMessages | { error: Response }> {
  if (method !== 'POST') return { body: undefined, messages: [] }
  const parsed = largeBody
    ? await readCheckedBody(largeBody)
    : isLargeBody(text.length)
      ? await runInSlices(parseLargeBody(text))
      : parseBody(text)
  const { body, nesting, isInvalid, problem, largeArguments } = parsed
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
  return { body, messages, largeArguments }
}

const invalidRequest = (reason: string) => ({
  error: errorResponse(400, RPC_ERRORS.invalidRequest, `Invalid request: ${reason}.`),
})

export const errorResponse = (status: number, code: number, message: string, id: unknown = null): Response =>
  Response.json({ jsonrpc: '2.0', id, error: { code, message } }, { status })
