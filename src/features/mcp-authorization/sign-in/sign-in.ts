import { timingSafeEqualText } from '../../../platform/crypto/index.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import {
  type Browser,
  formToken,
  messageOutcome,
  MISSING_FORM_COOKIE,
  WRONG_BROWSER,
  type PageOutcome,
} from '../../connected-accounts/index.ts'
import { readWanted } from './request-parameters.ts'
import type { Client, Clients } from '../clients/service.ts'
import type { McpAuthDeps } from '../deps.ts'
import { OAuthFailure } from '../oauth-error.ts'
import { PATHS } from '../metadata.ts'
import { type Asking, consentPage, faultPage, linkPage, signInPage } from './pages.ts'
import { isRegistered, withAnswer } from '../clients/redirect-uris.ts'
import { findResource, readResource } from '../resources.ts'
import { isSecret } from '../secrets.ts'
import * as store from './store.ts'

type Form = Readonly<Record<string, string>>
const REQUEST_ID = /^mrq_[A-Za-z0-9]{24}$/
const USER_MAX = 256

const plain = (status: number, title: string, text: string): PageOutcome =>
  messageOutcome(status, { tone: 'plain', title, text })
const UNKNOWN_ADDRESS = plain(
  400,
  'There is nothing to sign in for',
  'The program named no address of an MCP server or session of this server, or it is gone. Check the address in the program, then let it connect again.',
)
const TOO_MANY = plain(
  503,
  'Too many sign-ins wait',
  'Too many programs ask for this address at once. Wait a few minutes, then let the program connect again.',
)
const OVER = plain(
  410,
  'This sign-in is over',
  'It was finished, or has waited for longer than a quarter of an hour. Let the program connect again.',
)
const LINK_OVER = plain(
  410,
  'This link is over',
  'A sign-in link works once, for ten minutes. Ask for a new one where you got it.',
)

/** The authorization endpoint: notes who asks for what, and leads on to the page on which the user decides. Nothing is sent to an address that is not proven to be the client's. */
export async function beginRequest(
  deps: McpAuthDeps,
  clients: Clients,
  query: URLSearchParams,
  browser: Browser,
): Promise<PageOutcome> {
  const { db, kinds, publicUrl } = deps
  const named =
    query.getAll('resource').length === 1
      ? readResource(kinds, publicUrl, query.get('resource') as string)
      : undefined
  const found = named && (await findResource(kinds, named))
  if (!named || !found || !(await deps.project(found.projectId))) return UNKNOWN_ADDRESS
  const client = await clients.find(query.get('client_id') ?? '').catch((error: unknown) => {
    if (error instanceof OAuthFailure) return error
    throw error
  })
  if (client instanceof OAuthFailure)
    return plain(
      client.status === 503 ? 503 : 400,
      'This program is not known here',
      `${client.message} Remove the connection in the program and add it again.`,
    )
  const redirectUri = redirectOf(client, query)
  if (redirectUri === undefined)
    return plain(
      400,
      'The program named another way back than it registered',
      'Nothing is sent there. Remove the connection in the program and add it again; if that does not help, tell its maker.',
    )
  const wanted = readWanted(query)
  if ('error' in wanted) {
    return faultPage(
      publicUrl,
      wanted.description,
      redirectUri,
      withAnswer(redirectUri, {
        error: wanted.error,
        error_description: wanted.description,
        state: wanted.state,
        iss: publicUrl,
      }),
    )
  }
  const id = await store.insertRequest(db, {
    project_id: found.projectId,
    resource_kind: named.kind,
    resource_id: named.id,
    requested_user_id: found.userId ?? named.userId ?? null,
    client_id: client.id,
    client_name: client.name,
    redirect_uri: redirectUri,
    state: wanted.state,
    code_challenge: wanted.challenge,
    browser_hash: browser.hash,
  })
  return id === undefined ? TOO_MANY : { kind: 'redirect', url: `${publicUrl}${PATHS.consent}/${id}` }
}

function redirectOf({ redirectUris }: Client, query: URLSearchParams): string | undefined {
  const [asked, ...more] = query.getAll('redirect_uri')
  if (asked === undefined) return redirectUris.length === 1 ? redirectUris[0] : undefined
  return !more.length && isRegistered(redirectUris, asked) ? asked : undefined
}

interface Open {
  request: store.RequestRow
  asking: Asking
}

async function open(deps: McpAuthDeps, id: string, browser: Browser | undefined): Promise<Open | PageOutcome> {
  const request = REQUEST_ID.test(id) ? await store.findRequest(deps.db, id) : undefined
  if (!request) return OVER
  if (!browser?.hash.equals(request.browser_hash)) return WRONG_BROWSER
  const found = await findResource(deps.kinds, store.resourceOf(request))
  const project = found?.projectId === request.project_id ? await deps.project(request.project_id) : undefined
  if (!found || !project) return UNKNOWN_ADDRESS
  const client = { id: request.client_id, name: request.client_name, redirectUri: request.redirect_uri }
  return {
    request,
    asking: {
      publicUrl: deps.publicUrl,
      project,
      found,
      id,
      client,
      formToken: formToken(browser, id),
      askedUser: request.requested_user_id ?? undefined,
    },
  }
}

/** The page of a request: asks the user, once it is known who that is. `other`: not who was known so far. */
export async function showRequest(
  deps: McpAuthDeps,
  id: string,
  browser: Browser | undefined,
  other: boolean,
): Promise<PageOutcome> {
  const opened = await open(deps, id, browser)
  if ('kind' in opened) return opened
  const { request, asking } = opened
  const user = other ? undefined : (await store.signedIn(deps.db, request, request.browser_hash))?.user_id
  if (user !== undefined && (asking.askedUser ?? user) === user) return consentPage(asking, user)
  if (asking.project.signInUrl !== null && !other)
    return {
      kind: 'redirect',
      url: withAnswer(asking.project.signInUrl, {
        sign_in_id: id,
        [`${request.resource_kind}_id`]: request.resource_id,
        user_id: asking.askedUser,
      }),
    }
  return signInPage(asking, {
    notice:
      user === undefined
        ? undefined
        : `You are signed in as ${user}, but the address that the program was given is for ${asking.askedUser}.`,
  })
}

const isOfPage = (browser: Browser | undefined, page: string, form: Form): browser is Browser =>
  browser !== undefined && timingSafeEqualText(form['form_token'] ?? '', formToken(browser, page))

/** The user decided. */
export async function takeDecision(
  deps: McpAuthDeps,
  id: string,
  browser: Browser | undefined,
  form: Form,
): Promise<PageOutcome> {
  if (!isOfPage(browser, id, form)) return MISSING_FORM_COOKIE
  const opened = await open(deps, id, browser)
  if ('kind' in opened) return opened
  const { request, asking } = opened
  const isAllowed = form['decision'] === 'allow'
  const user = (await store.signedIn(deps.db, request, request.browser_hash))?.user_id
  // Whoever was signed in when the page was shown, and may act for the address.
  if (isAllowed && (user === undefined || user !== form['user'] || (asking.askedUser ?? user) !== user))
    return showRequest(deps, id, browser, false)
  const decided = await store.decide(deps.db, request, isAllowed ? user : undefined)
  if (!decided) return OVER
  const answer =
    decided.code === undefined
      ? { error: 'access_denied', error_description: 'The user refused.' }
      : { code: decided.code }
  return {
    kind: 'redirect',
    url: withAnswer(request.redirect_uri, { ...answer, state: request.state, iss: deps.publicUrl }),
  }
}

/** Whoever has a key of the project that may open sessions may be any of its users. */
export async function takeKey(
  deps: McpAuthDeps,
  id: string,
  browser: Browser | undefined,
  form: Form,
  ip: string,
): Promise<PageOutcome> {
  if (!isOfPage(browser, id, form)) return MISSING_FORM_COOKIE
  const opened = await open(deps, id, browser)
  if ('kind' in opened) return opened
  const { request, asking } = opened
  const user = asking.askedUser ?? (form['user_id'] ?? '').trim()
  if (!user || user.length > USER_MAX || user.includes('\0') || !user.isWellFormed())
    return signInPage(asking, {
      error: { field: 'user_id', text: `Enter the id of a user, at most ${USER_MAX} characters.` },
    })
  if (!(await isKeyOf(deps, request.project_id, (form['key'] ?? '').trim(), ip)))
    return signInPage(asking, {
      error: {
        field: 'key',
        text: `This is no key of ${asking.project.name} that may write sessions from here.`,
      },
      entered: user,
    })
  await store.insertSignIn(
    deps.db,
    { projectId: request.project_id, resource: store.resourceOf(request), userId: user },
    request.browser_hash,
  )
  return { kind: 'redirect', url: `${deps.publicUrl}${PATHS.consent}/${id}` }
}

async function isKeyOf(
  { authenticate }: McpAuthDeps,
  projectId: string,
  key: string,
  ip: string,
): Promise<boolean> {
  try {
    const principal = await authenticate(
      'project',
      { area: 'sessions', level: 'write' },
      { headers: { 'x-api-key': key }, ip },
    )
    return 'projectId' in principal && principal.projectId === projectId
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return false
    throw error
  }
}

/** The page of a sign-in link. One that was made for a request is followed at once, in the browser of the request. */
export async function showLink(deps: McpAuthDeps, token: string, browser: Browser): Promise<PageOutcome> {
  const link = isSecret('signIn', token) ? await store.findLink(deps.db, token) : undefined
  if (!link) return LINK_OVER
  const found = await findResource(deps.kinds, store.resourceOf(link))
  const project = found?.projectId === link.project_id ? await deps.project(link.project_id) : undefined
  if (!found || !project) return LINK_OVER
  if (link.authorization_id === null)
    return linkPage(
      deps.publicUrl,
      project,
      found,
      link.user_id,
      `${deps.publicUrl}${PATHS.signIn}/${token}`,
      formToken(browser, token),
    )
  const request = await store.findRequest(deps.db, link.authorization_id)
  if (!request) return OVER
  if (!browser.hash.equals(request.browser_hash)) return WRONG_BROWSER
  return (await store.useLink(deps.db, link, browser.hash))
    ? { kind: 'redirect', url: `${deps.publicUrl}${PATHS.consent}/${request.id}` }
    : LINK_OVER
}

/** The user pressed the button of that page. */
export async function takeLink(
  deps: McpAuthDeps,
  token: string,
  browser: Browser | undefined,
  form: Form,
): Promise<PageOutcome> {
  if (!isOfPage(browser, token, form)) return MISSING_FORM_COOKIE
  const link = isSecret('signIn', token) ? await store.findLink(deps.db, token) : undefined
  if (!link || link.authorization_id !== null || !(await store.useLink(deps.db, link, browser.hash)))
    return LINK_OVER
  const request = await store.openRequestOf(deps.db, link, browser.hash)
  if (request) return { kind: 'redirect', url: `${deps.publicUrl}${PATHS.consent}/${request.id}` }
  return plain(
    200,
    'You are signed in',
    `This browser is known as ${link.user_id} for an hour. Let your program connect now; it opens a page here on which you allow it.`,
  )
}
