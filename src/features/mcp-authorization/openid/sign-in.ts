import { type Browser, type PageOutcome, type PageText, text } from '../../connected-accounts/index.ts'
import type { SignInDemand } from '../../../platform/oauth/authorization-endpoint.ts'
import {
  createAttempt,
  type IdTokenClaims,
  type OidcAttempt,
} from '../../../platform/oauth/openid-provider.ts'
import type { McpAuthorizationDeps } from '../deps.ts'
import { OAUTH_PATHS } from '../metadata.ts'
import { REQUEST_ENDED, TOO_MANY_REQUESTS } from '../sign-in/messages.ts'
import { type OpenRequest, openRequest } from '../sign-in/open-request.ts'
import { type ConsentContext, signInPage } from '../sign-in/pages.ts'
import type { Prompt } from '../sign-in/request-parameters.ts'
import * as store from '../sign-in/store.ts'
import { isValidUserId } from '../sign-in/user-id.ts'
import { type ProjectProvider, providerRedirectUri } from './providers.ts'

const CONTEXT = 'mcp:openid_state'
const STATE_CHARACTERS_MAX = 2_000

/** Clocks of the provider and of this server may differ by this much. */
const SKEW_MS = 60_000

/**
 * What the provider returns unread in `state`, encrypted: the request, which belongs to a project and a browser, the
 * provider, and what the response is compared with.
 */
interface SealedAttempt extends Omit<OidcAttempt, 'state'> {
  requestId: string
  /** The provider at the start: the response to one must not be sent to another. */
  providerKey: string
}

/**
 * Redirects the browser of a request to the OpenID provider of the project.
 * @param again the provider must ask for credentials, although the person is signed in there
 */
export async function startProviderSignIn(
  deps: McpAuthorizationDeps,
  id: string,
  browser: Browser | undefined,
  again: boolean,
): Promise<PageOutcome> {
  const opened = await openRequest(deps, id, browser)
  if ('kind' in opened) return opened
  const { request, context } = opened
  const { provider } = context
  if (!provider) return { kind: 'redirect', url: `${deps.publicUrl}${OAUTH_PATHS.consent}/${id}?other=1` }
  const { nonce, verifier } = createAttempt()
  const sealed: SealedAttempt = { requestId: id, providerKey: provider.key, nonce, verifier }
  const state = deps.encryptor.encryptWithRing(sealed, CONTEXT).toString('base64url')
  try {
    const url = await provider.client.authorizationUrl(
      { state, nonce, verifier },
      providerRedirectUri(deps.publicUrl, request.project_id),
      signInDemand(request.prompt, again),
    )
    return { kind: 'redirect', url }
  } catch (error) {
    deps.log.warn(
      { err: error, project_id: request.project_id },
      'the OpenID provider of a project cannot be used',
    )
    return noticePage(context, text('signin.provider_unreachable', { provider: provider.name }))
  }
}

const signInDemand = (prompt: Prompt | null, again: boolean): SignInDemand | undefined =>
  prompt === 'login'
    ? { prompt, needsAuthTime: true }
    : prompt !== null
      ? { prompt }
      : again
        ? { prompt: 'login' }
        : undefined

/**
 * Handles the redirect from the provider: signs the browser in as the user that the claim names.
 * @param projectId the project of the redirect URI
 */
export async function completeProviderSignIn(
  deps: McpAuthorizationDeps,
  projectId: string,
  callback: URL,
  browser: Browser | undefined,
): Promise<PageOutcome> {
  const state = callback.searchParams.get('state') ?? ''
  const attempt = unsealAttempt(deps, state)
  if (!attempt) return REQUEST_ENDED
  const opened = await openRequest(deps, attempt.requestId, browser)
  if ('kind' in opened) return opened
  const { request, context } = opened
  const { provider } = context
  if (!provider) return REQUEST_ENDED
  const failed = noticePage(context, text('signin.provider_failed', { provider: provider.name }))
  if (request.project_id !== projectId || attempt.providerKey !== provider.key) {
    deps.log.warn(
      { project_id: request.project_id },
      'a response of an OpenID provider was rejected: the sign-in was started at another provider',
    )
    return failed
  }
  if (!(await store.countProviderResponse(deps.db, request))) return TOO_MANY_REQUESTS
  const claims = await readClaims(deps, request, provider, callback, { ...attempt, state })
  if (!claims) return failed
  const user = userIdFrom(claims, provider.userIdClaim)
  if (user === undefined) return unknownUserPage(deps, opened, provider)
  await store.insertSignIn(
    deps.db,
    { projectId: request.project_id, resource: store.resourceFromRow(request), userId: user },
    request.browser_hash,
    { requestId: request.id, key: provider.key },
  )
  return { kind: 'redirect', url: `${deps.publicUrl}${OAUTH_PATHS.consent}/${request.id}` }
}

function unknownUserPage(
  { log }: McpAuthorizationDeps,
  { request, context }: OpenRequest,
  provider: ProjectProvider,
): PageOutcome {
  log.warn(
    { project_id: request.project_id, claim: provider.userIdClaim },
    'the OpenID provider of a project returned no usable user id',
  )
  return noticePage(
    context,
    text('signin.provider_no_user', { provider: provider.name, project: context.project.name }),
  )
}

const noticePage = (context: ConsentContext, notice: PageText): PageOutcome => signInPage(context, { notice })

function unsealAttempt({ encryptor }: McpAuthorizationDeps, state: string): SealedAttempt | undefined {
  if (state.length > STATE_CHARACTERS_MAX) return undefined
  try {
    return encryptor.decrypt<SealedAttempt>(Buffer.from(state, 'base64url'), CONTEXT)
  } catch {
    // Changed, or encrypted with a key that was removed.
    return undefined
  }
}

/** Returns the claims of a valid response; the reason for an invalid one is in the log. */
async function readClaims(
  { log, publicUrl }: McpAuthorizationDeps,
  request: store.AuthorizationRequestRow,
  { client }: ProjectProvider,
  callback: URL,
  attempt: OidcAttempt,
): Promise<IdTokenClaims | undefined> {
  try {
    const redirectUri = providerRedirectUri(publicUrl, request.project_id)
    const claims = await client.readIdentity(callback, attempt, redirectUri)
    if (request.prompt === 'login') assertNewSignIn(claims, request.created_at)
    return claims
  } catch (error) {
    log.warn(
      { err: error, project_id: request.project_id },
      'a sign-in at the OpenID provider of a project failed',
    )
    return undefined
  }
}

/**
 * Checks that the person signed in at the provider after the request. The browser carries `prompt` and `max_age` to the
 * provider, so its user could remove them. @throws Error
 */
function assertNewSignIn({ auth_time: signedInAt }: IdTokenClaims, requestedAt: Date): void {
  if (typeof signedInAt !== 'number')
    throw new Error('the ID token has no auth_time, so a new sign-in cannot be proven')
  if (signedInAt * 1_000 < requestedAt.getTime() - SKEW_MS)
    throw new Error('auth_time is before the request, so the person did not sign in again')
}

/** Returns the user id. Anyone can enter the e-mail address of another person at a provider that does not verify it. */
export function userIdFrom(claims: Readonly<Record<string, unknown>>, claim: string): string | undefined {
  const value = Object.hasOwn(claims, claim) ? claims[claim] : undefined
  const isVerified =
    claim !== 'email' || claims['email_verified'] === true || claims['email_verified'] === 'true'
  return typeof value === 'string' && isVerified && isValidUserId(value) ? value : undefined
}
