import {
  renderField,
  html,
  renderLayout,
  type Markup,
  imageOriginsOf,
  type PageOutcome,
} from '../../connected-accounts/index.ts'
import type { SignInProject } from '../deps.ts'
import { destinationOf } from '../clients/redirect-uris.ts'
import type { Found } from '../resources.ts'
import { PATHS } from '../metadata.ts'

/** What every page of a request knows. */
export interface Asking {
  publicUrl: string
  project: SignInProject
  found: Found
  id: string
  formToken: string
  client: { id: string; name: string | null; redirectUri: string }
  /** The user that the address is for. */
  askedUser: string | undefined
}

const page = (
  { publicUrl, project: { name, logoUrl } }: Pick<Asking, 'publicUrl' | 'project'>,
  title: string,
  content: Markup,
  more: { status?: number; formTargets?: readonly string[] } = {},
): PageOutcome => ({
  kind: 'html',
  status: more.status ?? 200,
  html: renderLayout({ title, projectName: name, projectLogo: logoUrl, publicUrl }, content),
  imageOrigins: imageOriginsOf(publicUrl, logoUrl),
  ...(more.formTargets ? { formTargets: more.formTargets } : {}),
})

const form = (
  action: string,
  token: string,
  content: Markup,
): Markup => html`<form method="post" action="${action}" novalidate accept-charset="utf-8"><input type="hidden" name="form_token" value="${token}">
${content}</form>`

/** Names that nobody proved stand in quotation marks. */
const clientWords = ({ client: { id, name } }: Asking): Markup => {
  const host = id.startsWith('https://') ? new URL(id).host : undefined
  return host === undefined
    ? html`A program that calls itself <strong>“<bdi>${name ?? 'unnamed'}</bdi>”</strong>`
    : html`<strong><bdi>${name ?? host}</bdi></strong> of <strong>${host}</strong>`
}

/** The page on which a user allows a client, or does not. */
export function consentPage(asking: Asking, userId: string): PageOutcome {
  const { project, found, client, id, formToken, publicUrl } = asking
  const { words, source } = destinationOf(client.redirectUri)
  return page(
    asking,
    `Allow access to ${found.name}`,
    html`<h1>Allow access to ${found.name}</h1>
<p class="lead">${clientWords(asking)} asks to use <strong><bdi>${found.name}</bdi></strong> of <strong><bdi>${project.name}</bdi></strong> as you.</p>
<section class="allow" aria-labelledby="allow"><h2 id="allow">It will be able to</h2><ul><li>run the tools of ${found.name} for the user <bdi>${userId}</bdi>${found.toolkits.length > 0 && html`<span class="more">${found.toolkits.join(', ')}</span>`}</li><li>use the accounts that <bdi>${userId}</bdi> connected for them</li></ul></section>
${form(
  `${publicUrl}${PATHS.consent}/${id}`,
  formToken,
  html`<input type="hidden" name="user" value="${userId}"><button class="action" name="decision" value="allow">Allow as ${userId}</button>
<button class="action quiet" name="decision" value="deny">Refuse</button>`,
)}
<p class="foot">The answer goes to ${words}. Allow it only if you began this there yourself. You are signed in as <bdi>${userId}</bdi>; <a href="${publicUrl}${PATHS.consent}/${id}?other=1">sign in as somebody else</a>.</p>`,
    { formTargets: [source] },
  )
}

/** The page on which a browser whose user is not known yet proves it. */
export function signInPage(
  asking: Asking,
  {
    notice,
    error,
    entered = '',
  }: {
    notice?: string | undefined
    error?: { field: 'key' | 'user_id'; text: string } | undefined
    entered?: string
  } = {},
): PageOutcome {
  const { project, found, askedUser, id, formToken, publicUrl } = asking
  const title = `Sign in for ${found.name}`
  const errorOf = (name: string) => (error?.field === name ? error.text : undefined)
  return page(
    asking,
    error ? `Error: ${title}` : title,
    html`<h1>${title}</h1>
<p class="lead">${clientWords(asking)} asks to use <strong><bdi>${found.name}</bdi></strong> of <strong><bdi>${project.name}</bdi></strong>${askedUser !== undefined && html` for the user <strong><bdi>${askedUser}</bdi></strong>`}.</p>
${
  notice !== undefined &&
  html`<div class="errors" role="alert"><p>${notice}</p></div>
`
}<p class="lead">If <bdi>${project.name}</bdi> gave you a sign-in link, open it in this browser now.</p>
${form(
  `${publicUrl}${PATHS.consent}/${id}/key`,
  formToken,
  html`<h2>Or sign in with a key of the project</h2>
${askedUser === undefined && renderField({ name: 'user_id', display_name: 'User', description: 'Whose accounts the program will use.', value: entered } as never, errorOf('user_id'))}${renderField(
    {
      name: 'key',
      display_name: 'Key',
      description: `Whoever runs ${project.name} has it. It may write sessions; it is checked and not stored.`,
      secret: true,
      value: '',
    } as never,
    errorOf('key'),
  )}<button class="action">Sign in</button>`,
)}`,
    error ? { status: 400 } : {},
  )
}

/** What a program asked wrongly. It hears of it when its user says so: anybody can register a way back, and would make an address of ours lead there. */
export function faultPage(publicUrl: string, text: string, redirectUri: string, url: string): PageOutcome {
  const title = 'The program asked wrongly'
  return {
    kind: 'html',
    status: 400,
    imageOrigins: [],
    html: renderLayout(
      { title, publicUrl },
      html`<h1>${title}</h1>
<p class="lead">${text} Its maker has to mend that.</p>
<a class="action" href="${url}">Tell ${destinationOf(redirectUri).words}</a>`,
    ),
  }
}

/** The page of a sign-in link: whoever looks at the address beforehand, as mail programs do, does not use it up. */
export function linkPage(
  publicUrl: string,
  project: SignInProject,
  found: Found,
  userId: string,
  action: string,
  formToken: string,
): PageOutcome {
  const title = `Sign in for ${found.name}`
  return page(
    { publicUrl, project },
    title,
    html`<h1>${title}</h1>
<p class="lead"><strong><bdi>${project.name}</bdi></strong> gave you this link to sign in as <strong><bdi>${userId}</bdi></strong>, so that you can let programs use <strong><bdi>${found.name}</bdi></strong> for you.</p>
${form(action, formToken, html`<button class="action">Sign in as ${userId}</button>`)}
<p class="foot">This browser stays signed in for an hour. Go on only if this is you.</p>`,
  )
}
