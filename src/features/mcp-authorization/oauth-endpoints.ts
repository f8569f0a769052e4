import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { toApiError } from '../../platform/http/server/api-errors.ts'
import { acceptFormBodies } from '../connected-accounts/index.ts'
import { type ClientRequest, readForm, type RequestProof } from './client-request.ts'
import type { OAuthClients } from './clients/service.ts'
import type { McpAuthorizationDeps } from './deps.ts'
import { OAUTH_PATHS } from './metadata.ts'
import { type OAuthErrorCode, OAuthRequestError } from './oauth-error.ts'
import { DpopError, useDpopProof, verifyDpopProof } from './proofs/dpop.ts'
import { networkOf } from './proofs/used-proofs.ts'
import { pushRequest } from './pushed-requests/push-request.ts'
import { exchangeTokens, revokeToken } from './tokens/token-endpoint.ts'

const BODY_BYTES_MAX = 65_536
const NO_STORE = { 'cache-control': 'no-store', pragma: 'no-cache' }

/** The body as it was sent: the endpoint reads it, so that a repeated parameter is an OAuth error. */
type FormBody = { fields: URLSearchParams } | undefined
type FormRequest = FastifyRequest<{ Body: FormBody }>

/** Registers the endpoints that MCP clients call: registration, pushed requests, tokens and revocation. */
export function oauthEndpoints(
  app: FastifyInstance,
  deps: McpAuthorizationDeps,
  clients: OAuthClients,
): void {
  app.register(async (json) => {
    sendBodyErrors(json, 'invalid_client_metadata')
    rejectOtherMethods(json, OAUTH_PATHS.register)
    json.post<{ Body: unknown }>(
      OAUTH_PATHS.register,
      { bodyLimit: BODY_BYTES_MAX },
      async (request, reply) =>
        sendOAuthResponse(reply, 201, () => clients.register(request.body, request.ip)),
    )
  })
  app.register(async (forms) => {
    acceptFormBodies(forms, (text) => ({ fields: new URLSearchParams(text) }))
    sendBodyErrors(forms, 'invalid_request')
    const endpoint = (path: string, status: number, run: FormHandler) => {
      rejectOtherMethods(forms, path)
      forms.post<{ Body: FormBody }>(path, async (request, reply) =>
        sendOAuthResponse(reply, status, () => runProven(deps, request, reply, path, run)),
      )
    }
    endpoint(OAUTH_PATHS.pushRequest, 201, (request, proof) => pushRequest(deps, clients, request, proof))
    endpoint(OAUTH_PATHS.token, 200, (request, proof) => exchangeTokens(deps, clients, request, proof))
    endpoint(OAUTH_PATHS.revoke, 200, async (request) => {
      await revokeToken(deps, clients, request)
      return {}
    })
  })
}

/** Sends an OAuth error for a body that cannot be read: clients expect its form (RFC 6749 §5.2, RFC 7591 §3.2.2). */
function sendBodyErrors(scope: FastifyInstance, code: OAuthErrorCode): void {
  scope.setErrorHandler(async (error, _request, reply) => {
    const { status, message } = toApiError(error)
    if (status >= 500) throw error
    return reply
      .headers(NO_STORE)
      .code(status === 413 ? 413 : 400)
      .send(new OAuthRequestError(code, code === 'invalid_request' ? FORM_NEEDED : message).body)
  })
}

const FORM_NEEDED = 'The body must be a form: application/x-www-form-urlencoded, of at most 64 kB.'

/** Other methods than POST are errors of the client (RFC 9126 §2.3), not unknown URLs. */
function rejectOtherMethods(scope: FastifyInstance, url: string): void {
  scope.route({
    method: ['GET', 'PUT', 'PATCH', 'DELETE'],
    url,
    handler: async (_request, reply) =>
      reply
        .headers({ ...NO_STORE, allow: 'POST' })
        .code(405)
        .send(new OAuthRequestError('invalid_request', 'Send this request with the method POST.').body),
  })
}

type FormHandler = (request: ClientRequest, proof: RequestProof | undefined) => Promise<object>

/** Verifies the proof of a request, if it has one, and runs it. A client with proofs receives a nonce for the next. */
async function runProven(
  { db, nonces, clock, publicUrl }: McpAuthorizationDeps,
  { headers, body, ip }: FormRequest,
  reply: FastifyReply,
  path: string,
  run: FormHandler,
): Promise<object> {
  const form = readForm(body?.fields ?? new URLSearchParams())
  const request = { path, form, authorization: headers.authorization, ip }
  if (headers['dpop'] === undefined) return run(request, undefined)
  reply.header('dpop-nonce', nonces.current())
  const text = [headers['dpop']].flat().join(', ')
  try {
    const proof = await verifyDpopProof(nonces, clock.now(), text, { method: 'POST', url: publicUrl + path })
    return await run(request, {
      thumbprint: proof.thumbprint,
      use: () => useDpopProof(db, proof, networkOf(ip)),
    })
  } catch (error) {
    throw error instanceof DpopError ? new OAuthRequestError(error.code, error.message) : error
  }
}

/** Sends the result of `run`, or its error as an OAuth error response. */
async function sendOAuthResponse(reply: FastifyReply, status: number, run: () => Promise<object>) {
  reply.headers(NO_STORE)
  try {
    return await reply.code(status).send(await run())
  } catch (error) {
    if (!(error instanceof OAuthRequestError)) throw error
    if (error.status === 401) reply.header('www-authenticate', 'Basic realm="mcp clients"')
    if (error.status >= 429) reply.header('retry-after', error.status === 429 ? '600' : '5')
    return reply.code(error.status).send(error.body)
  }
}
