import { ApiError } from '../../../platform/http/api-error.ts'
import type { Principals } from '../../../platform/http/call.ts'
import type { McpAuthDeps } from '../deps.ts'
import { byAccess } from './store.ts'
import type { Resource } from '../resources.ts'
import { isSecret } from '../secrets.ts'

/** A client that calls with a token: whose it is. */
export interface SignedIn {
  principal: Principals['project']
  userId: string
}

/** The token of ours in an `Authorization` header; those of others are none. */
export function tokenIn(authorization: string | undefined): string | undefined {
  const token = /^bearer +(\S{1,100}) *$/i.exec(authorization ?? '')?.[1]
  return token?.startsWith('mat_') ? token : undefined
}

/** Who calls this server or session with this token. @throws ApiError 401 */
export async function signedIn(
  { db, project }: Pick<McpAuthDeps, 'db' | 'project'>,
  token: string,
  { kind, id }: Resource,
): Promise<SignedIn> {
  const grant = isSecret('access', token) ? await byAccess(db, token) : undefined
  // One that is good elsewhere is not told so.
  const owner =
    grant?.resource_kind === kind && grant.resource_id === id ? await project(grant.project_id) : undefined
  if (!grant || !owner)
    throw new ApiError('Mcp_TokenInvalid', 'The access token is not, or no longer, good for this address.')
  return { principal: owner.principal, userId: grant.user_id }
}
