import { authSchemeOf } from '../../credentials.ts'
import { logProviderRequests } from '../../provider-log/request-log.ts'
import type { CallbackRequest, HasAccount, HasConnection, HasFlow, HasGrant } from '../context.ts'
import { decryptFlowSecrets, pendingReconnectOf } from '../flow-secrets.ts'

/**
 * Exchanges the code for tokens, after the scheme has checked the parameters of the callback. @throws
 * GrantRejected, ProviderUnavailable
 */
export async function exchangeCode({
  project,
  projectId,
  flow,
  account,
  connection,
  parameters,
}: CallbackRequest & HasFlow & HasAccount & HasConnection): Promise<HasGrant> {
  const secrets = decryptFlowSecrets(project.encryptor, flow)
  const { credentials: entered, ...scopes } = pendingReconnectOf(project.encryptor, flow)
  const { credentials: fetched, expiresAt } = await logProviderRequests(
    project,
    { projectId, accountId: account.id, kind: 'code', connection },
    // `checkAuthConfig` has checked that the scheme has `finish`.
    (tools) => authSchemeOf(connection)!.finish!(connection, secrets, parameters, tools),
  )
  const grant = {
    kind: flow.kind,
    replacesAll: false,
    credentials: { ...entered, ...fetched },
    expiresAt,
    scopes,
    step: 0,
    isFromProvider: true,
  }
  return { grant }
}
