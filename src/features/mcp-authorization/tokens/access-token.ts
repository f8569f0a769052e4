import { ApiError } from '../../../platform/http/api-error.ts'
import type { Principals } from '../../../platform/http/call.ts'
import type { McpAuthorizationDeps } from '../deps.ts'
import { bearerChallenge, dpopChallenge } from '../metadata.ts'
import { DpopError, useDpopProof, verifyDpopProof } from '../proofs/dpop.ts'
import { findGrantByAccessToken } from './store.ts'
import type { ProtectedResource } from '../resources.ts'
import { isSecret } from '../secrets.ts'

/** The project and user of a client that calls with an access token. */
export interface SignedInCaller {
  principal: Principals['project']
  userId: string
  /** Headers of the response: the nonce for the next proof of the client. */
  headers: Readonly<Record<string, string>>
}

/** A request to an MCP endpoint, as HTTP has it. */
export interface EndpointRequest {
  method: string
  /** Path and query. */
  url: string
  headers: Readonly<Record<string, string | string[] | undefined>>
}

type TokenDeps = Pick<McpAuthorizationDeps, 'db' | 'findProject' | 'nonces' | 'clock' | 'publicUrl'>

/** How a client presents its token (RFC 6750, RFC 9449 §7.1). */
interface PresentedToken {
  scheme: 'bearer' | 'dpop'
  token: string
}

/** Returns the access token in the `Authorization` header, or undefined if it was not issued by this server. */
function readPresentedToken({ headers }: EndpointRequest): PresentedToken | undefined {
  const [, scheme = '', token = ''] =
    /^(bearer|dpop) +(\S{1,100}) *$/i.exec([headers['authorization'] ?? ''].flat().join(', ')) ?? []
  return token.startsWith('mat_')
    ? { scheme: scheme.toLowerCase() as PresentedToken['scheme'], token }
    : undefined
}

/**
 * Authenticates a caller of a server or session by an access token. Returns undefined for a request without one.
 * @throws ApiError 401, 429
 */
export function authenticateToken(
  deps: TokenDeps,
  request: EndpointRequest,
  resource: ProtectedResource,
): Promise<SignedInCaller> | undefined {
  const presented = readPresentedToken(request)
  return presented && authenticate(deps, request, presented, resource)
}

async function authenticate(
  deps: TokenDeps,
  request: EndpointRequest,
  presented: PresentedToken,
  { kind, id }: ProtectedResource,
): Promise<SignedInCaller> {
  const { token, scheme } = presented
  const grant = isSecret('access', token) ? await findGrantByAccessToken(deps.db, token) : undefined
  // A token that is valid for another resource gets the same error as an invalid one.
  const owner =
    grant?.resource_kind === kind && grant.resource_id === id
      ? await deps.findProject(grant.project_id)
      : undefined
  if (!grant || !owner)
    throw new ApiError('Mcp_TokenInvalid', 'The access token is invalid or expired for this URL.')
  if ((grant.dpop_jkt !== null) !== (scheme === 'dpop'))
    throw new ApiError(
      'Mcp_TokenInvalid',
      grant.dpop_jkt === null
        ? 'The access token is not bound to a key. Send it with the scheme Bearer.'
        : 'The access token is bound to a key. Send it with the scheme DPoP and a proof in the header DPoP.',
    )
  const caller = { principal: owner.principal, userId: grant.user_id }
  if (grant.dpop_jkt === null) return { ...caller, headers: {} }
  await checkProof(deps, request, token, { id: grant.id, thumbprint: grant.dpop_jkt })
  return { ...caller, headers: { 'dpop-nonce': deps.nonces.current() } }
}

/** @throws ApiError 401, 429 */
async function checkProof(
  { db, nonces, clock, publicUrl }: TokenDeps,
  { method, url, headers }: EndpointRequest,
  accessToken: string,
  grant: { id: string; thumbprint: string },
): Promise<void> {
  const text = [headers['dpop'] ?? ''].flat().join(', ')
  const proven = { method, url: publicUrl + new URL(url, 'http://any').pathname, accessToken }
  try {
    const proof = await verifyDpopProof(nonces, clock.now(), text, proven)
    if (proof.thumbprint !== grant.thumbprint)
      throw new DpopError('invalid_dpop_proof', 'The DPoP proof is of another key than the access token.')
    await useDpopProof(db, proof, { kind: 'grant', id: grant.id })
  } catch (error) {
    if (!(error instanceof DpopError)) throw error
    const headersOfError = error.code === 'slow_down' ? { headers: { 'retry-after': '60' } } : {}
    throw new ApiError(SLUGS[error.code], error.message, headersOfError)
  }
}

const SLUGS = {
  invalid_dpop_proof: 'Mcp_ProofInvalid',
  use_dpop_nonce: 'Mcp_ProofNonceRequired',
  slow_down: 'HTTP_TooManyRequests',
} as const

/** The error code of a challenge, by the error of the response. */
const CHALLENGE_ERRORS: Readonly<Record<string, 'invalid_token' | 'invalid_dpop_proof' | 'use_dpop_nonce'>> =
  {
    Mcp_TokenInvalid: 'invalid_token',
    Mcp_ProofInvalid: 'invalid_dpop_proof',
    Mcp_ProofNonceRequired: 'use_dpop_nonce',
  }

/** Returns the headers of a 401 response, from which a client learns where its user signs in, and the next nonce. */
export function challengeHeaders(
  { publicUrl, nonces }: Pick<McpAuthorizationDeps, 'publicUrl' | 'nonces'>,
  request: EndpointRequest,
  error: ApiError,
): Record<string, string> {
  const code = CHALLENGE_ERRORS[error.slug]
  return /^dpop /i.test([request.headers['authorization'] ?? ''].flat().join())
    ? { 'www-authenticate': dpopChallenge(publicUrl, request.url, code), 'dpop-nonce': nonces.current() }
    : { 'www-authenticate': bearerChallenge(publicUrl, request.url, code !== undefined) }
}
