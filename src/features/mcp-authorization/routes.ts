import * as contract from '../../contract/mcp-authorization.ts'
import { ApiError, badRequest } from '../../platform/http/api-error.ts'
import type { Api } from '../../platform/http/call.ts'
import { pageOf, readPage } from '../../platform/http/paging.ts'
import type { McpAuthDeps } from './deps.ts'
import { type GrantRow, listGrants, removeGrant } from './tokens/store.ts'
import { PATHS } from './metadata.ts'
import { findResource, type Resource } from './resources.ts'
import * as store from './sign-in/store.ts'

/** How a body or query names what can be signed in for. */
const named = ({
  mcp_server_id: server,
  session_id: session,
}: {
  mcp_server_id?: string | undefined
  session_id?: string | undefined
}): Resource[] => [
  ...(server === undefined ? [] : [{ kind: 'mcp_server', id: server } as const]),
  ...(session === undefined ? [] : [{ kind: 'session', id: session } as const]),
]

/** What a project does about the sign-ins of its users. */
export function mcpSignInRoutes(api: Api, deps: McpAuthDeps): void {
  const { db, kinds, publicUrl } = deps

  api.on(contract.createMcpSignInLink, async ({ projectId, body }) => {
    const { user_id: userId, sign_in_id: requestId } = body
    const resources = named(body)
    if (resources.length + Number(requestId !== undefined) !== 1)
      throw badRequest('Error in payload: name one of mcp_server_id, session_id and sign_in_id')
    const request = requestId === undefined ? undefined : await store.findRequest(db, requestId)
    if (requestId !== undefined && request?.project_id !== projectId)
      throw new ApiError('Mcp_SignInNotFound', `The sign-in ${requestId} is not open`)
    const resource = request ? store.resourceOf(request) : (resources[0] as Resource)
    const found = await findResource(kinds, resource)
    if (found?.projectId !== projectId)
      throw new ApiError('Mcp_ServerNotFound', `MCP server or session ${resource.id} not found`)
    const only = found.userId ?? request?.requested_user_id ?? undefined
    if (only !== undefined && only !== userId)
      throw new ApiError('Mcp_OtherUser', 'The address that the program was given is for another user.')
    const { token, expiresAt } = await store.insertLink(
      db,
      { projectId, resource, userId },
      requestId ?? null,
    )
    return { url: `${publicUrl}${PATHS.signIn}/${token}`, expires_at: expiresAt.toISOString() }
  })
  api.on(contract.listMcpClientGrants, async ({ projectId, query }) => {
    const page = readPage(query)
    const { rows, total } = await listGrants(
      db,
      projectId,
      { userId: query.user_id, resources: named(query) },
      page,
    )
    return pageOf(rows.map(present), total, page)
  })
  api.on(contract.deleteMcpClientGrant, async ({ projectId, params: { grant_id: id } }) => {
    if (!(await removeGrant(db, projectId, id)))
      throw new ApiError('Mcp_GrantNotFound', `Client grant ${id} not found`)
    return { id, deleted: true }
  })
}

const present = ({
  id,
  user_id,
  resource_kind: kind,
  resource_id,
  client_id,
  client_name,
  created_at,
  used_at,
}: GrantRow): contract.McpClientGrant => ({
  id,
  user_id,
  [`${kind}_id`]: resource_id,
  client: { id: client_id, name: client_name ?? '' },
  created_at: created_at.toISOString(),
  last_used_at: used_at.toISOString(),
})
