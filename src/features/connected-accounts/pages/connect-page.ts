import { type Asked, fieldMarkup } from './field.ts'
import { html, type Markup } from './html.ts'
import { layout } from './layout.ts'
import type { Allowed } from './scope-words.ts'

export type { Asked } from './field.ts'

export interface ConnectPage {
  toolkit: { slug: string; name: string }
  projectName: string | null
  projectLogo: string | null
  publicUrl: string
  allowed: readonly Allowed[]
  fields: readonly Asked[]
  errors: Readonly<Record<string, string>>
  formError?: string | undefined
  /** Leads on to the provider instead of connecting here. */
  leadsOn: boolean
  hintUrl: string | undefined
  /** The account stood before: it still works, or it does not. */
  again?: 'works' | 'stopped' | undefined
  /** A form with the token of the link, to which it goes back (without the fragment of a field that an error led to, which would take the focus); or an address that leads on. */
  action: { token: string; formToken: string } | { link: string }
}

/** The page on which a user connects an account: who asks, what for, and what has to be filled in. */
export function connectPage(page: ConnectPage): string {
  const { toolkit, fields, errors, formError, leadsOn } = page
  const wrong = fields.filter(({ name }) => errors[name] !== undefined)
  const failed = wrong.length > 0 || formError !== undefined
  const asker = page.projectName ?? 'This application'
  const title = `${page.again ? 'Reconnect' : 'Connect'} ${toolkit.name}`
  return layout(
    {
      title: failed ? `Error: ${title}` : title,
      toolkit,
      projectLogo: page.projectLogo,
      projectName: page.projectName,
      publicUrl: page.publicUrl,
    },
    html`<h1>${title}</h1>
<p class="lead"><strong><bdi>${asker}</bdi></strong> ${reason(page)}</p>
${failed && summary(wrong, errors, formError)}${
      page.allowed.length > 0 &&
      html`<section class="allow" aria-labelledby="allow"><h2 id="allow"><bdi>${asker}</bdi> will be able to</h2><ul>${page.allowed.map(({ what, detail }) => html`<li>${what}${detail && html`<span class="more">${detail}</span>`}</li>`)}</ul></section>
`
    }${'link' in page.action ? html`<a class="action" href="${page.action.link}">Continue to ${toolkit.name}</a>` : form(page, page.action)}
<p class="foot">${leadsOn ? `You sign in at ${toolkit.name}; your password is not asked for here.` : 'What you enter is stored encrypted, and never shown again.'}</p>`,
  )
}

const reason = ({ again, toolkit: { name } }: ConnectPage): string =>
  again === 'works'
    ? `asks you to renew its access to your ${name} account. Until you have, it works on as before.`
    : again === 'stopped'
      ? `can no longer use your ${name} account. Connect it once more, and everything that uses it goes on.`
      : `asks for access to your ${name} account.`

function form(
  { toolkit, fields, errors, hintUrl, leadsOn, again }: ConnectPage,
  { token, formToken }: { token: string; formToken: string },
): Markup {
  return html`<form method="post" action="${token}" novalidate accept-charset="utf-8"><input type="hidden" name="form_token" value="${formToken}">
${fields.map((field) => fieldMarkup(field, errors[field.name]))}${
    fields.length > 0 &&
    hintUrl &&
    html`<p class="foot"><a href="${hintUrl}" target="_blank" rel="noopener noreferrer">Where do I find this at ${toolkit.name}?</a></p>
`
  }<button class="action">${leadsOn ? `Continue to ${toolkit.name}` : again ? 'Reconnect' : 'Connect'}</button></form>`
}

/** Takes the focus, so that a screen reader begins with it, and leads to each field. */
function summary(
  wrong: readonly Asked[],
  errors: Readonly<Record<string, string>>,
  formError: string | undefined,
): Markup {
  return html`<div class="errors" role="alert" tabindex="-1" autofocus><h2>Nothing is connected yet</h2>${formError !== undefined && html`<p>${formError}</p>`}${wrong.length > 0 && html`<ul>${wrong.map(({ name }) => html`<li><a href="#f-${name}">${errors[name]}</a></li>`)}</ul>`}</div>
`
}
