import { CookieJar } from './cookie-jar.ts'

const HOPS_MAX = 15
const WALK_TIMEOUT_MS = 30_000

export interface SignInOptions {
  /** Whom to sign in as. Default `alice`. */
  login?: string
  /** Press Cancel on the consent page. The provider then sends the user back with `error=access_denied`. */
  deny?: boolean
  /** Cookies of an earlier walk: a user who is signed in already is not asked again. */
  cookies?: CookieJar
}

export interface SignInResult {
  /** Where the provider sends the user back to; not requested yet. */
  callbackUrl: string
  cookies: CookieJar
}

interface Step {
  url: URL
  form?: URLSearchParams
}

/**
 * Walks from an authorization URL through sign-in and consent as a browser without scripts does, until the provider
 * redirects to another origin. Throws on an error page, after 15 hops, and after 30 s.
 */
export async function signInAndConsent(
  authorizeUrl: string,
  options: SignInOptions = {},
): Promise<SignInResult> {
  const cookies = options.cookies ?? new CookieJar()
  const signal = AbortSignal.timeout(WALK_TIMEOUT_MS)
  let step: Step = { url: new URL(authorizeUrl) }
  const providerOrigin = step.url.origin
  for (let hop = 0; hop < HOPS_MAX; hop++) {
    const response = await take(step, cookies, signal)
    const location = response.headers.get('location')
    if (response.status >= 300 && response.status < 400 && location !== null) {
      const next = new URL(location, step.url)
      await response.body?.cancel()
      if (next.origin !== providerOrigin) return { callbackUrl: next.href, cookies }
      step = { url: next }
    } else {
      step = nextOnPage(step.url, response.status, await response.text(), options)
    }
  }
  throw new Error(`${HOPS_MAX} hops and still at ${step.url.href}`)
}

async function take(step: Step, cookies: CookieJar, signal: AbortSignal): Promise<Response> {
  const headers: Record<string, string> = { accept: 'text/html' }
  const cookie = cookies.headerFor(step.url)
  if (cookie !== '') headers.cookie = cookie
  const method = step.form ? 'POST' : 'GET'
  const response = await fetch(step.url, {
    method,
    headers,
    body: step.form ?? null,
    redirect: 'manual',
    signal,
  })
  cookies.store(step.url, response.headers.getSetCookie())
  return response
}

function nextOnPage(url: URL, status: number, html: string, options: SignInOptions): Step {
  const form = /<form\b([^>]*)>(.*?)<\/form>/is.exec(html)
  if (status !== 200 || !form)
    throw new Error(`${url.href} answered ${status} without a form: ${textOf(html)}`)
  const fields = fieldsOf(form[2]!)
  // Denying is a decision about the consent, so a sign-in page (it asks for a password) is filled in first.
  if (options.deny && !fields.some((field) => field.type === 'password'))
    return { url: cancelLink(url, html) }
  const body = new URLSearchParams()
  for (const { name, type, value } of fields) {
    if (name === '') continue
    body.append(name, value !== '' ? value : typed(type, options.login ?? 'alice'))
  }
  return { url: new URL(attribute(form[1]!, 'action') || url.href, url), form: body }
}

function typed(type: string, login: string): string {
  if (type === 'password') return 'any password'
  return type === 'hidden' ? '' : login
}

function fieldsOf(html: string): { name: string; type: string; value: string }[] {
  return [...html.matchAll(/<input\b([^>]*)>/gi)].map(([, attributes]) => ({
    name: attribute(attributes!, 'name'),
    type: attribute(attributes!, 'type') || 'text',
    value: attribute(attributes!, 'value'),
  }))
}

function cancelLink(url: URL, html: string): URL {
  for (const [, attributes, label] of html.matchAll(/<a\b([^>]*)>(.*?)<\/a>/gis)) {
    if (/cancel/i.test(label!)) return new URL(attribute(attributes!, 'href'), url)
  }
  throw new Error(`${url.href} has no link to cancel`)
}

function attribute(attributes: string, name: string): string {
  const found = new RegExp(`(?:^|\\s)${name}\\s*=\\s*"([^"]*)"`, 'i').exec(attributes)?.[1] ?? ''
  return found
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}

/** The words on a page, for an error message. */
function textOf(html: string): string {
  return html
    .replace(/<style.*?<\/style>/is, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 500)
}
