import type { Setup } from '../auth-schemes/index.ts'
import type { FoundTool, Toolkit } from '../catalog/index.ts'
import { type Egress, EgressError } from '../platform/egress/index.ts'
import { buildRequest } from './steps/build-request.ts'
import { readAnswer, shapeResult } from './steps/shape-result.ts'

const TIMEOUT_MS = 15_000

/** One harmless request with credentials that are not stored yet: does the application take them? */
export async function probeCredentials(egress: Egress, toolkit: Toolkit, setup: Setup, { path, method = 'GET' }: { path: string, method?: string }): Promise<{ ok: boolean, message: string }> {
  const found = { toolkit, version: toolkit.version, tool: { response: { pick: undefined, wrap: undefined }, successWhen: toolkit.successWhen, request: undefined } } as unknown as FoundTool
  const request = buildRequest(found, { method, path, query: [], headers: {}, body: undefined, bodyType: 'json' }, { kind: 'custom', setup })
  try {
    const result = shapeResult(found, readAnswer(await egress.send({ ...request, timeoutMs: TIMEOUT_MS })))
    return { ok: result.successful, message: result.error ?? '' }
  } catch (error) {
    if (error instanceof EgressError) return { ok: false, message: error.message }
    throw error
  }
}
