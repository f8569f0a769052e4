import { ApiError } from '../../../platform/http/api-error.ts'
import { type Browser, MISSING_FORM_COOKIE, type PageOutcome, text } from '../../connected-accounts/index.ts'
import type { McpAuthorizationDeps } from '../deps.ts'
import { OAUTH_PATHS } from '../metadata.ts'
import { type FormFields, hasFormToken, openRequest } from './open-request.ts'
import { signInPage } from './pages.ts'
import * as store from './store.ts'
import { isValidUserId, USER_ID_CHARACTERS_MAX } from './user-id.ts'

/**
 * Signs the browser in with a project key. A key that may call tools through MCP may act for any user. The token of the
 * client calls tools, so a key that may not must not create one.
 */
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
      error: { field: 'user_id', text: text('signin.user_error', { max: String(USER_ID_CHARACTERS_MAX) }) },
    })
  if (!(await isMcpKeyOfProject(deps, request.project_id, (form['key'] ?? '').trim(), ip)))
    return signInPage(context, {
      error: {
        field: 'key',
        text: text('signin.key_error', { project: context.project.name }),
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

async function isMcpKeyOfProject(
  { authenticate }: McpAuthorizationDeps,
  projectId: string,
  key: string,
  ip: string,
): Promise<boolean> {
  try {
    const incoming = { headers: { 'x-api-key': key }, ip }
    await authenticate('project', { area: 'tool_execution', level: 'write' }, incoming)
    const principal = await authenticate('project', { area: 'sessions', level: 'write' }, incoming)
    return 'projectId' in principal && principal.projectId === projectId
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return false
    throw error
  }
}
