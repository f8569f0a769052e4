import type { ConnectionDraft } from '../../../contract/connected-accounts/index.ts'
import { badRequest } from '../../../platform/http/api-error.ts'

/**
 * Adds parameters with the result of a flow to the callback URL of the application, which keeps its own
 * query.
 */
export function callbackUrlWith(url: string, params: Record<string, string>): string {
  const target = new URL(url)
  for (const [name, value] of Object.entries(params)) target.searchParams.set(name, value)
  return target.href
}

/**
 * Reads the callback URL of the application, to which this server redirects a browser at the end: http or
 * https, and no user name, because that can make a URL look like one of another host. @throws 400
 */
export function readCallbackUrl({
  callback_url: callbackUrl,
  redirect_uri: olderName,
}: Pick<ConnectionDraft, 'callback_url' | 'redirect_uri'>): string | null {
  const url = callbackUrl ?? olderName
  if (url === undefined) return null
  const parsed = URL.parse(url)
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.username || parsed.password) {
    const field = callbackUrl === undefined ? 'redirect_uri' : 'callback_url'
    throw badRequest(
      `Error in payload.${field}: must be an http or https URL without a user name or password`,
    )
  }
  return url
}
