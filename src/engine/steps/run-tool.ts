import { ToolFailure } from '../../catalog/index.ts'
import type { RenderedRequest } from '../../catalog/index.ts'
import { EgressError } from '../../platform/egress/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Connection, EngineDeps, Execution, FoundTool, Result } from '../types.ts'
import { renderTool } from './build-request.ts'
import { keep, withDeclaredFile, withKeptFiles } from './file-answer.ts'
import { takesFiles, withFiles } from './file-arguments.ts'
import { hiderOf } from './hide.ts'
import type { RunMcp } from './run-mcp.ts'
import { send } from './send.ts'
import { asObject, failure, MESSAGE_MAX, shapeResult } from './shape-result.ts'

/** Runs the tool's request or its code; what the provider or the tool refuses is a result, what never reached it is an ApiError. */
export async function runTool(deps: EngineDeps, execution: Execution, found: FoundTool, connection: Connection, runMcp: RunMcp): Promise<Result> {
  const result = await outcome(deps, execution, found, connection, runMcp)
  return result.successful ? result : withoutCredentials(result, connection)
}

async function outcome(deps: EngineDeps, execution: Execution, found: FoundTool, connection: Connection, runMcp: RunMcp): Promise<Result> {
  try {
    if (found.tool.mcp) return tidied(found, execution, await runMcp(deps, execution, found, connection))
    const given = takesFiles(found.tool) ? await withFiles(deps, execution, found.tool) : execution
    if (found.tool.code) return await runCode(deps, given, found, connection)
    const { answer } = await send(deps, execution, found, connection, renderTool(found, given, connection))
    const result = shapeResult(found, answer)
    return result.successful ? tidied(found, execution, await withKeptFiles(deps, execution, found, withDeclaredFile(found, execution, result, answer))) : result
  } catch (error) {
    if (error instanceof ToolFailure) return failure(error.statusCode, error.message.slice(0, MESSAGE_MAX))
    if (error instanceof EgressError) return egressFailure(deps, found, error)
    throw error
  }
}

async function runCode(deps: EngineDeps, execution: Execution, found: FoundTool, connection: Connection): Promise<Result> {
  const code = await found.tool.code?.()
  if (!code) throw new Error(`${found.tool.slug} has no code`)
  let current = connection
  let status: number | null = null
  const data = await code(execution.arguments, {
    now: () => deps.clock.now(),
    signal: execution.signal,
    saveFile: (file) => keep(deps, execution, found, file),
    async request({ method, path, query = {}, headers = {}, body, body_type = 'json' }) {
      const rendered: RenderedRequest = { method, path: ownPath(path), query: queryList(query), headers: { ...headers }, body, bodyType: body_type }
      const sent = await send(deps, execution, found, current, rendered)
      current = sent.connection
      status = sent.answer.status
      const result = shapeResult(found, sent.answer)
      if (!result.successful) throw new ToolFailure(result.error ?? 'The application refused the request.', result.statusCode === null ? {} : { statusCode: result.statusCode })
      return sent.answer.body
    },
  })
  return tidied(found, execution, { data: asObject(data, found.tool.response.wrap), error: null, successful: true, statusCode: status })
}

/** Members renamed, and noise left out if the call asks for that. */
function tidied({ tool: { response } }: FoundTool, { arguments: args }: Execution, result: Result): Result {
  return result.successful && response.tidy ? { ...result, data: response.tidy(result.data, args) } : result
}

/** Below the base address of the account: whatever a code tool puts together from its arguments, the credentials go nowhere else. */
function ownPath(path: string): string {
  if (!path.startsWith('/') || path.startsWith('//') || /[\\\s#]|(^|\/)(\.|%2e){1,2}(\/|\?|$)/i.test(path)) throw new Error(`A code tool asked for a path that is none: ${path.slice(0, 100)}`)
  return path
}

const queryList = (query: Readonly<Record<string, unknown>>): [string, string][] =>
  Object.entries(query).flatMap(([name, value]) => (Array.isArray(value) ? value : [value]).filter((one) => one !== undefined && one !== null).map((one): [string, string] => [name, String(one)]))

const sizeText = (bytes: number) => bytes >= 1_000_000 ? `${Math.floor(bytes / 1_000_000)} MB` : `${bytes} bytes`

function egressFailure({ files }: EngineDeps, found: FoundTool, error: EgressError): Result {
  switch (error.kind) {
    case 'too_large': return failure(413, `The answer of the application is larger than ${sizeText(found.tool.limits.responseBytes ?? files.bytesMax)}; ask for less at once.`)
    case 'timeout': throw new ApiError('ActionExecute_UpstreamTimeout', error.message, { cause: error })
    default: throw new ApiError('ActionExecute_UpstreamUnreachable', error.message, { cause: error })
  }
}

/** Some providers repeat a refused credential in their error. */
function withoutCredentials(result: Result, connection: Connection): Result {
  const hide = hiderOf(connection)
  const data = Object.fromEntries(Object.entries(result.data).map(([name, value]) => [name, typeof value === 'string' ? hide(value) : value]))
  return { ...result, data, error: result.error && hide(result.error) }
}
