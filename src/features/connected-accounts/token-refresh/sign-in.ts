import type { ConnectionContext, Grant } from '../../../auth-schemes/index.ts'
import { authSchemeOf } from '../credentials.ts'
import type { AccountDeps } from '../deps.ts'
import { logProviderRequests, refreshRequestKind } from '../provider-log/request-log.ts'

/**
 * Fetches the session or token that some schemes need before their first request. Returns undefined if the
 * scheme needs none or already has one. @throws GrantRejected, ProviderUnavailable
 */
export async function signInIfNeeded(
  deps: AccountDeps,
  subject: { projectId: string; accountId: string },
  connection: ConnectionContext,
): Promise<Grant | undefined> {
  const scheme = authSchemeOf(connection)
  const { refresh } = scheme ?? {}
  if (!refresh || !scheme?.needsFirstToken?.(connection) || !scheme.canRefresh?.(connection)) return undefined
  return logProviderRequests(
    deps,
    { ...subject, kind: refreshRequestKind(connection), connection },
    (tools) => refresh(connection, tools),
  )
}
