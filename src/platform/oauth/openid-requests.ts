import * as oauth from 'oauth4webapi'
import type { Egress } from '../egress/index.ts'

const REQUEST_TIMEOUT_MS = 10_000
const RESPONSE_BYTES_MAX = 1024 * 1024

/** Returns how the client proves itself at the token endpoint. */
export function clientAuthentication(
  { clientSecret }: { clientSecret: string | undefined },
  { token_endpoint_auth_methods_supported: methods }: oauth.AuthorizationServer,
): oauth.ClientAuth {
  if (clientSecret === undefined) return oauth.None()
  // Without a list, Basic is the method (RFC 8414, section 2).
  return methods && !methods.includes('client_secret_basic') && methods.includes('client_secret_post')
    ? oauth.ClientSecretPost(clientSecret)
    : oauth.ClientSecretBasic(clientSecret)
}

/** `fetch` for oauth4webapi. Redirects are not followed: the endpoints of a provider are exact. */
export const egressFetch =
  (egress: Egress) =>
  async (
    url: string,
    { method, headers, body }: oauth.CustomFetchOptions<string, URLSearchParams | undefined>,
  ): Promise<Response> => {
    const reply = await egress.send({
      method,
      url,
      headers,
      ...(body && { body: body.toString() }),
      timeoutMs: REQUEST_TIMEOUT_MS,
      bytesMax: RESPONSE_BYTES_MAX,
      maxRedirects: 0,
    })
    const replyHeaders = new Headers()
    for (const [name, value] of Object.entries(reply.headers))
      for (const one of [value].flat()) replyHeaders.append(name, one)
    return new Response(reply.body.length > 0 ? new Uint8Array(reply.body) : null, {
      status: reply.status,
      headers: replyHeaders,
    })
  }
