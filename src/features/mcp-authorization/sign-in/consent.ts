import { type Browser, MISSING_FORM_COOKIE, type PageOutcome, text } from '../../connected-accounts/index.ts'
import { withParameters } from '../clients/redirect-uris.ts'
import type { McpAuthorizationDeps } from '../deps.ts'
import { OAUTH_PATHS } from '../metadata.ts'
import { REQUEST_ENDED } from './messages.ts'
import { type FormFields, hasFormToken, type OpenRequest, openRequest } from './open-request.ts'
import { consentPage, signInPage } from './pages.ts'
import * as store from './store.ts'

/**
 * Shows the consent page once the user of the browser is known, else the sign-in page of the project, its OpenID
 * provider, or the sign-in page of this server.
 * @param switchUser ignores the user who is signed in
 */
export async function showConsent(
  deps: McpAuthorizationDeps,
  id: string,
  browser: Browser | undefined,
  switchUser: boolean,
): Promise<PageOutcome> {
  const opened = await openRequest(deps, id, browser)
  if ('kind' in opened) return opened
  const { request, context } = opened
  const user = switchUser ? undefined : await signedInUser(deps, opened)
  if (user !== undefined && (context.requestedUserId ?? user) === user) return consentPage(context, user)
  if (context.project.signInUrl !== null && !switchUser)
    return {
      kind: 'redirect',
      url: withParameters(context.project.signInUrl, {
        sign_in_id: id,
        [`${request.resource_kind}_id`]: request.resource_id,
        user_id: context.requestedUserId,
        prompt: request.prompt,
      }),
    }
  // After a sign-in as another user, the browser would be redirected without end.
  if (context.provider && !switchUser && user === undefined)
    return { kind: 'redirect', url: `${deps.publicUrl}${OAUTH_PATHS.consent}/${id}/openid` }
  return signInPage(context, {
    notice:
      user === undefined
        ? undefined
        : text('signin.other_user', { user, other: context.requestedUserId ?? '' }),
  })
}

const signedInUser = async (
  { db }: McpAuthorizationDeps,
  { request, context }: OpenRequest,
): Promise<string | undefined> =>
  (await store.findSignedInUser(db, request, request.browser_hash, context.provider?.key))?.user_id

/** Handles the form of the consent page, and redirects to the client with a code or an error. */
export async function submitConsent(
  deps: McpAuthorizationDeps,
  id: string,
  browser: Browser | undefined,
  form: FormFields,
): Promise<PageOutcome> {
  if (!hasFormToken(browser, id, form)) return MISSING_FORM_COOKIE
  const opened = await openRequest(deps, id, browser)
  if ('kind' in opened) return opened
  const { request, context } = opened
  const isAllowed = form['decision'] === 'allow'
  const user = await signedInUser(deps, opened)
  // The user must still be the one whom the page showed, and be allowed to sign in for this URL.
  const isUser = user !== undefined && user === form['user'] && (context.requestedUserId ?? user) === user
  if (isAllowed && !isUser) return showConsent(deps, id, browser, false)
  const decided = await store.decideRequest(deps.db, request, isAllowed ? user : undefined)
  if (!decided) return REQUEST_ENDED
  const result =
    decided.code === undefined
      ? { error: 'access_denied', error_description: 'The user denied access.' }
      : { code: decided.code }
  return {
    kind: 'redirect',
    url: withParameters(request.redirect_uri, { ...result, state: request.state, iss: deps.publicUrl }),
  }
}
