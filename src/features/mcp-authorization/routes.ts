import * as contract from '../../contract/mcp-authorization.ts'
import { ApiError, badRequest } from '../../platform/http/api-error.ts'
import type { Api } from '../../platform/http/call.ts'
import { pageOf, readPage } from '../../platform/http/paging.ts'
import type { McpAuthorizationDeps } from './deps.ts'
import { type McpGrantRow, listGrants, removeGrant } from './tokens/store.ts'
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
  api.on(contract.listMcpClientGrants, async ({ projectId, query }) => {
    const page = readPage(query)
    const { rows, total } = await listGrants(
      db,
      projectId,
      { userId: query.user_id, resources: resourcesIn(query) },
      page,
    )
    return pageOf(rows.map(presentGrant), total, page)
  })
  api.on(contract.deleteMcpClientGrant, async ({ projectId, params: { grant_id: id } }) => {
    if (!(await removeGrant(db, projectId, id)))
      throw new ApiError('Mcp_GrantNotFound', `Client grant ${id} not found`)
    return { id, deleted: true }
  })
}

const presentGrant = ({
  id,
  user_id,
  resource_kind: kind,
  resource_id,
  client_id,
  client_name,
  created_at,
  used_at,
}: McpGrantRow): contract.McpClientGrant => ({
  id,
  user_id,
  [`${kind}_id`]: resource_id,
  client: { id: client_id, name: client_name ?? '' },
  created_at: created_at.toISOString(),
  last_used_at: used_at.toISOString(),
})
