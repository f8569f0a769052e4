import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Area } from '../../../contract/route.ts'
import { ApiError } from '../../http/api-error.ts'
import type { Authenticate, Limit, Principals } from '../../http/call.ts'

/** How callers of one kind of MCP resource authenticate. */
export interface McpAccess {
  authenticate: Authenticate
  limit: Limit
  /** Returns the caller of an access token of a user, if the header has one. @throws ApiError 401 */
  signedInUser(
    authorization: string | undefined,
    id: string,
  ): Promise<{ principal: Principals['project']; userId: string }> | undefined
  /** Returns the header of a 401, from which a client learns where its user can sign in. */
  challenge(url: string, isInvalidToken: boolean): string
  /** Returns the project as a caller if it accepts calls without an API key. */
  openProject(projectId: string): Promise<Principals['project'] | undefined>
  /** Returns the project of a resource, for callers that send no key: the URL is all they have. */
  projectOf(id: string): Promise<string | undefined>
}

export interface McpCaller {
  principal: Principals['project']
  /** The user of the access token. */
  userId?: string
  /** Checks that the caller may call tools: an API key needs the permission for it. @throws ApiError 403 */
  authorizeCalls(): Promise<void>
}

type McpHttpRequest = Pick<FastifyRequest, 'method' | 'headers' | 'ip' | 'url'>

/**
 * Authenticates the caller of a resource and counts the call. A key that is sent is always checked, and so is
 * a token of a user. Without either, the project of the resource decides. An API key needs the permission for
 * `area`, and the one for tool execution to call tools.
 * @throws ApiError 401, 403, 429
 */
export async function authenticateMcpCaller(
  access: McpAccess,
  request: McpHttpRequest,
  reply: FastifyReply,
  resource: { id: string; area: Area },
): Promise<McpCaller> {
  const caller = await identifyCaller(access, request, resource).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 401)
      reply.header('www-authenticate', access.challenge(request.url, error.slug === 'Mcp_TokenInvalid'))
    throw error
  })
  reply.headers(access.limit(caller.principal))
  return caller
}

async function identifyCaller(
  { authenticate, openProject, signedInUser, projectOf }: McpAccess,
  { method, headers, ip }: McpHttpRequest,
  { id, area }: { id: string; area: Area },
): Promise<McpCaller> {
  if (headers['x-api-key'] === undefined) {
    const user = signedInUser(headers.authorization, id)
    if (user) return { ...(await user), authorizeCalls: allowCalls }
    const projectId = await projectOf(id)
    const open = projectId === undefined ? undefined : await openProject(projectId)
    if (open) return { principal: open, authorizeCalls: allowCalls }
  }
  const permission = { area, level: method === 'GET' ? 'read' : 'write' } as const
  const principal = await authenticate('project', permission, { headers, ip })
  return {
    principal: principal as Principals['project'],
    async authorizeCalls() {
      await authenticate('project', EXECUTION_PERMISSION, { headers, ip })
    },
  }
}

const EXECUTION_PERMISSION = { area: 'tool_execution', level: 'write' } as const
/** The token of a user, and a project without keys for MCP, allow calls. */
const allowCalls = async (): Promise<void> => {}
