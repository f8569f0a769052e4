import { timingSafeEqualText } from '../../../platform/crypto/index.ts'
import { findAuthConfig } from '../../auth-configs/index.ts'
import { scopesForTools } from '../authorization-flow/requested-scopes.ts'
import { authSchemeOf } from '../credentials.ts'
import type { SharedAccountDeps } from '../deps.ts'
import { type Browser, formToken } from '../pages/browser-cookie.ts'
import { connectPageOutcome } from '../pages/connect-page-outcome.ts'
import { signInMethod } from '../pages/wording/sign-in-method.ts'
import { MISSING_FORM_COOKIE, type PageOutcome } from '../pages/page-outcome.ts'
import { openConnectLink, type OpenConnectLink } from './open-link.ts'
import { optionName } from './sign-in-options.ts'
import { type FormErrors, submitForm } from './submit-form.ts'

/** Shows the page of a link. */
export async function showLinkPage(
  shared: SharedAccountDeps,
  token: string,
  browser: Browser,
  chosen: string | undefined,
): Promise<PageOutcome> {
  const link = await openConnectLink(shared, token, chosen)
  return isPage(link) ? link : renderLink(link, token, browser)
}

/**
 * Receives the form of the page. Another site can send a form, but it does not have the form token of the
 * browser.
 */
export async function submitLinkForm(
  shared: SharedAccountDeps,
  token: string,
  browser: Browser | undefined,
  form: Readonly<Record<string, string>>,
): Promise<PageOutcome> {
  if (!browser || !timingSafeEqualText(form['form_token'] ?? '', formToken(browser, token)))
    return MISSING_FORM_COOKIE
  const link = await openConnectLink(shared, token, form['sign_in'])
  if (isPage(link)) return link
  const result = await submitForm(link, browser, form)
  return 'fields' in result ? renderLink(link, token, browser, result) : result
}

const isPage = (link: OpenConnectLink | PageOutcome): link is PageOutcome => !('connection' in link)

async function renderLink(
  link: OpenConnectLink,
  token: string,
  browser: Browser,
  errors?: FormErrors,
): Promise<PageOutcome> {
  const { deps, projectId, kind, row, connection, fields } = link
  return connectPageOutcome(deps, projectId, row, {
    isReconnect: kind === 'reconnect',
    scopes: await requestedScopes(link),
    continuesAtProvider: authSchemeOf(connection)?.redirects ?? false,
    hintUrl: connection.scheme.manifest.hint_url,
    fields: fields.map((field) =>
      errors && !field.secret ? { ...field, value: errors.entered[field.name] ?? '' } : field,
    ),
    errors: errors?.fields ?? {},
    formError: errors?.failure,
    action: { token, formToken: formToken(browser, token) },
    methods: link.options.map((option) => ({
      name: optionName(option),
      label: signInMethod(option.auth_scheme),
      isChosen: option.id === row.auth_config_id,
    })),
  })
}

/**
 * A new account has its scopes in its row; for an existing one, they are those that would be requested now.
 */
async function requestedScopes({
  deps,
  projectId,
  kind,
  row,
  connection,
}: OpenConnectLink): Promise<string[]> {
  const toolkit = deps.catalog.toolkit(row.toolkit_slug)
  const config =
    kind === 'reconnect' ? await findAuthConfig(deps.db, projectId, row.auth_config_id) : undefined
  if (!config || !toolkit) return [...row.requested_scopes, ...row.requested_user_scopes]
  const { scopes, userScopes } = scopesForTools(toolkit, config, connection)
  return [...scopes, ...userScopes]
}
