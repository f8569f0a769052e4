import { compileTemplate, type IntrospectManifest, renderUrl } from '../../catalog/index.ts'
import { clientAssertion, authenticateClient } from '../provider-requests/client-authentication.ts'
import { clampTimestamp } from '../credentials/timestamps.ts'
import { isObject } from '../../platform/json-object.ts'
import { buildRequest, encodeBody, sendRequest } from '../provider-requests/send-request.ts'
import { credentialLookup, ProviderUnavailable, type SchemeDeps, type ConnectionContext } from '../scheme.ts'
import { oauth2Manifest } from './manifest.ts'

/**
 * Reads the expiry of the access token from the introspection endpoint (RFC 7662 §2); null: active without
 * expiry.
 * @throws ProviderUnavailable
 */
export async function introspectExpiry(
  connection: ConnectionContext,
  { url, client_auth: clientAuth }: IntrospectManifest,
  deps: SchemeDeps,
): Promise<'inactive' | { expiresAt: number | null }> {
  const { client_auth: defaultClientAuth, token } = oauth2Manifest(connection)
  const lookup = credentialLookup(connection, { redirect_uri: connection.redirectUri })
  // The audience is the token endpoint also here: servers identify themselves by it (RFC 7523 §3).
  const audience = buildRequest(() => ({
    method: 'POST',
    url: renderUrl(compileTemplate(token.url), lookup),
  })).url
  const assertion = await clientAssertion(connection, clientAuth ?? defaultClientAuth, audience, deps.now())
  const response = await sendRequest(
    deps,
    connection.proxy,
    buildRequest(() => {
      const { params, headers } = authenticateClient(connection, clientAuth ?? defaultClientAuth, assertion)
      const renamed = Object.fromEntries(
        Object.entries(params).map(([name, value]) => [token.rename?.[name] ?? name, value]),
      )
      const body = encodeBody('form', {
        token: String(connection.credentials['access_token']),
        token_type_hint: 'access_token',
        ...renamed,
      })
      return {
        method: 'POST',
        url: renderUrl(compileTemplate(url), lookup),
        headers: { ...body.headers, ...headers },
        body: body.body,
      }
    }),
  )
  if (response.status !== 200 || !isObject(response.body) || typeof response.body['active'] !== 'boolean')
    throw new ProviderUnavailable(
      `The introspection endpoint returned status ${response.status} without information about the token.`,
    )
  return response.body['active'] ? { expiresAt: parseExpiry(response.body['exp'], deps.now()) } : 'inactive'
}

/** Rejects an expiry in the past: it would cause a token refresh at every call. @throws ProviderUnavailable */
function parseExpiry(exp: unknown, now: number): number | null {
  if (exp === undefined || exp === null) return null
  const expiresAt =
    typeof exp === 'number' || typeof exp === 'string' ? clampTimestamp(Number(exp) * 1_000) : null
  if (expiresAt === null || expiresAt <= now)
    throw new ProviderUnavailable(
      'The introspection endpoint returned an expiry in the past for an active token.',
    )
  return expiresAt
}
