import * as oauth from 'oauth4webapi'
import { parseBoundedJsonOrUndefined } from '../bounded-json.ts'
import { type Egress, EgressError } from '../egress/index.ts'
import { isObject } from '../json-object.ts'
import { authorizationEndpoint } from './authorization-endpoint.ts'
import { isIssuerUrl, isLoopbackHttp } from './issuer-url.ts'
import type { OpenIdClientSettings } from './openid-provider.ts'
import { clientAuthentication, egressFetch } from './openid-requests.ts'

/** The parts of a provider that a test looks at, in the order in which it does. */
export const PROVIDER_CHECKS = [
  'metadata',
  'endpoints',
  'flow',
  'keys',
  'scopes',
  'claims',
  'client',
] as const
export type ProviderCheckName = (typeof PROVIDER_CHECKS)[number]

/** The result of one check. With `warning`, sign-ins may still work. */
export interface ProviderCheck {
  check: ProviderCheckName
  result: 'ok' | 'warning' | 'failed'
  message: string
}

const REASON_CHARACTERS_MAX = 200

interface Subject {
  settings: OpenIdClientSettings
  redirectUri: string
  issuer: URL
  server: oauth.AuthorizationServer
  options: object
  egress: Egress
}

/**
 * Tests an OpenID provider without a person: reads its metadata and keys, compares them with the settings, and sends a
 * token request with an invalid code, of which the error says whether the provider accepts the client. Requests pass
 * the egress guard. Checks after a failed reading of the metadata are left out.
 */
export async function checkOpenIdProvider(
  settings: OpenIdClientSettings,
  redirectUri: string,
  egress: Egress,
): Promise<ProviderCheck[]> {
  if (!isIssuerUrl(settings.issuer))
    return [
      failed(
        'metadata',
        'The issuer must be an https URL without query and fragment; http for localhost only.',
      ),
    ]
  const issuer = new URL(settings.issuer)
  const options = {
    [oauth.customFetch]: egressFetch(egress),
    [oauth.allowInsecureRequests]: isLoopbackHttp(issuer),
  }
  const metadata = await readMetadata(issuer, options).catch((error: unknown) =>
    metadataFailure(settings.issuer, error),
  )
  if ('check' in metadata) return [metadata as ProviderCheck]
  const subject = {
    settings,
    redirectUri,
    issuer,
    server: metadata as oauth.AuthorizationServer,
    options,
    egress,
  }
  const requests = await Promise.all([checkKeys(subject), checkClient(subject)])
  return [
    ok('metadata', 'The metadata of the provider were read, and name this issuer.'),
    checkEndpoints(subject),
    checkFlow(subject),
    requests[0],
    checkScopes(subject),
    checkClaims(subject),
    requests[1],
  ]
}

const ok = (check: ProviderCheckName, message: string): ProviderCheck => ({ check, result: 'ok', message })
const warning = (check: ProviderCheckName, message: string): ProviderCheck => ({
  check,
  result: 'warning',
  message,
})
const failed = (check: ProviderCheckName, message: string): ProviderCheck => ({
  check,
  result: 'failed',
  message,
})

const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : 'unknown error').slice(0, REASON_CHARACTERS_MAX)

async function readMetadata(issuer: URL, options: object): Promise<oauth.AuthorizationServer> {
  const response = await oauth.discoveryRequest(issuer, options)
  if (response.status !== 200)
    throw new Error(`the provider returned status ${response.status} instead of a document`)
  return oauth.processDiscoveryResponse(issuer, response)
}

/** Says why the metadata cannot be used, and what to change. */
function metadataFailure(issuer: string, error: unknown): ProviderCheck {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const hint = 'Check the issuer: it is the part of the URL before /.well-known/openid-configuration.'
  if (error instanceof EgressError)
    return failed(
      'metadata',
      `${url} cannot be fetched: ${reasonOf(error)} A private address needs EGRESS_ALLOW.`,
    )
  const code = error instanceof oauth.OperationProcessingError ? error.code : undefined
  if (code === oauth.JSON_ATTRIBUTE_COMPARISON)
    return failed('metadata', `${url} is of another issuer. Enter the text of "issuer" in that document.`)
  if (code === oauth.RESPONSE_IS_NOT_JSON || code === oauth.PARSE_ERROR)
    return failed('metadata', `${url} is not a JSON document. ${hint}`)
  return failed('metadata', `${url} cannot be used: ${reasonOf(error)}. ${hint}`)
}

function checkEndpoints({ server, issuer }: Subject): ProviderCheck {
  try {
    authorizationEndpoint(server, issuer)
  } catch (error) {
    return failed('endpoints', `People cannot be sent to the provider: ${reasonOf(error)}.`)
  }
  return typeof server.token_endpoint === 'string'
    ? ok('endpoints', `People sign in at ${server.authorization_endpoint}.`)
    : failed('endpoints', 'The provider has no token endpoint.')
}

function checkFlow({ server }: Subject): ProviderCheck {
  const { response_types_supported: types, code_challenge_methods_supported: methods } = server
  if (Array.isArray(types) && !types.includes('code'))
    return failed('flow', 'The provider does not support the authorization code flow (response type "code").')
  return Array.isArray(methods) && methods.includes('S256')
    ? ok('flow', 'Authorization code flow with PKCE.')
    : warning('flow', 'The provider does not announce PKCE with S256. It is sent anyway, and may be ignored.')
}

async function checkKeys({ server: { jwks_uri: uri }, issuer, egress }: Subject): Promise<ProviderCheck> {
  const url = typeof uri === 'string' ? URL.parse(uri) : null
  if (!url || (url.protocol !== 'https:' && !isLoopbackHttp(issuer)))
    return failed('keys', 'The provider names no https URL of its keys (jwks_uri). They validate ID tokens.')
  try {
    const response = await egressFetch(egress)(url.href, { method: 'GET', headers: {} } as never)
    const document = parseBoundedJsonOrUndefined(await response.text())
    const keys = isObject(document) ? document['keys'] : undefined
    return Array.isArray(keys) && keys.length > 0
      ? ok('keys', `${keys.length} ${keys.length === 1 ? 'key' : 'keys'} to validate ID tokens.`)
      : failed('keys', `${url} contains no keys, so ID tokens cannot be validated.`)
  } catch (error) {
    return failed('keys', `The keys at ${url} cannot be read: ${reasonOf(error)}`)
  }
}

function checkScopes({ server: { scopes_supported: known }, settings }: Subject): ProviderCheck {
  const missing = Array.isArray(known)
    ? settings.scopes.split(' ').filter((scope) => !known.includes(scope))
    : []
  return missing.length === 0
    ? ok('scopes', `Requested: ${settings.scopes}.`)
    : warning('scopes', `The provider does not announce ${missing.join(', ')}. It may reject sign-ins.`)
}

function checkClaims({ server: { claims_supported: known }, settings }: Subject): ProviderCheck {
  const missing = Array.isArray(known) ? settings.claims.filter((claim) => !known.includes(claim)) : []
  return missing.length === 0
    ? ok('claims', `Read: ${settings.claims.join(', ')}.`)
    : warning('claims', `The provider does not announce ${missing.join(', ')}. Check it with a sign-in.`)
}

/** A provider checks the client before the code (RFC 6749 §5.2), so only a wrong client is `invalid_client`. */
async function checkClient({ server, settings, redirectUri, options }: Subject): Promise<ProviderCheck> {
  if (typeof server.token_endpoint !== 'string') return failed('client', 'There is no token endpoint.')
  try {
    const client = { client_id: settings.clientId }
    const parameters = {
      code: 'test-of-the-settings',
      redirect_uri: redirectUri,
      code_verifier: oauth.generateRandomCodeVerifier(),
    }
    const response = await oauth.genericTokenEndpointRequest(
      server,
      client,
      clientAuthentication(settings, server),
      'authorization_code',
      parameters,
      options,
    )
    const reply = parseBoundedJsonOrUndefined(await response.text())
    return clientResult(isObject(reply) ? reply['error'] : undefined)
  } catch (error) {
    return failed('client', `The token endpoint cannot be reached: ${reasonOf(error)}`)
  }
}

function clientResult(error: unknown): ProviderCheck {
  if (error === 'invalid_grant') return ok('client', 'The provider accepts the client ID and its secret.')
  if (error === 'invalid_client' || error === 'unauthorized_client')
    return failed('client', 'The provider rejects the client: the client ID or the client secret is wrong.')
  const code = typeof error === 'string' ? `"${error.slice(0, 60)}"` : 'no error'
  return warning('client', `The provider returned ${code} to a test, which says nothing about the client.`)
}
