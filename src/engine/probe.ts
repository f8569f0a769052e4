import { lookupOf, type Setup, withoutSecrets } from '../auth-schemes/index.ts'
import { compileTemplate, type FoundTool, renderAddress, type Toolkit } from '../catalog/index.ts'
import { type Egress, EgressError } from '../platform/egress/index.ts'
import { buildRequest } from './steps/build-request.ts'
import { fresh } from './steps/fresh.ts'
import { meaningOf, readAnswer, shapeResult } from './steps/shape-result.ts'

const TIMEOUT_MS = 15_000

/** `refused`: the application said no; otherwise it could not be asked. */
export type Probed = { ok: true } | { ok: false, refused: boolean, message: string }

/** One harmless request with credentials that are not stored yet: does the application take them? */
export async function probeCredentials(egress: Egress, toolkit: Toolkit, setup: Setup, { path, method = 'GET' }: { path: string, method?: string }, now: number): Promise<Probed> {
  // Only what reading an answer takes; there is no tool.
  const found = { toolkit, version: toolkit.version, tool: { response: { pick: undefined, wrap: undefined }, successWhen: toolkit.successWhen, request: undefined } } as unknown as FoundTool
  const target = renderAddress(compileTemplate(path), lookupOf(setup))
  const connection = { kind: 'custom' as const, setup }
  const request = buildRequest(found, { method, path: target, query: [], headers: {}, body: undefined, bodyType: 'json' }, connection, await fresh(connection, now))
  try {
    const answer = readAnswer(await egress.send({ ...request, timeoutMs: TIMEOUT_MS }))
    const result = shapeResult(found, answer)
    if (result.successful) return { ok: true }
    const meaning = meaningOf(found, answer)
    return { ok: false, refused: meaning !== 'transient' && meaning !== 'rate_limit', message: withoutSecrets(result.error ?? '', setup) }
  } catch (error) {
    if (error instanceof EgressError) return { ok: false, refused: false, message: error.message }
    throw error
  }
}
