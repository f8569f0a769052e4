import {
  type FoundTool,
  inProject,
  type Shared,
  type Tool,
  ToolFailure,
  type Toolkit,
} from '../catalog/index.ts'
import { EgressError, type EgressResponse } from '../platform/egress/index.ts'
import { ApiError, badRequest } from '../platform/http/api-error.ts'
import { toApiError } from '../platform/http/failures.ts'
import { hostsOf } from './same-site.ts'
import { RateLimited } from './pipeline/attempts.ts'
import { chooseConnection } from './pipeline/choose-connection.ts'
import { freshCredentials } from './pipeline/fresh-credentials.ts'
import { proxyAnswer } from './pipeline/proxy-answer.ts'
import { proxyBytes } from './pipeline/proxy-bytes.ts'
import { proxyRequest } from './pipeline/proxy-request.ts'
import { rowOf } from './pipeline/record.ts'
import { send } from './pipeline/send.ts'
import { timed, traced, traces } from './pipeline/trace.ts'
import type {
  Account,
  Connection,
  EngineDeps,
  Execution,
  Held,
  ProxyAnswer,
  ProxyCall,
  Result,
} from './types.ts'

/** What the log calls it, and what an auth config that allows only some tools would have to allow. */
export const PROXY_SLUG = 'PROXY_EXECUTE'

/** Sends a request of the caller's own with the credentials of an account. The steps are those of a tool, but for what the request is. */
export function proxyEngine(shared: Shared<EngineDeps>) {
  const newTrace = traces(shared.clock)

  return async function proxy(call: ProxyCall): Promise<ProxyAnswer> {
    const trace = newTrace()
    const deps = await inProject<EngineDeps>(shared, call.projectId)
    const logId = deps.newLogId()
    const { found, account } = await whoseRequest(deps, call)
    const execution = asExecution(call, account)
    let connection: Connection = { kind: 'none' }
    const row = (result?: Result) =>
      rowOf({ logId, execution, found, connection, trace, ...(result ? { result } : {}) })
    const out = {
      ...deps,
      egress: traced(deps.egress, trace, found.tool.effect === 'read' ? undefined : () => deps.record(row())),
    }
    try {
      connection = await timed(trace, 'account', chooseConnection(deps, execution, found))
      const { method, endpoint, body, binaryBody, parameters } = call
      const guarded = {
        catalog: deps.catalog,
        execution,
        found,
        connection,
        logId,
        arguments: { method, endpoint, body, binary_body: binaryBody, parameters },
        isProxy: true,
      }
      await deps.hooks?.refuseProxy(guarded)
      const held = await deps.guard?.check(guarded)
      if (held) throw heldBack(held)
      const bytes = await proxyBytes(deps, call)
      connection = await timed(trace, 'credentials', freshCredentials(deps, execution, connection))
      const { rendered, way } = await proxyRequest(call, found, connection, bytes, () =>
        hostsOf(deps.catalog, found.toolkit),
      )
      const sent = await send(out, execution, found, connection, rendered, {
        way: { ...way, bytesMax: deps.files.bytesMax },
      })
      const answer = await proxyAnswer(deps, call, found, connection, sent.answer.reply as EgressResponse)
      await record(asResult(answer))
      return answer
    } catch (error) {
      const failure = asApiError(deps, error)
      await record({ data: {}, error: failure.message, successful: false, statusCode: null })
      throw failure
    }

    async function record(result: Result): Promise<void> {
      try {
        await deps.record(row(result))
      } catch (error) {
        call.log?.error(
          { err: error, log_id: logId, request_id: call.requestId },
          'the log row of a proxied request could not be written',
        )
      }
    }
  }
}

export type Proxy = ReturnType<typeof proxyEngine>

/** The answer of a proxied request is what the application says, so one that was not made is a refusal. */
function heldBack({ answered: { error, data } }: Held): ApiError {
  const { id, status, url } = (data['approval'] ?? {}) as Record<string, unknown>
  return new ApiError(
    status === 'pending' ? 'ActionExecute_ApprovalRequired' : 'ActionExecute_PolicyRefused',
    error ?? '',
    { details: [`approval_id: ${String(id)}`, ...(url === undefined ? [] : [`url: ${String(url)}`])] },
  )
}

/** The toolkit that the request is for: that of the account, or of the credentials that came with the call. */
async function whoseRequest(
  { accounts, catalog }: EngineDeps,
  { projectId, connectedAccountId, customConnection, method }: ProxyCall,
): Promise<{ found: FoundTool; account?: Account }> {
  if (!customConnection && connectedAccountId === undefined)
    throw new ApiError('ActionProxy_MissingAuthContext', 'The request names no connected account.')
  const account = customConnection ? undefined : await accounts.byId(projectId, connectedAccountId as string)
  if (!customConnection && !account)
    throw new ApiError(
      'ConnectedAccount_ResourceNotFound',
      `Connected account "${connectedAccountId}" not found`,
    )
  const slug = customConnection?.toolkitSlug ?? (account as Account).toolkit
  const toolkit = catalog.toolkit(slug)
  if (!toolkit) throw new ApiError('Toolkit_ToolkitNotFound', `Toolkit ${slug} not found`)
  return {
    found: { toolkit, version: toolkit.version, tool: proxyTool(toolkit, method) },
    ...(account && { account }),
  }
}

/** Stands for a tool where the steps ask for one: limits are those of the toolkit, everything else is the caller's to say. */
export function proxyTool(toolkit: Toolkit, method: ProxyCall['method']): Tool {
  const effect = method === 'GET' || method === 'HEAD' ? 'read' : method === 'DELETE' ? 'delete' : 'update'
  const tool: Partial<Tool> = {
    slug: PROXY_SLUG,
    toolkit: toolkit.slug,
    name: 'Proxy',
    effect,
    idempotent: false,
    deprecated: false,
    aliases: [],
    noAuth: false,
    tags: [],
    scopeRequirements: null,
    scopes: [],
    input: {},
    output: {},
    response: { pick: undefined, wrap: undefined, tidy: undefined, file: undefined },
    limits: { argumentsBytes: undefined, responseBytes: undefined, bucket: undefined },
  }
  return tool as Tool
}

/** Header values may be secrets of the caller, and binary bodies are long: neither is logged. The API names no user here, so only a shared account asks for one. */
function asExecution(call: ProxyCall, account: Account | undefined): Execution {
  const {
    projectId,
    settings,
    connectedAccountId,
    userId,
    customConnection,
    requestId,
    source,
    signal,
    log,
    within,
    method,
    endpoint,
    body,
    binaryBody,
    parameters,
  } = call
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
    within,
    arguments: {
      method,
      endpoint,
      ...(body === undefined ? {} : { body }),
      ...(binaryBody && {
        binary_body: binaryBody.url === undefined ? { base64: '…' } : { url: binaryBody.url.split('?')[0] },
      }),
      ...(parameters?.length && {
        parameters: parameters.map(({ name, type, value }) =>
          type === 'header' ? { name, type } : { name, type, value },
        ),
      }),
    },
  }
}

/** As the log has it: the address of a file is not for the log. */
function asResult({ status, data = null, file }: ProxyAnswer): Result {
  const isFine = status < 400
  return {
    data: { status, data, ...(file && { file: file.key }) },
    error: isFine ? null : `The application answered ${status}.`,
    successful: isFine,
    statusCode: status,
  }
}

/** What got no answer, or could not be sent, as the caller reads it. */
function asApiError({ files }: EngineDeps, error: unknown): ApiError {
  if (error instanceof RateLimited)
    return new ApiError('HTTP_TooManyRequests', error.message, { cause: error })
  if (error instanceof ToolFailure) return badRequest(`Error in payload: ${error.message}`)
  if (!(error instanceof EgressError)) return toApiError(error)
  switch (error.kind) {
    case 'timeout':
      return new ApiError('ActionExecute_UpstreamTimeout', error.message, { cause: error })
    case 'too_large':
      return new ApiError(
        'File_TooLarge',
        `The answer of the application is larger than ${Math.floor(files.bytesMax / 1_000_000)} MB.`,
        { cause: error },
      )
    default:
      return new ApiError('ActionExecute_UpstreamUnreachable', error.message, { cause: error })
  }
}
