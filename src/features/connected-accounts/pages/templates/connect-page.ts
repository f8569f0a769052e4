import { type PageText, text, type TextKey, type Translator } from '../language/index.ts'
import type { FormFailure } from '../wording/form-failure.ts'
import type { Permission } from '../wording/scope-descriptions.ts'
import { fieldTexts } from '../wording/field-texts.ts'
import { type FormField, renderField } from './field.ts'
import { html, type Markup } from './html.ts'
import { frameOf, type PageFrame, renderLayout } from './layout.ts'
import { safeHttpUrl } from './safe-url.ts'

const PERMISSIONS_SHOWN_MAX = 4

interface SignInMethod {
  /** Value of `sign_in` in the query and the form. */
  name: string
  label: TextKey
  isChosen: boolean
}

export interface ConnectPage extends PageFrame {
  toolkit: { slug: string; name: string }
  /** The user of the application whose account it will be; undefined if the application named none. */
  userId: string | undefined
  permissions: readonly Permission[]
  fields: readonly FormField[]
  errors: Readonly<Record<string, PageText>>
  formError?: FormFailure | undefined
  /** The user continues at the provider instead of connecting with this form. */
  continuesAtProvider: boolean
  /** The ways to sign in among which the user chooses; none if there is only one. */
  methods?: readonly SignInMethod[]
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
export function renderConnectPage(page: ConnectPage, translator: Translator): string {
  const { toolkit, fields, errors, formError, continuesAtProvider, action } = page
  const invalid = fields.filter(({ name }) => errors[name] !== undefined)
  const hasErrors = invalid.length > 0 || formError !== undefined
  const { markup } = translator
  const app = toolkit.name
  const project = html`<bdi>${page.projectName ?? markup('this_application')}</bdi>`
  const title = translator.text(text(page.reconnect ? 'reconnect.title' : 'connect.title', { app }))
  return renderLayout(
    {
      translator,
      title: hasErrors ? text('error.title', { title }) : title,
      ...frameOf(page),
    },
    html`<h1>${title}</h1>
<p class="lead">${markup(requestKey(page), { app, project: html`<strong>${project}</strong>` })}</p>
${
  page.userId !== undefined &&
  html`<p class="foot">${markup('connect.for_user', { user: html`<bdi>${page.userId}</bdi>`, project })}</p>
`
}${hasErrors && errorSummary(invalid, page, translator)}${permissionList(page, project, translator)}${methodList(
      page,
      translator,
    )}${
      'link' in action
        ? html`<a class="action" href="${action.link}">${markup('continue_to', { app })}</a>`
        : form(page, action, translator)
    }${page.cancelUrl !== undefined && html`<a class="action quiet" href="${page.cancelUrl}">${markup('cancel')}</a>`}
<p class="foot">${
      continuesAtProvider ? markup('connect.at_provider', { app }) : markup('connect.stored')
    }</p>`,
  )
}

const requestKey = ({ reconnect }: ConnectPage): TextKey =>
  reconnect === undefined
    ? 'connect.asks'
    : reconnect === 'still_works'
      ? 'reconnect.still_works'
      : 'reconnect.stopped'

/** Shows the first permissions; the others would move the button off the screen of a phone. */
function permissionList(
  { permissions }: ConnectPage,
  project: Markup,
  { markup, text: write }: Translator,
): Markup | false {
  if (permissions.length === 0) return false
  // One more line takes no more space than "Show all".
  const first = permissions.length > PERMISSIONS_SHOWN_MAX + 1 ? PERMISSIONS_SHOWN_MAX : permissions.length
  const items = (some: readonly Permission[]) =>
    some.map(
      ({ what, detail }) =>
        html`<li>${write(what)}${detail && html`<span class="more">${write(detail)}</span>`}</li>`,
    )
  const rest = permissions.slice(first)
  return html`<section class="allow" aria-labelledby="allow">
<h2 id="allow">${markup('connect.permissions', { project })}</h2>
<ul>${items(permissions.slice(0, first))}</ul>${
    rest.length > 0 &&
    html`<details><summary>${markup('connect.show_all', { count: permissions.length })}</summary>
<ul>${items(rest)}</ul></details>`
  }</section>
`
}

/** Links, so that the choice works with a keyboard and without a script, and shows the fields of the chosen way. */
function methodList({ methods = [], toolkit, action }: ConnectPage, { markup }: Translator): Markup | false {
  if (methods.length === 0 || 'link' in action) return false
  const items = methods.map(({ name, label, isChosen }) => {
    const current = isChosen && html` aria-current="true"`
    return html`<li><a href="${action.token}?sign_in=${name}"${current}>${markup(label, { app: toolkit.name })}</a></li>
`
  })
  return html`<nav class="methods" aria-labelledby="methods"><h2 id="methods">${markup('method.title')}</h2>
<ul>${items}</ul></nav>
`
}

function form(
  { toolkit, fields, errors, hintUrl, continuesAtProvider, reconnect, methods = [] }: ConnectPage,
  { token, formToken }: { token: string; formToken: string },
  translator: Translator,
): Markup {
  const { markup, text: write } = translator
  const app = toolkit.name
  const chosen = methods.find(({ isChosen }) => isChosen)
  // The manifest of a custom toolkit can contain any URL, also one with a scheme that runs code.
  const hintLink = safeHttpUrl(hintUrl)
  const hint =
    fields.length > 0 &&
    hintLink !== undefined &&
    html`<p class="foot"><a href="${hintLink}" target="_blank"
rel="noopener noreferrer">${markup('connect.hint', { app })}</a></p>
`
  const connectLabel = reconnect ? 'reconnect.button' : 'connect.button'
  const label = markup(continuesAtProvider ? 'continue_to' : connectLabel, { app })
  const inputs = fields.map((field) =>
    renderField(translated(field, app, write), written(errors[field.name], write), translator),
  )
  return html`<form method="post" action="${token}" novalidate accept-charset="utf-8">
<input type="hidden" name="form_token" value="${formToken}">
${chosen !== undefined && html`<input type="hidden" name="sign_in" value="${chosen.name}">`}${inputs}${hint}
<div class="bar"><button class="action">${label}</button></div></form>`
}

/**
 * Lists the errors with links to their fields. It takes the focus, so that a screen reader starts with it.
 */
function errorSummary(
  invalid: readonly FormField[],
  { errors, formError }: ConnectPage,
  { markup, text: write }: Translator,
): Markup {
  const links = invalid.map(
    ({ name }) => html`<li><a href="#f-${name}">${written(errors[name], write)}</a></li>`,
  )
  return html`<div class="errors" role="alert" tabindex="-1" autofocus><h2>${markup('connect.nothing_yet')}</h2>${
    formError !== undefined &&
    html`<p>${write(formError.form)}</p><details open><summary>${markup('connect.details')}</summary>
<p lang="en">${formError.detail}</p></details>`
  }${links.length > 0 && html`<ul>${links}</ul>`}</div>
`
}

/** A field in the language of the reader. */
function translated(field: FormField, app: string, write: Translator['text']): FormField {
  const { label, hint } = fieldTexts(field, app)
  return { ...field, display_name: write(label), description: write(hint) }
}

const written = (error: PageText | undefined, write: Translator['text']): string | undefined =>
  error === undefined ? undefined : write(error)
