import * as contract from '../../contract/mcp-authorization/index.ts'
import { ApiError, badRequest } from '../../platform/http/api-error.ts'
import type { Api } from '../../platform/http/call.ts'
import { pageOf, readPage } from '../../platform/http/paging.ts'
import type { Db } from '../../platform/db/sql.ts'
import type { McpAuthorizationDeps } from './deps.ts'
import { openIdProviderRoutes } from './openid/routes.ts'
import { isSecret } from './secrets.ts'
import * as grants from './tokens/store.ts'
import { OAUTH_PATHS } from './metadata.ts'
import { findResource, type ProtectedResource } from './resources.ts'
import * as store from './sign-in/store.ts'

/** Returns the resources that a body or query names. */
const resourcesIn = ({
  mcp_server_id: server,
  session_id: session,
}: {
  mcp_server_id?: string | undefined
  session_id?: string | undefined
}): ProtectedResource[] => [
  ...(server === undefined ? [] : [{ kind: 'mcp_server', id: server } as const]),
  ...(session === undefined ? [] : [{ kind: 'session', id: session } as const]),
]

/** Registers the endpoints with which a project creates sign-in links and manages client grants. */
export function mcpAuthorizationRoutes(api: Api, deps: McpAuthorizationDeps): void {
  const { db, resourceKinds, publicUrl } = deps

  api.on(contract.createMcpSignInLink, async ({ projectId, body, authorize }) => {
    // The tokens that follow from a sign-in call tools.
    await authorize({ area: 'tool_execution', level: 'write' })
    const { user_id: userId, sign_in_id: requestId } = body
    const resources = resourcesIn(body)
    if (resources.length + Number(requestId !== undefined) !== 1)
      throw badRequest(
        'Error in payload: exactly one of mcp_server_id, session_id and sign_in_id is required',
      )
    const request = requestId === undefined ? undefined : await store.findRequest(db, requestId)
    if (requestId !== undefined && request?.project_id !== projectId)
      throw new ApiError('Mcp_SignInNotFound', `Sign-in ${requestId} not found, or already finished`)
    const resource = request ? store.resourceFromRow(request) : (resources[0] as ProtectedResource)
    const details = await findResource(resourceKinds, resource)
    if (details?.projectId !== projectId)
      throw new ApiError('Mcp_ServerNotFound', `MCP server or session ${resource.id} not found`)
    const requiredUserId = details.userId ?? request?.requested_user_id ?? undefined
    if (requiredUserId !== undefined && requiredUserId !== userId)
      throw new ApiError('Mcp_OtherUser', `The MCP URL of this sign-in is for another user than ${userId}.`)
    const { token, expiresAt } = await store.insertLink(
      db,
      { projectId, resource, userId },
      requestId ?? null,
    )
    return { url: `${publicUrl}${OAUTH_PATHS.signIn}/${token}`, expires_at: expiresAt.toISOString() }
  })
  grantRoutes(api, deps)
  openIdProviderRoutes(api, deps)
}

/** The operations with which an administrator looks up and revokes what clients may do. */
function grantRoutes(api: Api, { db }: McpAuthorizationDeps): void {
  api.on(contract.listMcpClientGrants, async ({ projectId, query }) => {
    const page = readPage(query)
    const { rows, total, next } = await grants.listGrants(db, projectId, filterOf(query), page)
    return pageOf(rows.map(presentGrant), total, page, next)
  })
  api.on(contract.deleteMcpClientGrants, async ({ projectId, query }) => {
    const filter = filterOf(query)
    if (filter.userId === undefined && filter.clientId === undefined && filter.resources.length === 0)
      throw badRequest(
        'Error in query: at least one of user_id, client_id, mcp_server_id and session_id is required',
      )
    return { deleted: await grants.removeGrants(db, projectId, filter) }
  })
  api.on(contract.deleteMcpClientGrant, async ({ projectId, params: { grant_id: id } }) => {
    if (!(await grants.removeGrant(db, projectId, id)))
      throw new ApiError('Mcp_GrantNotFound', `Client grant ${id} not found`)
    return { id, deleted: true }
  })
  api.on(contract.introspectMcpToken, async ({ projectId, body }) => {
    const token = await findToken(db, projectId, body.token)
    if (!token?.is_active) return { active: false }
    return {
      active: true,
      token_type: `${token.kind}_token` as const,
      expires_at: token.token_expires_at.toISOString(),
      ...(token.dpop_jkt !== null && { key_thumbprint: token.dpop_jkt }),
      grant: presentGrant(token),
    }
  })
  api.on(contract.revokeMcpToken, async ({ projectId, body }) => {
    const token = await findToken(db, projectId, body.token)
    if (!token || !(await grants.removeGrant(db, projectId, token.id)))
      throw new ApiError('Mcp_GrantNotFound', 'The token belongs to no grant of this project.')
    return { id: token.id, deleted: true }
  })
}

/** Finds a token of the project. One of another project gets the same response as an unknown one. */
async function findToken(db: Db, projectId: string, token: string): Promise<grants.TokenRow | undefined> {
  const isToken = isSecret('access', token) || isSecret('refresh', token)
  const row = isToken ? await grants.findGrantByToken(db, token) : undefined
  return row?.project_id === projectId ? row : undefined
}

const filterOf = (query: {
  user_id?: string | undefined
  client_id?: string | undefined
  mcp_server_id?: string | undefined
  session_id?: string | undefined
}): grants.GrantFilter => ({
  userId: query.user_id,
  clientId: query.client_id,
  resources: resourcesIn(query),
})

const presentGrant = (row: grants.McpGrantRow): contract.McpClientGrant => ({
  id: row.id,
  user_id: row.user_id,
  [`${row.resource_kind}_id`]: row.resource_id,
  client: { id: row.client_id, name: row.client_name ?? '', authentication: row.client_auth },
  created_at: row.created_at.toISOString(),
  last_used_at: row.used_at.toISOString(),
  expires_at: row.expires_at.toISOString(),
})
