import { authSchemes } from '../../auth-schemes/index.ts'
import type { AuthSchemeName } from '../../contract/schemes.ts'
import { timingSafeEqualText } from '../../platform/crypto/index.ts'
import { type Browser, formToken } from './browser-cookie.ts'
import type { AccountDeps } from './deps.ts'
import { openLink, type OpenLink } from './link.ts'
import { submitLink, type Trouble } from './link-submit.ts'
import { message, type Outcome } from './outcome.ts'
import { connectPage } from './pages/connect-page.ts'
import { originsOf } from './pages/layout.ts'
import { scopesInWords, toolsInWords } from './pages/scope-words.ts'

const NO_COOKIE = message(403, {
  tone: 'plain', title: 'This form was not opened in this browser', text: 'Allow cookies for this address, open the link once more, and send the form from there. Nothing was changed.',
})

/** The page of a link. */
export async function showLink(deps: AccountDeps, token: string, browser: Browser): Promise<Outcome> {
  const link = await openLink(deps, token)
  return 'kind' in link ? link : show(deps, token, link, browser)
}

/** The form of that page was sent. A foreign page can send a form too, but does not know what the browser's cookie was shown with. */
export async function takeForm(deps: AccountDeps, token: string, browser: Browser | undefined, form: Readonly<Record<string, string>>): Promise<Outcome> {
  if (!browser || !timingSafeEqualText(form['form_token'] ?? '', formToken(browser, token))) return NO_COOKIE
  const link = await openLink(deps, token)
  if ('kind' in link) return link
  const result = await submitLink(deps, link, browser, form)
  return 'kind' in result ? result : show(deps, token, link, browser, result)
}

async function show(deps: AccountDeps, token: string, { projectId, row, setup, asked }: OpenLink, browser: Browser, trouble?: Trouble): Promise<Outcome> {
  const toolkit = deps.catalog.toolkit(row.toolkit_slug)
  const { displayName, logoUrl } = await deps.branding(projectId)
  const scopes = [...row.requested_scopes, ...row.requested_user_scopes]
  const html = connectPage({
    toolkit: { slug: row.toolkit_slug, name: toolkit?.name ?? row.toolkit_slug }, projectName: displayName, projectLogo: logoUrl, publicUrl: deps.publicUrl,
    allowed: !toolkit ? [] : scopes.length ? scopesInWords(toolkit, scopes) : toolsInWords(toolkit, row.tools_available_for_execution),
    fields: asked.map((field) => trouble && !field.secret ? { ...field, value: trouble.entered[field.name] ?? '' } : field),
    errors: trouble?.fields ?? {}, formError: trouble?.form, leadsOn: authSchemes[setup.scheme.mode as AuthSchemeName]?.redirects ?? false,
    hintUrl: setup.scheme.manifest.hint_url, token, formToken: formToken(browser, token),
  })
  return { kind: 'html', status: trouble ? 400 : 200, html, imageOrigins: originsOf(deps.publicUrl, logoUrl) }
}
