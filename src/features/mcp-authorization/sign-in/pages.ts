import {
  renderField,
  html,
  renderLayout,
  type Markup,
  imageOriginsOf,
  type PageOutcome,
} from '../../connected-accounts/index.ts'
import type { SignInProject } from '../deps.ts'
import { redirectDestination } from '../clients/redirect-uris.ts'
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
}

const renderPage = (
  { publicUrl, project: { name, logoUrl } }: Pick<ConsentContext, 'publicUrl' | 'project'>,
  title: string,
  content: Markup,
  more: { status?: number; formTargets?: readonly string[] } = {},
): PageOutcome => ({
  kind: 'html',
  status: more.status ?? 200,
  render: () => renderLayout({ title, projectName: name, projectLogo: logoUrl, publicUrl }, content),
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
const describeClient = ({ client: { id, name } }: ConsentContext): Markup => {
  const host = id.startsWith('https://') ? new URL(id).host : undefined
  return host === undefined
    ? html`A program that calls itself <strong>“<bdi>${name ?? 'unnamed'}</bdi>”</strong>`
    : html`<strong><bdi>${name ?? host}</bdi></strong> of <strong>${host}</strong>`
}

/** Renders the page on which a user allows or denies access. */
export function consentPage(context: ConsentContext, userId: string): PageOutcome {
  const { project, resource, client, id, formToken, publicUrl } = context
  const { words, source } = redirectDestination(client.redirectUri)
  const url = `${publicUrl}${OAUTH_PATHS.consent}/${id}`
  const user = html`<bdi>${userId}</bdi>`
  const toolkits =
    resource.toolkits.length > 0 && html`<span class="more">${resource.toolkits.join(', ')}</span>`
  return renderPage(
    context,
    `Allow access to ${resource.name}`,
    html`<h1>Allow access to ${resource.name}</h1>
<p class="lead">${describeClient(context)} asks to use ${bold(resource.name)} of ${bold(project.name)} as you.</p>
<section class="allow" aria-labelledby="allow"><h2 id="allow">It will be able to</h2>
<ul><li>run the tools of ${resource.name} for the user ${user}${toolkits}</li>
<li>use the accounts that ${user} connected for them</li></ul></section>
${renderForm(
  url,
  formToken,
  html`<input type="hidden" name="user" value="${userId}">
<button class="action" name="decision" value="allow">Allow as ${userId}</button>
<button class="action quiet" name="decision" value="deny">Deny</button>`,
)}
<p class="foot">The result is sent to ${words}. Allow access only if you started this there yourself.
You are signed in as ${user}; <a href="${url}?other=1">sign in as another user</a>.</p>`,
    { formTargets: [source] },
  )
}

/** Renders the page on which a user signs in with a key of the project. */
export function signInPage(
  context: ConsentContext,
  {
    notice,
    error,
    userId = '',
  }: {
    notice?: string | undefined
    error?: { field: 'key' | 'user_id'; text: string } | undefined
    userId?: string
  } = {},
): PageOutcome {
  const { project, resource, requestedUserId, id, formToken, publicUrl } = context
  const title = `Sign in for ${resource.name}`
  const errorText = (name: string) => (error?.field === name ? error.text : undefined)
  const asUser = requestedUserId !== undefined && html` for the user ${bold(requestedUserId)}`
  const userField = {
    name: 'user_id',
    display_name: 'User',
    description: 'The user whose accounts the program will use.',
    value: userId,
  }
  return renderPage(
    context,
    error ? `Error: ${title}` : title,
    html`<h1>${title}</h1>
<p class="lead">${describeClient(context)} asks to use ${bold(resource.name)} of ${bold(project.name)}${asUser}.</p>
${
  notice !== undefined &&
  html`<div class="errors" role="alert"><p>${notice}</p></div>
`
}<p class="lead">If <bdi>${project.name}</bdi> gave you a sign-in link, open it in this browser now.</p>
${renderForm(
  `${publicUrl}${OAUTH_PATHS.consent}/${id}/key`,
  formToken,
  html`<h2>Or sign in with a key of the project</h2>
${requestedUserId === undefined && renderField(userField as never, errorText('user_id'))}${renderField(
    {
      name: 'key',
      display_name: 'Key',
      description: `An API key of ${project.name} with the sessions:write permission. It is not stored.`,
      secret: true,
      value: '',
    } as never,
    errorText('key'),
  )}<button class="action">Sign in</button>`,
)}`,
    error ? { status: 400 } : {},
  )
}

/**
 * Renders an invalid request. The error is sent to the client only when the user clicks: anyone can register a redirect
 * URI, so an automatic redirect would make this server an open redirector.
 */
export function requestErrorPage(
  publicUrl: string,
  text: string,
  redirectUri: string,
  url: string,
): PageOutcome {
  const title = 'The program sent an invalid request'
  return {
    kind: 'html',
    status: 400,
    imageOrigins: [],
    render: () =>
      renderLayout(
        { title, publicUrl },
        html`<h1>${title}</h1>
<p class="lead">${text} The developer of the program must fix this.</p>
<a class="action" href="${url}">Return to ${redirectDestination(redirectUri).words}</a>`,
      ),
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
  const title = `Sign in for ${resource.name}`
  return renderPage(
    { publicUrl, project },
    title,
    html`<h1>${title}</h1>
<p class="lead">${bold(project.name)} gave you this link to sign in as ${bold(userId)},
so that you can let programs use ${bold(resource.name)} for you.</p>
${renderForm(action, formToken, html`<button class="action">Sign in as ${userId}</button>`)}
<p class="foot">This browser stays signed in for an hour. Continue only if this is you.</p>`,
  )
}
