import { ApiError } from '../../../platform/http/api-error.ts'
import { type Browser, MISSING_FORM_COOKIE, type PageOutcome } from '../../connected-accounts/index.ts'
import type { McpAuthorizationDeps } from '../deps.ts'
import { OAUTH_PATHS } from '../metadata.ts'
import { type FormFields, hasFormToken, openRequest } from './open-request.ts'
import { signInPage } from './pages.ts'
import * as store from './store.ts'

const USER_ID_CHARACTERS_MAX = 256

/** Signs the browser in with a project key. A key with the sessions:write permission may act for any user. */
export async function submitProjectKey(
  deps: McpAuthorizationDeps,
  id: string,
  browser: Browser | undefined,
  form: FormFields,
  ip: string,
): Promise<PageOutcome> {
  if (!hasFormToken(browser, id, form)) return MISSING_FORM_COOKIE
  const opened = await openRequest(deps, id, browser)
  if ('kind' in opened) return opened
  const { request, context } = opened
  const user = context.requestedUserId ?? (form['user_id'] ?? '').trim()
  if (!isValidUserId(user))
    return signInPage(context, {
      error: { field: 'user_id', text: `Enter a user id of at most ${USER_ID_CHARACTERS_MAX} characters.` },
    })
  if (!(await isSessionKeyOfProject(deps, request.project_id, (form['key'] ?? '').trim(), ip)))
    return signInPage(context, {
      error: {
        field: 'key',
        text: `Invalid API key of ${context.project.name}, or the key lacks the sessions:write permission.`,
      },
      userId: user,
    })
  await store.insertSignIn(
    deps.db,
    { projectId: request.project_id, resource: store.resourceFromRow(request), userId: user },
    request.browser_hash,
  )
  return { kind: 'redirect', url: `${deps.publicUrl}${OAUTH_PATHS.consent}/${id}` }
}

const isValidUserId = (user: string): boolean =>
  user !== '' && user.length <= USER_ID_CHARACTERS_MAX && !user.includes('\0') && user.isWellFormed()

async function isSessionKeyOfProject(
  { authenticate }: McpAuthorizationDeps,
  projectId: string,
  key: string,
  ip: string,
): Promise<boolean> {
  try {
    const principal = await authenticate(
      'project',
      { area: 'sessions', level: 'write' },
      { headers: { 'x-api-key': key }, ip },
    )
    return 'projectId' in principal && principal.projectId === projectId
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return false
    throw error
  }
}
