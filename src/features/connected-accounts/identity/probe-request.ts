import { GrantRejected, ProviderUnavailable, type ConnectionContext } from '../../../auth-schemes/index.ts'
import type { ProbeRequestManifest, Toolkit } from '../../../catalog/index.ts'
import { sendProbeRequest } from '../../../engine/index.ts'
import type { AccountDeps } from '../deps.ts'
import { logProviderRequests } from '../provider-log/request-log.ts'

/** The application rejected a request. */
export class ProbeRejected extends GrantRejected {
  /** It did so because of the credentials: 404, for instance, may be about the request. */
  readonly isAuthentication: boolean

  constructor(code: string, message: string, isAuthentication: boolean) {
    super(code, message)
    this.isAuthentication = isAuthentication
  }
}

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
      ? new ProbeRejected(`status_${response.status}`, response.message, response.isAuthentication)
      : new ProviderUnavailable(response.message)
  })
}
