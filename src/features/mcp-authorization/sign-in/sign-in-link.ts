import {
  type Browser,
  formToken,
  MISSING_FORM_COOKIE,
  type PageOutcome,
  text,
  WRONG_BROWSER,
} from '../../connected-accounts/index.ts'
import type { McpAuthorizationDeps } from '../deps.ts'
import { OAUTH_PATHS } from '../metadata.ts'
import { findResource } from '../resources.ts'
import { isSecret } from '../secrets.ts'
import { LINK_ENDED, messagePage, REQUEST_ENDED } from './messages.ts'
import { type FormFields, hasFormToken } from './open-request.ts'
import { signInLinkPage } from './pages.ts'
import * as store from './store.ts'

/** Shows the page of a sign-in link. A link for one request is used at once, in the browser of that request. */
export async function showSignInLink(
  deps: McpAuthorizationDeps,
  token: string,
  browser: Browser,
): Promise<PageOutcome> {
  const link = isSecret('signIn', token) ? await store.findLink(deps.db, token) : undefined
  if (!link) return LINK_ENDED
  const resource = await findResource(deps.resourceKinds, store.resourceFromRow(link))
  const project =
    resource?.projectId === link.project_id ? await deps.findProject(link.project_id) : undefined
  if (!resource || !project) return LINK_ENDED
  if (link.authorization_id === null)
    return signInLinkPage({
      publicUrl: deps.publicUrl,
      project,
      resource,
      userId: link.user_id,
      action: `${deps.publicUrl}${OAUTH_PATHS.signIn}/${token}`,
      formToken: formToken(browser, token),
    })
  const request = await store.findRequest(deps.db, link.authorization_id)
  if (!request) return REQUEST_ENDED
  if (!browser.hash.equals(request.browser_hash)) return WRONG_BROWSER
  return (await store.useLink(deps.db, link, browser.hash))
    ? { kind: 'redirect', url: `${deps.publicUrl}${OAUTH_PATHS.consent}/${request.id}` }
    : LINK_ENDED
}

/** Handles the form of the page: signs the browser in, and continues an open request if there is one. */
export async function submitSignInLink(
  deps: McpAuthorizationDeps,
  token: string,
  browser: Browser | undefined,
  form: FormFields,
): Promise<PageOutcome> {
  if (!hasFormToken(browser, token, form)) return MISSING_FORM_COOKIE
  const link = isSecret('signIn', token) ? await store.findLink(deps.db, token) : undefined
  if (!link || link.authorization_id !== null || !(await store.useLink(deps.db, link, browser.hash)))
    return LINK_ENDED
  const request = await store.findOpenRequest(deps.db, link, browser.hash)
  if (request) return { kind: 'redirect', url: `${deps.publicUrl}${OAUTH_PATHS.consent}/${request.id}` }
  return messagePage(200, text('signin.done'), text('signin.done_text', { user: link.user_id }))
}
