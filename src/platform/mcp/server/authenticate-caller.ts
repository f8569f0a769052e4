import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Area } from '../../../contract/route.ts'
import { ApiError } from '../../http/api-error.ts'
import type { Authenticate, Limit, Principals } from '../../http/call.ts'

/** How callers of one kind of MCP resource authenticate. */
export interface McpAccess {
  authenticate: Authenticate
  limit: Limit
  /** Returns the caller of an access token of a user, if the request has one. @throws ApiError 401 */
  signedInUser(request: McpHttpRequest, id: string): Promise<SignedInUser> | undefined
  /** Returns the headers of a 401, from which a client learns where its user can sign in. */
  challenge(request: McpHttpRequest, error: ApiError): Record<string, string>
  /** Returns the project as a caller if it accepts calls without an API key. */
  openProject(projectId: string): Promise<Principals['project'] | undefined>
  /** Returns the project of a resource, for callers that send no key: the URL is all they have. */
  projectOf(id: string): Promise<string | undefined>
}

interface SignedInUser {
  principal: Principals['project']
  userId: string
  /** Headers of the response. */
  headers: Readonly<Record<string, string>>
}

export interface McpCaller {
  principal: Principals['project']
  /** The user of the access token. */
  userId?: string
  /** Checks that the caller may call tools: an API key needs the permission for it. @throws ApiError 403 */
  authorizeCalls(): Promise<void>
}

export type McpHttpRequest = Pick<FastifyRequest, 'method' | 'headers' | 'ip' | 'url'>

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
  const caller = await identifyCaller(access, request, reply, resource).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 401) reply.headers(access.challenge(request, error))
    throw error
  })
  reply.headers(access.limit(caller.principal))
  return caller
}

async function identifyCaller(
  { authenticate, openProject, signedInUser, projectOf }: McpAccess,
  request: McpHttpRequest,
  reply: FastifyReply,
  { id, area }: { id: string; area: Area },
): Promise<McpCaller> {
  const { method, headers, ip } = request
  if (headers['x-api-key'] === undefined) {
    const user = await signedInUser(request, id)
    if (user) {
      reply.headers(user.headers)
      return { principal: user.principal, userId: user.userId, authorizeCalls: allowCalls }
    }
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
