import type { ExecuteProxy, ProxyCall, ProxyResponse } from '../../../engine/index.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import { assertNoProblems } from '../config/validate-config.ts'
import type { SessionScope } from './scope.ts'

export interface SessionProxyDeps {
  proxy: ExecuteProxy
}
/** A request of the proxy in a session, with the names of the API. */
export interface SessionProxyRequest extends Pick<
  ProxyCall,
  'endpoint' | 'method' | 'body' | 'binaryBody' | 'parameters'
> {
  readonly toolkit: string
  readonly account?: string | undefined
  readonly customConnection?: ProxyCall['customConnection']
}

/** Sends a request with an account of the session. @throws ApiError */
export async function executeSessionProxy(
  { proxy }: SessionProxyDeps,
  scope: SessionScope,
  { toolkit: slug, account: requested, customConnection, ...request }: SessionProxyRequest,
  signal: AbortSignal,
): Promise<ProxyResponse> {
  const toolkit = scope.toolkit(slug)
  if (!toolkit) throw new ApiError('Toolkit_ToolkitNotFound', `Toolkit ${slug} not found in this session`)
  if (customConnection && customConnection.toolkitSlug.toLowerCase() !== toolkit.slug)
    assertNoProblems([`custom_connection_data.toolkitSlug: must be ${toolkit.slug}`])
  if (!customConnection && toolkit.noAuth)
    throw new ApiError(
      'Auth_Config_NoAuthApp',
      `${toolkit.name} has no connected accounts whose credentials a request could carry.`,
    )
  const account = customConnection ? undefined : await scope.account(toolkit, requested)
  const { projectId, settings, requestId, log, source } = scope.caller
  return proxy({
    projectId,
    settings,
    requestId,
    signal,
    log,
    source,
    connectedAccountId: account?.id,
    userId: scope.userId,
    customConnection,
    ...request,
    parent: { sessionId: scope.sessionId },
  })
}
