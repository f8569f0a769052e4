import { ToolFailure } from '../../catalog/index.ts'
import type { RenderedRequest } from '../../catalog/index.ts'
import { EgressError } from '../../platform/egress/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Connection, EngineDeps, Execution, FoundTool, Result } from '../types.ts'
import { renderTool } from './build-request.ts'
import { send } from './send.ts'
import { failure, type ProviderAnswer, shapeResult } from './shape-result.ts'

/** Runs the tool's request or its code; what the provider or the tool refuses is a result, what never reached it is an ApiError. */
export async function runTool(deps: EngineDeps, execution: Execution, found: FoundTool, connection: Connection): Promise<Result> {
  try {
    return found.tool.code ? await runCode(deps, execution, found, connection) : shapeResult(found, await send(deps, execution, found, connection, renderTool(found, execution, connection)))
  } catch (error) {
    if (error instanceof ToolFailure) return failure(error.statusCode, error.message)
    if (error instanceof EgressError) return egressFailure(error)
    throw error
  }
}

async function runCode(deps: EngineDeps, execution: Execution, found: FoundTool, connection: Connection): Promise<Result> {
  const code = await found.tool.code?.()
  if (!code) throw new Error(`${found.tool.slug} has no code`)
  let last: ProviderAnswer | undefined
  const data = await code(execution.arguments, {
    now: () => deps.clock.now(),
    signal: execution.signal,
    async request({ method, path, query = {}, headers = {}, body, body_type = 'json' }) {
      const rendered: RenderedRequest = { method, path, query: queryList(query), headers: { ...headers }, body, bodyType: body_type }
      last = await send(deps, execution, found, connection, rendered)
      const result = shapeResult(found, last)
      if (!result.successful) throw new ToolFailure(result.error ?? 'The application refused the request.', result.statusCode === null ? {} : { statusCode: result.statusCode })
      return last.body
    },
  })
  return { data: isRecord(data) ? data : Array.isArray(data) ? { items: data } : { value: data }, error: null, successful: true, statusCode: last?.status ?? null }
}

const queryList = (query: Readonly<Record<string, unknown>>): [string, string][] =>
  Object.entries(query).flatMap(([name, value]) => (Array.isArray(value) ? value : [value]).filter((one) => one !== undefined && one !== null).map((one): [string, string] => [name, String(one)]))

function egressFailure(error: EgressError): Result {
  switch (error.kind) {
    case 'too_large': return failure(413, 'The answer of the application is larger than 10 MB; ask for less at once.')
    case 'timeout': throw new ApiError('ActionExecute_UpstreamTimeout', error.message, { cause: error })
    default: throw new ApiError('ActionExecute_UpstreamUnreachable', error.message, { cause: error })
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
