import type { Permission } from '../wording/scope-descriptions.ts'
import { type FormField, renderField } from './field.ts'
import { html, type Markup } from './html.ts'
import { renderLayout } from './layout.ts'
import { safeHttpUrl } from './safe-url.ts'
import type { PageTheme } from './theme.ts'

const PERMISSIONS_SHOWN_MAX = 4

export interface ConnectPage {
  toolkit: { slug: string; name: string }
  projectName: string | null
  projectLogo: string | null
  theme?: PageTheme | undefined
  publicUrl: string
  /** The user of the application whose account it will be; undefined if the application named none. */
  userId: string | undefined
  permissions: readonly Permission[]
  fields: readonly FormField[]
  errors: Readonly<Record<string, string>>
  formError?: string | undefined
  /** The user continues at the provider instead of connecting with this form. */
  continuesAtProvider: boolean
  hintUrl: string | undefined
  /** Present if the account exists already, and whether it can still be used. */
  reconnect?: 'still_works' | 'stopped' | undefined
  /**
   * A form, or a link to the next page. The form is sent to the token of the page without the fragment: a
   * link of an error summary adds the fragment of a field, which would take the focus again.
   */
  action: { token: string; formToken: string } | { link: string }
  /** The page of the application for users who decline; undefined if it has none. */
  cancelUrl?: string | undefined
}

/**
 * Renders the page on which a user connects an account: who asks for access, for what, and the fields to fill
 * in.
 */
export function renderConnectPage(page: ConnectPage): string {
  const { toolkit, fields, errors, formError, continuesAtProvider, action } = page
  const invalid = fields.filter(({ name }) => errors[name] !== undefined)
  const hasErrors = invalid.length > 0 || formError !== undefined
  const application = page.projectName ?? 'This application'
  const title = `${page.reconnect ? 'Reconnect' : 'Connect'} ${toolkit.name}`
  return renderLayout(
    {
      title: hasErrors ? `Error: ${title}` : title,
      toolkit,
      projectLogo: page.projectLogo,
      projectName: page.projectName,
      theme: page.theme,
      publicUrl: page.publicUrl,
    },
    html`<h1>${title}</h1>
<p class="lead"><strong><bdi>${application}</bdi></strong> ${requestText(page)}</p>
${page.userId !== undefined && html`<p class="foot">For the user <bdi>${page.userId}</bdi> of ${application}.</p>\n`}${hasErrors && errorSummary(invalid, errors, formError)}${permissionList(page, application)}${
      'link' in action
        ? html`<a class="action" href="${action.link}">Continue to ${toolkit.name}</a>`
        : form(page, action)
    }${page.cancelUrl !== undefined && html`<a class="action quiet" href="${page.cancelUrl}">Cancel</a>`}
<p class="foot">${
      continuesAtProvider
        ? `You sign in at ${toolkit.name}; this page does not ask for your password.`
        : 'Your input is stored encrypted and never shown again.'
    }</p>`,
  )
}

function requestText({ reconnect, toolkit: { name } }: ConnectPage): string {
  if (reconnect === 'still_works')
    return `asks you to reconnect your ${name} account. Until then, it keeps working.`
  if (reconnect === 'stopped')
    return `can no longer use your ${name} account. Reconnect it, and everything that uses it continues.`
  return `asks for access to your ${name} account.`
}

/** Shows the first permissions; the others would move the button off the screen of a phone. */
function permissionList({ permissions }: ConnectPage, application: string): Markup | false {
  if (permissions.length === 0) return false
  // One more line takes no more space than "Show all".
  const first = permissions.length > PERMISSIONS_SHOWN_MAX + 1 ? PERMISSIONS_SHOWN_MAX : permissions.length
  const items = (some: readonly Permission[]) =>
    some.map(
      ({ what, detail }) => html`<li>${what}${detail && html`<span class="more">${detail}</span>`}</li>`,
    )
  const rest = permissions.slice(first)
  return html`<section class="allow" aria-labelledby="allow">
<h2 id="allow"><bdi>${application}</bdi> will be able to</h2>
<ul>${items(permissions.slice(0, first))}</ul>${
    rest.length > 0 &&
    html`<details><summary>Show all ${String(permissions.length)} permissions</summary><ul>${items(rest)}</ul></details>`
  }</section>
`
}

function form(
  { toolkit, fields, errors, hintUrl, continuesAtProvider, reconnect }: ConnectPage,
  { token, formToken }: { token: string; formToken: string },
): Markup {
  // The manifest of a custom toolkit can contain any URL, also one with a scheme that runs code.
  const hintLink = safeHttpUrl(hintUrl)
  const hint =
    fields.length > 0 &&
    hintLink !== undefined &&
    html`<p class="foot"><a href="${hintLink}" target="_blank"
rel="noopener noreferrer">Where do I find this at ${toolkit.name}?</a></p>
`
  const connectLabel = reconnect ? 'Reconnect' : 'Connect'
  const label = continuesAtProvider ? `Continue to ${toolkit.name}` : connectLabel
  return html`<form method="post" action="${token}" novalidate accept-charset="utf-8">
<input type="hidden" name="form_token" value="${formToken}">
${fields.map((field) => renderField(field, errors[field.name]))}${hint}<button class="action">${label}</button></form>`
}

/**
 * Lists the errors with links to their fields. It takes the focus, so that a screen reader starts with it.
 */
function errorSummary(
  invalid: readonly FormField[],
  errors: Readonly<Record<string, string>>,
  formError: string | undefined,
): Markup {
  const links = invalid.map(({ name }) => html`<li><a href="#f-${name}">${errors[name]}</a></li>`)
  return html`<div class="errors" role="alert" tabindex="-1" autofocus><h2>Nothing is connected yet</h2>${
    formError !== undefined && html`<p>${formError}</p>`
  }${links.length > 0 && html`<ul>${links}</ul>`}</div>
`
}
