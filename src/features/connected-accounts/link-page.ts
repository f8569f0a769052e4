import { authSchemes } from '../../auth-schemes/index.ts'
import type { AuthSchemeName } from '../../contract/schemes.ts'
import { timingSafeEqualText } from '../../platform/crypto/index.ts'
import { type Browser, formToken } from './browser-cookie.ts'
import { findAuthConfig } from '../auth-configs/index.ts'
import { connectOutcome } from './connect-outcome.ts'
import type { AccountDeps, SharedAccountDeps } from './deps.ts'
import { openLink, type OpenLink } from './link.ts'
import { submitLink, type Trouble } from './link-submit.ts'
import { NO_COOKIE, type Outcome } from './outcome.ts'
import { scopesForTools } from './scopes.ts'

/** The page of a link. */
export async function showLink(shared: SharedAccountDeps, token: string, browser: Browser): Promise<Outcome> {
  const link = await openLink(shared, token)
  return 'kind' in link ? link : show(link.deps, token, link, browser)
}

/** The form of that page was sent. A foreign page can send a form too, but does not know what the browser's cookie was shown with. */
export async function takeForm(
  shared: SharedAccountDeps,
  token: string,
  browser: Browser | undefined,
  form: Readonly<Record<string, string>>,
): Promise<Outcome> {
  if (!browser || !timingSafeEqualText(form['form_token'] ?? '', formToken(browser, token))) return NO_COOKIE
  const link = await openLink(shared, token)
  if ('kind' in link) return link
  const result = await submitLink(link.deps, link, browser, form)
  return 'kind' in result ? result : show(link.deps, token, link, browser, result)
}

async function show(
  deps: AccountDeps,
  token: string,
  link: OpenLink,
  browser: Browser,
  trouble?: Trouble,
): Promise<Outcome> {
  const { projectId, walk, row, setup, asked } = link
  return connectOutcome(deps, projectId, row, {
    again: walk === 'reconnect',
    scopes: await scopesOf(deps, link),
    leadsOn: authSchemes[setup.scheme.mode as AuthSchemeName]?.redirects ?? false,
    hintUrl: setup.scheme.manifest.hint_url,
    fields: asked.map((field) =>
      trouble && !field.secret ? { ...field, value: trouble.entered[field.name] ?? '' } : field,
    ),
    errors: trouble?.fields ?? {},
    formError: trouble?.form,
    action: { token, formToken: formToken(browser, token) },
  })
}

/** Of a new account those that were noted with it; of one that stood before those that would be asked for now. */
async function scopesOf(
  { db, catalog }: AccountDeps,
  { projectId, walk, row, setup }: OpenLink,
): Promise<string[]> {
  const toolkit = catalog.toolkit(row.toolkit_slug)
  const config = walk === 'reconnect' ? await findAuthConfig(db, projectId, row.auth_config_id) : undefined
  if (!config || !toolkit) return [...row.requested_scopes, ...row.requested_user_scopes]
  const { scopes, userScopes } = scopesForTools(toolkit, config, setup)
  return [...scopes, ...userScopes]
}
