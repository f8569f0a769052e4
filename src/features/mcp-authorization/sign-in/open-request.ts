import { timingSafeEqualText } from '../../../platform/crypto/index.ts'
import { type Browser, formToken, type PageOutcome, WRONG_BROWSER } from '../../connected-accounts/index.ts'
import type { McpAuthorizationDeps } from '../deps.ts'
import { findResource } from '../resources.ts'
import { REQUEST_ENDED, UNKNOWN_RESOURCE } from './messages.ts'
import type { ConsentContext } from './pages.ts'
import * as store from './store.ts'

export type FormFields = Readonly<Record<string, string>>

export interface OpenRequest {
  request: store.AuthorizationRequestRow
  context: ConsentContext
}

const REQUEST_ID = /^mrq_[A-Za-z0-9]{24}$/

/**
 * Loads an open request in the browser that started it. Returns a page if it has ended or belongs to another
 * browser.
 */
export async function openRequest(
  deps: McpAuthorizationDeps,
  id: string,
  browser: Browser | undefined,
): Promise<OpenRequest | PageOutcome> {
  const request = REQUEST_ID.test(id) ? await store.findRequest(deps.db, id) : undefined
  if (!request) return REQUEST_ENDED
  if (!browser?.hash.equals(request.browser_hash)) return WRONG_BROWSER
  const resource = await findResource(deps.resourceKinds, store.resourceFromRow(request))
  const project =
    resource?.projectId === request.project_id ? await deps.findProject(request.project_id) : undefined
  if (!resource || !project) return UNKNOWN_RESOURCE
  return {
    request,
    context: {
      publicUrl: deps.publicUrl,
      project,
      resource,
      id,
      client: { id: request.client_id, name: request.client_name, redirectUri: request.redirect_uri },
      formToken: formToken(browser, id),
      requestedUserId: request.requested_user_id ?? undefined,
      provider: await deps.providers.of(request.project_id),
    },
  }
}

/** Whether a form was sent from the page with this id in the same browser. */
export const hasFormToken = (
  browser: Browser | undefined,
  page: string,
  form: FormFields,
): browser is Browser =>
  browser !== undefined && timingSafeEqualText(form['form_token'] ?? '', formToken(browser, page))
