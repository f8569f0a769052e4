import {
  renderField,
  html,
  renderLayout,
  type Markup,
  imageOriginsOf,
  type PageOutcome,
  type PageText,
  text,
  type Translator,
} from '../../connected-accounts/index.ts'
import type { SignInProject } from '../deps.ts'
import { redirectDestination } from '../clients/redirect-uris.ts'
import type { ProjectProvider } from '../openid/providers.ts'
import type { ResourceDetails } from '../resources.ts'
import { OAUTH_PATHS } from '../metadata.ts'

/** The data of the pages of an authorization request. */
export interface ConsentContext {
  publicUrl: string
  project: SignInProject
  resource: ResourceDetails
  id: string
  formToken: string
  client: { id: string; name: string | null; redirectUri: string }
  /** The only user who may sign in: the `user_id` of the URL, or the user of the session. */
  requestedUserId: string | undefined
  /** The OpenID provider of the project. */
  provider: ProjectProvider | undefined
}

const renderPage = (
  { publicUrl, project: { name, logoUrl } }: Pick<ConsentContext, 'publicUrl' | 'project'>,
  title: PageText,
  content: (translator: Translator) => Markup,
  more: { status?: number; formTargets?: readonly string[] } = {},
): PageOutcome => ({
  kind: 'html',
  status: more.status ?? 200,
  render: (translator) =>
    renderLayout(
      {
        title: more.status === undefined ? title : text('error.title', { title: translator.text(title) }),
        translator,
        projectName: name,
        projectLogo: logoUrl,
        publicUrl,
      },
      content(translator),
    ),
  imageOrigins: imageOriginsOf(publicUrl, logoUrl),
  ...(more.formTargets ? { formTargets: more.formTargets } : {}),
})

const renderForm = (
  action: string,
  token: string,
  content: Markup,
): Markup => html`<form method="post" action="${action}" novalidate accept-charset="utf-8">
<input type="hidden" name="form_token" value="${token}">
${content}</form>`

const bold = (name: string): Markup => html`<strong><bdi>${name}</bdi></strong>`

/** Describes the client. A name that is not verified is in quotation marks. */
const describeClient = (
  { client: { id, name } }: ConsentContext,
  { markup, text: write }: Translator,
): Markup => {
  const host = id.startsWith('https://') ? new URL(id).host : undefined
  return host === undefined
    ? markup('signin.program', {
        name: html`<strong>“<bdi>${name ?? write(text('signin.unnamed'))}</bdi>”</strong>`,
      })
    : markup('signin.program_of', { name: bold(name ?? host), host: html`<strong>${host}</strong>` })
}

/** Renders the page on which a user allows or denies access. */
export function consentPage(context: ConsentContext, userId: string): PageOutcome {
  const { project, resource, client, id, formToken, publicUrl } = context
  const { words, source } = redirectDestination(client.redirectUri)
  const url = `${publicUrl}${OAUTH_PATHS.consent}/${id}`
  const user = html`<bdi>${userId}</bdi>`
  const title = text('consent.title', { resource: resource.name })
  const toolkits =
    resource.toolkits.length > 0 && html`<span class="more">${resource.toolkits.join(', ')}</span>`
  return renderPage(
    context,
    title,
    (translator) => {
      const { markup, text: write } = translator
      const asks = markup('consent.asks', {
        program: describeClient(context, translator),
        resource: bold(resource.name),
        project: bold(project.name),
      })
      const other = html`<a href="${url}?other=1">${markup('consent.other')}</a>`
      return html`<h1>${write(title)}</h1>
<p class="lead">${asks}</p>
<section class="allow" aria-labelledby="allow"><h2 id="allow">${markup('consent.able')}</h2>
<ul><li>${markup('consent.run', { resource: resource.name, user })}${toolkits}</li>
<li>${markup('consent.use', { user })}</li></ul></section>
${renderForm(
  url,
  formToken,
  html`<input type="hidden" name="user" value="${userId}">
<button class="action" name="decision" value="allow">${markup('consent.allow', { user: userId })}</button>
<button class="action quiet" name="decision" value="deny">${markup('approval.deny')}</button>`,
)}
<p class="foot">${markup('consent.result', { destination: write(words) })}
${markup('consent.signed_in', { user, other })}</p>`
    },
    { formTargets: [source] },
  )
}

interface SignInNotes {
  notice?: PageText | undefined
  error?: { field: 'key' | 'user_id'; text: PageText } | undefined
  userId?: string
}

/** Renders the page on which a user signs in: at the provider of the project, or with a key of the project. */
export function signInPage(context: ConsentContext, notes: SignInNotes = {}): PageOutcome {
  const { project, resource, requestedUserId, id, formToken, publicUrl, provider } = context
  const title = text('signin.title', { resource: resource.name })
  return renderPage(
    context,
    title,
    (translator) => {
      const { markup, text: write } = translator
      const asks = markup(requestedUserId === undefined ? 'signin.asks' : 'signin.asks_for', {
        program: describeClient(context, translator),
        resource: bold(resource.name),
        project: bold(project.name),
        user: bold(requestedUserId ?? ''),
      })
      return html`<h1>${write(title)}</h1>
<p class="lead">${asks}</p>
${
  notes.notice !== undefined &&
  html`<div class="errors" role="alert"><p>${write(notes.notice)}</p></div>
`
}${
        provider &&
        html`<p><a class="action" href="${publicUrl}${OAUTH_PATHS.consent}/${id}/openid?again=1">${markup(
          'signin.with_provider',
          { provider: html`<bdi>${provider.name}</bdi>` },
        )}</a></p>
`
      }<p class="lead">${markup('signin.have_link', { project: html`<bdi>${project.name}</bdi>` })}</p>
${renderForm(
  `${publicUrl}${OAUTH_PATHS.consent}/${id}/key`,
  formToken,
  html`<h2>${markup('signin.or_key')}</h2>
${keyFields(context, notes, translator)}<button class="action">${markup('signin.button')}</button>`,
)}`
    },
    notes.error ? { status: 400 } : {},
  )
}

/** The fields of the form: the user, unless the request names one, and the key. */
function keyFields(
  { project, requestedUserId }: ConsentContext,
  { error, userId = '' }: SignInNotes,
  translator: Translator,
): Markup {
  const { text: write } = translator
  const errorText = (name: string) => (error?.field === name ? write(error.text) : undefined)
  const userField = {
    name: 'user_id',
    display_name: write(text('signin.user')),
    description: write(text('signin.user_text')),
    value: userId,
  }
  const keyField = {
    name: 'key',
    display_name: write(text('signin.key')),
    description: write(text('signin.key_text', { project: project.name })),
    secret: true,
    value: '',
  }
  return html`${
    requestedUserId === undefined && renderField(userField as never, errorText('user_id'), translator)
  }${renderField(keyField as never, errorText('key'), translator)}`
}

/**
 * Renders an invalid request. The error is sent to the client only when the user clicks: anyone can register a redirect
 * URI, so an automatic redirect would make this server an open redirector.
 */
export function requestErrorPage(
  publicUrl: string,
  reason: string,
  redirectUri: string,
  url: string,
): PageOutcome {
  const title = text('request.invalid')
  return {
    kind: 'html',
    status: 400,
    imageOrigins: [],
    render: (translator) => {
      const { markup, text: write } = translator
      const destination = write(redirectDestination(redirectUri).words)
      return renderLayout(
        { title, translator, publicUrl },
        html`<h1>${write(title)}</h1>
<p class="lead">${reason} ${markup('request.invalid_text')}</p>
<a class="action" href="${url}">${markup('request.return', { destination })}</a>`,
      )
    },
  }
}

/** Renders the page of a sign-in link. Opening it does not use the link, because mail programs open links too. */
export function signInLinkPage({
  publicUrl,
  project,
  resource,
  userId,
  action,
  formToken,
}: Pick<ConsentContext, 'publicUrl' | 'project' | 'resource' | 'formToken'> & {
  userId: string
  action: string
}): PageOutcome {
  const title = text('signin.title', { resource: resource.name })
  return renderPage({ publicUrl, project }, title, ({ markup, text: write }) => {
    const button = html`<button class="action">${markup('signin.as', { user: userId })}</button>`
    const lead = markup('signin.link_lead', {
      project: bold(project.name),
      user: bold(userId),
      resource: bold(resource.name),
    })
    return html`<h1>${write(title)}</h1>
<p class="lead">${lead}</p>
${renderForm(action, formToken, button)}
<p class="foot">${markup('signin.link_foot')}</p>`
  })
}
