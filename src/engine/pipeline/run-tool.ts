import { ToolFailure } from '../../catalog/index.ts'
import { EgressError } from '../../platform/egress/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { keepJsonBytes } from '../../platform/json-bytes.ts'
import type { Connection, EngineDeps, Execution, FoundTool, Result } from '../types.ts'
import { RateLimited } from './attempts.ts'
import { renderTool } from './build-request.ts'
import { withDeclaredFile, withKeptFiles } from './file-answer.ts'
import { takesFiles, withFiles } from './file-arguments.ts'
import { hiderOf } from './hide.ts'
import { fillKeyArgument } from './idempotency.ts'
import { runCode } from './run-code.ts'
import type { RunMcp } from './run-mcp.ts'
import { send } from './send.ts'
import { failure, MESSAGE_MAX, shapeResult, waiting } from './shape-result.ts'

/** Runs the tool's request or its code; what the provider or the tool refuses is a result, what never reached it is an ApiError. */
export async function runTool(
  deps: EngineDeps,
  execution: Execution,
  found: FoundTool,
  connection: Connection,
  runMcp: RunMcp,
): Promise<Result> {
  const result = await outcome(deps, execution, found, connection, runMcp)
  return result.successful ? result : withoutCredentials(result, connection)
}

async function outcome(
  deps: EngineDeps,
  execution: Execution,
  found: FoundTool,
  connection: Connection,
  runMcp: RunMcp,
): Promise<Result> {
  try {
    fillKeyArgument(found, execution)
    if (found.tool.mcp) return tidied(found, execution, await runMcp(deps, execution, found, connection))
    const given = takesFiles(found.tool) ? await withFiles(deps, execution, found.tool) : execution
    if (found.tool.code) return tidied(found, execution, await runCode(deps, given, found, connection))
    const { answer } = await send(deps, execution, found, connection, renderTool(found, given, connection))
    const result = shapeResult(found, answer)
    if (result.successful && result.data === answer.body && answer.reply)
      keepJsonBytes(result.data, answer.reply.body)
    return result.successful
      ? tidied(
          found,
          execution,
          await withKeptFiles(deps, execution, found, withDeclaredFile(found, execution, result, answer)),
        )
      : result
  } catch (error) {
    if (error instanceof RateLimited) return limited(error)
    if (error instanceof ToolFailure) return failure(error.statusCode, error.message.slice(0, MESSAGE_MAX))
    if (error instanceof EgressError) return egressFailure(deps, found, error)
    throw error
  }
}

function limited({ statusCode, message, limiter, retryAfterMs }: RateLimited): Result {
  const result = failure(statusCode, message.slice(0, MESSAGE_MAX))
  return { ...result, data: { ...result.data, ...waiting(limiter, retryAfterMs) } }
}

/** Members renamed, and noise left out if the call asks for that. */
function tidied({ tool: { response } }: FoundTool, { arguments: args }: Execution, result: Result): Result {
  return result.successful && response.tidy ? { ...result, data: response.tidy(result.data, args) } : result
}

const sizeText = (bytes: number) =>
  bytes >= 1_000_000 ? `${Math.floor(bytes / 1_000_000)} MB` : `${bytes} bytes`

function egressFailure({ files }: EngineDeps, found: FoundTool, error: EgressError): Result {
  switch (error.kind) {
    case 'too_large':
      return failure(
        413,
        `The answer of the application is larger than ${sizeText(found.tool.limits.responseBytes ?? files.bytesMax)}; ask for less at once.`,
      )
    case 'timeout':
      throw new ApiError('ActionExecute_UpstreamTimeout', error.message, { cause: error })
    default:
      throw new ApiError('ActionExecute_UpstreamUnreachable', error.message, { cause: error })
  }
}

/** Some providers repeat a refused credential in their error. */
function withoutCredentials(result: Result, connection: Connection): Result {
  const hide = hiderOf(connection)
  const data = Object.fromEntries(
    Object.entries(result.data).map(([name, value]) => [
      name,
      typeof value === 'string' ? hide(value) : value,
    ]),
  )
  return { ...result, data, error: result.error && hide(result.error) }
}
