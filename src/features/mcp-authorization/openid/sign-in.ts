import { type Browser, type PageOutcome, type PageText, text } from '../../connected-accounts/index.ts'
import {
  createAttempt,
  type IdTokenClaims,
  type OidcAttempt,
} from '../../../platform/oauth/openid-provider.ts'
import type { McpAuthorizationDeps } from '../deps.ts'
import { OAUTH_PATHS } from '../metadata.ts'
import { REQUEST_ENDED } from '../sign-in/messages.ts'
import { openRequest } from '../sign-in/open-request.ts'
import { type ConsentContext, signInPage } from '../sign-in/pages.ts'
import * as store from '../sign-in/store.ts'
import { isValidUserId } from '../sign-in/user-id.ts'
import type { ProjectProvider } from './providers.ts'

const CONTEXT = 'mcp:openid_state'
const STATE_CHARACTERS_MAX = 2_000

/** What the provider returns unread in `state`, encrypted: the request, and what its response is compared with. */
interface SealedAttempt extends Omit<OidcAttempt, 'state'> {
  requestId: string
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
  const sealed: SealedAttempt = { requestId: id, nonce, verifier }
  const state = deps.encryptor.encryptWithRing(sealed, CONTEXT).toString('base64url')
  try {
    const url = await provider.client.authorizationUrl(
      { state, nonce, verifier },
      deps.publicUrl + OAUTH_PATHS.openIdCallback,
      again || request.prompt !== null ? { prompt: 'login' } : {},
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

/** Handles the redirect from the provider: signs the browser in as the user that the claim names. */
export async function completeProviderSignIn(
  deps: McpAuthorizationDeps,
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
  const claims = await readClaims(deps, provider, callback, { ...attempt, state })
  if (!claims) return noticePage(context, text('signin.provider_failed', { provider: provider.name }))
  const user = userIdFrom(claims, provider.userIdClaim)
  if (user === undefined) {
    deps.log.warn(
      { project_id: request.project_id, claim: provider.userIdClaim },
      'the OpenID provider of a project returned no usable user id',
    )
    return noticePage(
      context,
      text('signin.provider_no_user', { provider: provider.name, project: context.project.name }),
    )
  }
  await store.insertSignIn(
    deps.db,
    { projectId: request.project_id, resource: store.resourceFromRow(request), userId: user },
    request.browser_hash,
  )
  return { kind: 'redirect', url: `${deps.publicUrl}${OAUTH_PATHS.consent}/${request.id}` }
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
const readClaims = (
  { log, publicUrl }: McpAuthorizationDeps,
  { client }: ProjectProvider,
  callback: URL,
  attempt: OidcAttempt,
): Promise<IdTokenClaims | undefined> =>
  client.readIdentity(callback, attempt, publicUrl + OAUTH_PATHS.openIdCallback).catch((error: unknown) => {
    log.warn({ err: error }, 'a sign-in at the OpenID provider of a project failed')
    return undefined
  })

/** Returns the user id. Anyone can enter the e-mail address of another person at a provider that does not verify it. */
export function userIdFrom(claims: Readonly<Record<string, unknown>>, claim: string): string | undefined {
  const value = Object.hasOwn(claims, claim) ? claims[claim] : undefined
  const isVerified =
    claim !== 'email' || claims['email_verified'] === true || claims['email_verified'] === 'true'
  return typeof value === 'string' && isVerified && isValidUserId(value) ? value : undefined
}
