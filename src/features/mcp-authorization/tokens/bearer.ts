import { ApiError } from '../../../platform/http/api-error.ts'
import type { Principals } from '../../../platform/http/call.ts'
import type { McpAuthorizationDeps } from '../deps.ts'
import { findGrantByAccessToken } from './store.ts'
import type { ProtectedResource } from '../resources.ts'
import { isSecret } from '../secrets.ts'

/** The project and user of a client that calls with an access token. */
export interface SignedInCaller {
  principal: Principals['project']
  userId: string
}

/** Returns the access token in an `Authorization` header, or undefined if it was not issued by this server. */
export function readBearerToken(authorization: string | undefined): string | undefined {
  const token = /^bearer +(\S{1,100}) *$/i.exec(authorization ?? '')?.[1]
  return token?.startsWith('mat_') ? token : undefined
}

/** Authenticates a caller of a server or session by an access token. @throws ApiError 401 */
export async function authenticateToken(
  { db, findProject: project }: Pick<McpAuthorizationDeps, 'db' | 'findProject'>,
  token: string,
  { kind, id }: ProtectedResource,
): Promise<SignedInCaller> {
  const grant = isSecret('access', token) ? await findGrantByAccessToken(db, token) : undefined
  // A token that is valid for another resource gets the same error as an invalid one.
  const owner =
    grant?.resource_kind === kind && grant.resource_id === id ? await project(grant.project_id) : undefined
  if (!grant || !owner)
    throw new ApiError('Mcp_TokenInvalid', 'The access token is invalid or expired for this URL.')
  return { principal: owner.principal, userId: grant.user_id }
}
