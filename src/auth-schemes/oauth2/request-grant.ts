import type { ConnectionContext, Grant, SchemeDeps } from '../scheme.ts'
import { runFollowUpRequests } from './follow-up-requests.ts'
import { requestToken, type TokenGrant } from './token-request.ts'
import { readGrant } from './token-response.ts'

/** Requests a token, and sends the requests that follow it. @throws GrantRejected, ProviderUnavailable */
export const requestGrant = async (
  connection: ConnectionContext,
  grantRequest: TokenGrant,
  deps: SchemeDeps,
): Promise<Grant> =>
  runFollowUpRequests(
    connection,
    grantRequest,
    readGrant(connection, await requestToken(connection, grantRequest, deps)),
    deps,
  )
