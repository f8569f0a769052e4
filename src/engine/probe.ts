import { lookupOf, noteOf, type SchemeTools, type Setup, withoutSecrets } from '../auth-schemes/index.ts'
import { compileTemplate, type FoundTool, renderAddress, type Toolkit } from '../catalog/index.ts'
import { EgressError, type EgressRequest } from '../platform/egress/index.ts'
import { buildRequest, translation } from './steps/build-request.ts'
import { fresh } from './steps/fresh.ts'
import { meaningOf, readAnswer, shapeResult } from './steps/shape-result.ts'

const TIMEOUT_MS = 15_000

type TextRequest = EgressRequest & { url: string, body?: string }

/** `refused`: the application said no; otherwise it could not be asked. `status`: null when there was no answer. */
export type Probed = { ok: true } | { ok: false, refused: boolean, status: number | null, message: string }

/** One harmless request with credentials that are not stored yet: does the application take them? `tools.note` is told of it. @throws ApiError when the request cannot be made */
export async function probeCredentials(tools: SchemeTools, toolkit: Toolkit, setup: Setup, request: { path: string, method?: string }): Promise<Probed> {
  // Only what reading an answer takes; there is no tool.
  const found = { toolkit, version: toolkit.version, tool: { response: { pick: undefined, wrap: undefined }, successWhen: toolkit.successWhen, request: undefined } } as unknown as FoundTool
  const sent = await requestOf(found, setup, request, tools.now())
  const began = performance.now()
  try {
    const reply = await tools.egress.send({ ...sent, timeoutMs: TIMEOUT_MS })
    const answer = readAnswer(reply)
    const result = shapeResult(found, answer)
    // Of a good answer the body is data of a person, and says nothing about the connection.
    tools.note?.(noteOf(sent, { ...answer, body: result.successful ? undefined : answer.body, text: reply.body.toString('utf8') }, performance.now() - began))
    if (result.successful) return { ok: true }
    const meaning = meaningOf(found, answer)
    return { ok: false, refused: meaning !== 'transient' && meaning !== 'rate_limit', status: answer.status, message: withoutSecrets(result.error ?? '', setup) }
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    tools.note?.(noteOf(sent, { error }, performance.now() - began))
    return { ok: false, refused: false, status: null, message: error.message }
  }
}

async function requestOf(found: FoundTool, setup: Setup, { path, method = 'GET' }: { path: string, method?: string }, now: number): Promise<TextRequest> {
  const connection = { kind: 'custom' as const, setup }
  let target: string
  try {
    target = renderAddress(compileTemplate(path), lookupOf(setup))
  } catch (error) {
    throw translation(error)
  }
  return buildRequest(found, { method, path: target, query: [], headers: {}, body: undefined, bodyType: 'json' }, connection, await fresh(connection, now)) as TextRequest
}
