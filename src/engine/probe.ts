import {
  lookupOf,
  noteOf,
  type SchemeTools,
  type ConnectionContext,
  withoutSecrets,
} from '../auth-schemes/index.ts'
import {
  type AskManifest,
  type FoundTool,
  type RenderedRequest,
  renderAsk,
  type Toolkit,
} from '../catalog/index.ts'
import { EgressError, type EgressRequest } from '../platform/egress/index.ts'
import { buildRequest, translated } from './pipeline/build-request.ts'
import { fresh } from './pipeline/fresh.ts'
import { meaningOf, readAnswer, shapeResult } from './pipeline/shape-result.ts'

const TIMEOUT_MS = 15_000
const BYTES_MAX = 1_000_000

type TextRequest = EgressRequest & { url: string; body?: string }

/** `refused`: the application said no to the credentials; otherwise it could not be asked, or its answer says nothing about them. `status`: null when there was no answer. */
export type Answered =
  | { ok: true; body: unknown }
  | { ok: false; refused: boolean; status: number | null; message: string }

/**
 * One harmless request of our own with the credentials of a connection, stored or not. @throws ApiError, ToolFailure when the connection lacks what the
 * request needs
 */
export async function askApplication(
  tools: SchemeTools,
  toolkit: Toolkit,
  setup: ConnectionContext,
  ask: AskManifest,
  timeoutMs = TIMEOUT_MS,
): Promise<Answered> {
  // Only what reading an answer takes; there is no tool.
  const found = {
    toolkit,
    version: toolkit.version,
    tool: {
      response: { pick: undefined, wrap: undefined },
      successWhen: toolkit.successWhen,
      request: undefined,
      limits: {},
    },
  } as unknown as FoundTool
  const connection = { kind: 'custom' as const, setup }
  const rendered = translated((): RenderedRequest => renderAsk(ask, lookupOf(setup)))
  const request = {
    ...(buildRequest(found, rendered, connection, await fresh(connection, tools.now())) as TextRequest),
    timeoutMs,
    bytesMax: BYTES_MAX,
  }
  const began = performance.now()
  try {
    const reply = await tools.egress.send(request)
    const answer = readAnswer(reply)
    const result = shapeResult(found, answer)
    // Of a good answer the body is data of a person, and says nothing about the connection.
    tools.note?.(
      noteOf(
        request,
        { ...answer, body: result.successful ? undefined : answer.body, text: reply.body.toString('utf8') },
        performance.now() - began,
      ),
    )
    if (result.successful) return { ok: true, body: answer.body }
    const meaning = meaningOf(found, answer)
    return {
      ok: false,
      refused: meaning !== 'transient' && meaning !== 'rate_limit',
      status: answer.status,
      message: withoutSecrets(result.error ?? '', setup),
    }
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    tools.note?.(noteOf(request, { error }, performance.now() - began))
    return { ok: false, refused: false, status: null, message: error.message }
  }
}
