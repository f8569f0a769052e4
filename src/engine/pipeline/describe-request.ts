import { finish, type Finished, UNCHANGED, type Unchanged } from '../../platform/pipeline.ts'
import type { EgressRequest } from '../../platform/egress/index.ts'
import { runCode } from '../code/run-code.ts'
import { describeEgressRequest } from '../http/describe-request.ts'
import { callMcpServer } from '../mcp/call-mcp-server.ts'
import type { RunningTool, SendToolRequest } from '../tool-request.ts'
import type { ToolConnection, ToolResult } from '../types.ts'
import { addCredentials } from './add-credentials.ts'
import type { HasArgumentFiles, HasConnection, HasSignedRequest, StepDeps } from './context.ts'
import { addIdempotencyKey } from './idempotency.ts'
import { isExpiring } from './refresh-expiring-token.ts'

/** Ends a tool that sends its requests itself at the first request. */
class FirstRequest extends Error {
  readonly request: EgressRequest

  constructor(request: EgressRequest) {
    super('A dry run sends nothing.')
    this.request = request
  }
}

const stopAtFirstRequest: SendToolRequest = async (context, deps) => {
  const request = { ...context, ...addIdempotencyKey(context) }
  throw new FirstRequest((await addCredentials(request, deps)).signedRequest)
}

/** Describes the call of a tool of an MCP server, and ends the call. Other tools continue. */
export function describeMcpCall(
  context: RunningTool,
  deps: StepDeps,
): Unchanged | Promise<Finished<ToolResult>> {
  if (!context.resolvedTool.tool.mcp) return UNCHANGED
  return describeFirstRequest(context, deps, callMcpServer(context, deps, stopAtFirstRequest))
}

/** Describes the first request of a tool that is code, and ends the call. Other tools continue. */
export function describeCodeRequest(
  context: RunningTool & HasArgumentFiles,
  deps: StepDeps,
): Unchanged | Promise<Finished<ToolResult>> {
  if (!context.resolvedTool.tool.code) return UNCHANGED
  return describeFirstRequest(context, deps, runCode(context, deps, stopAtFirstRequest))
}

async function describeFirstRequest(
  { connection }: HasConnection,
  deps: StepDeps,
  run: Promise<ToolResult>,
): Promise<Finished<ToolResult>> {
  try {
    const result = await run
    return finish(result.successful ? description(connection, deps, null) : result)
  } catch (error) {
    if (!(error instanceof FirstRequest)) throw error
    return finish(description(connection, deps, error.request))
  }
}

/** Returns the request instead of sending it. */
export function describeRequest(
  { connection, signedRequest }: HasConnection & HasSignedRequest,
  deps: StepDeps,
): ToolResult {
  return description(connection, deps, signedRequest)
}

function description(
  connection: ToolConnection,
  { clock }: StepDeps,
  request: EgressRequest | null,
): ToolResult {
  const needsRefresh = connection.kind === 'account' && isExpiring(connection.account, clock.now())
  return {
    data: {
      dry_run: true,
      request: request && describeEgressRequest(request, connection),
      credentials: needsRefresh ? 'would be refreshed first' : 'would be used as they are',
    },
    error: null,
    successful: true,
    statusCode: null,
  }
}
