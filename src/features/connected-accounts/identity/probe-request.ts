import { GrantRejected, ProviderUnavailable, type ConnectionContext } from '../../../auth-schemes/index.ts'
import type { ProbeRequestManifest, Toolkit } from '../../../catalog/index.ts'
import { sendProbeRequest } from '../../../engine/index.ts'
import type { AccountDeps } from '../deps.ts'
import { logProviderRequests } from '../provider-log/request-log.ts'

interface ProbeSubject {
  projectId: string
  accountId: string
  toolkit: Toolkit
  connection: ConnectionContext
}

/**
 * Sends a request of the manifest with the credentials of a connection, and logs it. Returns the body of the
 * response. @throws GrantRejected, ProviderUnavailable, ApiError, ToolFailure
 */
export function probeAccount(
  deps: AccountDeps,
  { toolkit, ...subject }: ProbeSubject,
  request: ProbeRequestManifest,
  timeoutMs?: number,
): Promise<unknown> {
  return logProviderRequests(deps, { ...subject, kind: 'probe' }, async (tools) => {
    const response = await sendProbeRequest(tools, toolkit, subject.connection, request, timeoutMs)
    if (response.ok) return response.body
    throw response.refused
      ? new GrantRejected(`status_${response.status}`, response.message)
      : new ProviderUnavailable(response.message)
  })
}
