import { describeMissingToolkit, type FileBytes, ToolFailure } from '../../catalog/index.ts'
import { EgressError, type EgressResponse } from '../../platform/egress/index.ts'
import { ApiError, badRequest } from '../../platform/http/api-error.ts'
import { toApiError } from '../../platform/http/server/api-errors.ts'
import { type RunReport, UNCHANGED, type Unchanged } from '../../platform/pipeline.ts'
import type { EngineAccount, PendingApproval } from '../dependencies.ts'
import type { CallTrace } from '../execution-log/call-trace.ts'
import { readProxyBody } from '../files/proxy-body.ts'
import { renderProxyRequest } from '../http/proxy-request.ts'
import { toProxyResponse } from '../http/proxy-response.ts'
import { createProxyTool, PROXY_SLUG } from '../http/proxy-tool.ts'
import { hostsOf } from '../http/same-site.ts'
import { RateLimited } from '../throttling/rate-limited.ts'
import type { PreparedCall, ProxyCall, ProxyResponse, ToolCall, ToolResult } from '../types.ts'
import type {
  CallStart,
  HasArguments,
  HasAuthorization,
  HasConnection,
  HasDeadline,
  HasOperation,
  HasRepeatability,
  HasRequest,
  HasResponse,
  HasSignal,
  HasTool,
  StepDeps,
} from './context.ts'
import { writeOutcome } from './log-outcome.ts'

/** Fields that a proxied request starts with. */
export interface ProxyStart {
  readonly proxyCall: ProxyCall
  readonly logId: string
  readonly trace: CallTrace
}
type ProxyContext = ProxyStart & CallStart & HasTool & HasOperation & HasArguments
interface HasProxyBody {
  readonly proxyBody: FileBytes | undefined
}

/** Finds the account, and describes the request as a call of the proxy tool. It is sent once. */
export async function findProxyAccount(
  { proxyCall }: ProxyStart,
  deps: StepDeps,
): Promise<Omit<ProxyContext, keyof ProxyStart> & CallFields & HasDeadline & HasSignal & HasRepeatability> {
  const { account, toolkitSlug } = await findToolkitSlug(proxyCall, deps)
  const toolkit = deps.catalog.toolkit(toolkitSlug)
  if (!toolkit)
    throw new ApiError('Toolkit_ToolkitNotFound', describeMissingToolkit(deps.catalog, toolkitSlug))
  const tool = createProxyTool(toolkit, proxyCall.method)
  const resolvedTool = { toolkit, version: toolkit.version, tool }
  const call = toToolCall(proxyCall, account)
  return {
    call,
    resolvedTool,
    operation: resolvedTool,
    arguments: call.arguments,
    signal: proxyCall.signal,
    deadlineAt: undefined,
    isRepeatable: false,
  }
}
type CallFields = Pick<CallStart, 'call'>

async function findToolkitSlug(
  { projectId, connectedAccountId, customConnection, changesConfirmed }: ProxyCall,
  { accounts }: StepDeps,
): Promise<{ account?: EngineAccount; toolkitSlug: string }> {
  if (customConnection) return { toolkitSlug: customConnection.toolkitSlug }
  if (connectedAccountId === undefined) {
    throw new ApiError('ActionProxy_MissingAuthContext', 'The request names no connected account.')
  }
  const account = await accounts.findById(projectId, connectedAccountId, changesConfirmed)
  if (account) return { account, toolkitSlug: account.toolkit }
  throw new ApiError(
    'ConnectedAccount_ResourceNotFound',
    `Connected account "${connectedAccountId}" not found`,
  )
}

/** The API names no user for a proxied request, so only a shared account requires one. */
function toToolCall(proxyCall: ProxyCall, account: EngineAccount | undefined): ToolCall {
  const { projectId, settings, connectedAccountId, userId, customConnection } = proxyCall
  const { requestId, source, signal, log, parent, changesConfirmed } = proxyCall
  return {
    projectId,
    settings: { ...settings, checkOwner: settings.checkOwner && Boolean(account?.shared) },
    toolSlug: PROXY_SLUG,
    version: 'latest',
    userId,
    connectedAccountId,
    customConnection,
    requestId,
    source,
    signal,
    log,
    parent,
    changesConfirmed,
    arguments: loggedArguments(proxyCall),
  }
}

/** Header values may be secrets of the caller, and binary bodies are long: neither is logged. */
function loggedArguments({ method, endpoint, body, binaryBody, parameters }: ProxyCall) {
  const args: Record<string, unknown> = { method, endpoint }
  if (body !== undefined) args['body'] = body
  if (binaryBody) {
    const { url } = binaryBody
    args['binary_body'] = url === undefined ? { base64: '…' } : { url: url.split('?')[0] }
  }
  if (parameters?.length) {
    args['parameters'] = parameters.map(({ name, type, value }) =>
      type === 'header' ? { name, type } : { name, type, value },
    )
  }
  return args
}

/** Writes the log row of a proxied request. The URL of a file is not logged. */
export function logProxyOutcome(
  context: ProxyContext & Partial<HasConnection>,
  deps: StepDeps,
  { outcome, error }: RunReport<ProxyResponse>,
): Promise<void> {
  return writeOutcome(context, deps, outcome ? toResult(outcome) : failedResult(error))
}

function toResult({ status, data = null, file }: ProxyResponse): ToolResult {
  const isSuccess = status < 400
  return {
    data: { status, data, ...(file && { file: file.key }) },
    error: isSuccess ? null : `The application returned status ${status}.`,
    successful: isSuccess,
    statusCode: status,
  }
}

const failedResult = (error: unknown): ToolResult => ({
  data: {},
  error: toApiError(error).message,
  successful: false,
  statusCode: null,
})

/** Rejects the request if a hook of the session applies to the toolkit, since hooks inspect only tools. */
export async function rejectProxyWithHooks(
  context: ProxyContext & HasConnection,
  deps: StepDeps,
): Promise<Unchanged> {
  await deps.hooks?.rejectProxyCall(prepareProxyCall(context, deps))
  return UNCHANGED
}

/** Applies the policies. A request that a person has to approve is rejected: its response is the application's. */
export async function authorizeProxy(
  context: ProxyContext & HasConnection,
  deps: StepDeps,
): Promise<HasAuthorization> {
  const decision = await deps.policies?.authorize(prepareProxyCall(context, deps))
  if (!decision) return { isAuthorized: true }
  if ('restore' in decision) return { isAuthorized: true, usedApproval: decision }
  throw approvalError(decision)
}

function prepareProxyCall(
  { call, proxyCall, resolvedTool, connection, logId }: ProxyContext & HasConnection,
  { catalog }: StepDeps,
): PreparedCall {
  const { method, endpoint, body, binaryBody, parameters } = proxyCall
  return {
    catalog,
    call,
    resolvedTool,
    connection,
    logId,
    arguments: { method, endpoint, body, binary_body: binaryBody, parameters },
    loggedArguments: call.arguments,
    isProxy: true,
  }
}

function approvalError({ result: { error, data } }: PendingApproval): ApiError {
  const { id, status, url } = (data['approval'] ?? {}) as Record<string, unknown>
  const code = status === 'pending' ? 'ActionExecute_ApprovalRequired' : 'ActionExecute_PolicyRefused'
  const details = [`approval_id: ${String(id)}`, ...(url === undefined ? [] : [`url: ${String(url)}`])]
  return new ApiError(code, error ?? '', { details })
}

export async function loadProxyBody({ proxyCall }: ProxyStart, deps: StepDeps): Promise<HasProxyBody> {
  return { proxyBody: await readProxyBody(deps, proxyCall) }
}

export async function buildProxyRequest(
  { proxyCall, operation, connection, proxyBody }: ProxyContext & HasConnection & HasProxyBody,
  { catalog, files }: StepDeps,
): Promise<HasRequest> {
  const toolkitHosts = () => hostsOf(catalog, operation.toolkit)
  const rendered = await renderProxyRequest(proxyCall, operation, connection, proxyBody, toolkitHosts)
  return { ...rendered, requestOptions: { ...rendered.requestOptions, bytesMax: files.bytesMax } }
}

export function shapeProxyResponse(
  { proxyCall, resolvedTool, connection, response }: ProxyContext & HasConnection & HasResponse,
  deps: StepDeps,
): Promise<ProxyResponse> {
  return toProxyResponse(deps, proxyCall, resolvedTool, connection, response.reply as EgressResponse)
}

/** Translates errors for the caller of a proxied request, who receives no result for them. */
export function throwProxyError(_context: ProxyStart, { files }: StepDeps, error: unknown): never {
  if (error instanceof RateLimited) {
    throw new ApiError('HTTP_TooManyRequests', error.message, { cause: error })
  }
  if (error instanceof ToolFailure) throw badRequest(`Error in payload: ${error.message}`)
  if (!(error instanceof EgressError)) throw toApiError(error)
  switch (error.kind) {
    case 'timeout':
      throw new ApiError('ActionExecute_UpstreamTimeout', error.message, { cause: error })
    case 'too_large': {
      const megabytes = Math.floor(files.bytesMax / 1_000_000)
      const message = `The response of the application is larger than ${megabytes} MB.`
      throw new ApiError('File_TooLarge', message, { cause: error })
    }
    case 'busy':
      throw new ApiError('HTTP_ServiceUnavailable', error.message, { cause: error })
    default:
      throw new ApiError('ActionExecute_UpstreamUnreachable', error.message, { cause: error })
  }
}
