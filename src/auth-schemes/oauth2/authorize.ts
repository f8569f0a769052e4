import { calculatePKCECodeChallenge, generateRandomCodeVerifier, generateRandomNonce } from 'oauth4webapi'
import { compileTemplate, type OAuth2Manifest, render, renderUrl } from '../../catalog/index.ts'
import { clientValue } from '../provider-requests/client-authentication.ts'
import {
  GrantRejected,
  credentialLookup,
  type Redirect,
  type ConnectionContext,
  type Credentials,
} from '../scheme.ts'
import { oauth2Manifest } from './manifest.ts'

/** Parameters of RFC 6749 §4.1.1 that pages other than an authorization endpoint accept. */
const FLOW_PARAMS: Readonly<Record<NonNullable<OAuth2Manifest['authorize']['flow']>, readonly string[]>> = {
  install: ['state'],
  inbound_install: [],
  admin_consent: ['client_id', 'redirect_uri', 'state'],
}

/** Builds the authorization request (RFC 6749 §4.1.1, RFC 7636 §4.3, RFC 8707 §2) as the manifest declares. */
export async function startAuthorization(connection: ConnectionContext, state: string): Promise<Redirect> {
  const manifest = oauth2Manifest(connection)
  assertRedirectAllowed(connection.redirectUri, manifest)
  const { flow } = manifest.authorize
  const pkce = flow ? 'off' : (manifest.pkce ?? 'S256')
  const verifier = pkce === 'off' ? undefined : generateRandomCodeVerifier()
  const nonce = manifest.authorize.nonce ? generateRandomNonce() : undefined
  const params = {
    ...(flow
      ? pickParams(FLOW_PARAMS[flow], standardParams(connection, manifest, state))
      : standardParams(connection, manifest, state)),
    ...(verifier
      ? {
          code_challenge: pkce === 'plain' ? verifier : await calculatePKCECodeChallenge(verifier),
          code_challenge_method: pkce,
        }
      : {}),
    ...(nonce ? { nonce } : {}),
    ...renderTemplates({ ...manifest.offline?.params, ...manifest.authorize.params }, connection, {
      state,
      redirect_uri: connection.redirectUri,
      ...(nonce ? { nonce } : {}),
    }),
  }
  const secrets = {
    state,
    redirect_uri: connection.redirectUri,
    ...(verifier ? { code_verifier: verifier } : {}),
    ...(nonce ? { nonce } : {}),
  }
  return { url: authorizationUrl(connection, manifest, params), state, secrets }
}

const pickParams = (names: readonly string[], params: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(params).filter(([name]) => names.includes(name)))

/**
 * Rejects redirect URIs that the provider would reject: its own error page would not help the user.
 * @throws GrantRejected
 */
function assertRedirectAllowed(redirectUri: string, { redirect_rules: rules }: OAuth2Manifest): void {
  if (!rules?.https_only) return
  // `oauth_redirect_uri` of the auth config may be any text.
  const address = URL.parse(redirectUri)
  const isLocal =
    address?.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(address.hostname)
  if (address?.protocol === 'https:' || (isLocal && rules.localhost_allowed)) return
  throw new GrantRejected(
    'redirect_rules',
    `The provider accepts only https redirect URIs${rules.localhost_allowed ? ' (or localhost)' : ''}, but the ` +
      `redirect URI is ${redirectUri}. Set PUBLIC_URL to an https URL of this server, or set oauth_redirect_uri in ` +
      'the auth config.',
  )
}

function standardParams(
  connection: ConnectionContext,
  manifest: OAuth2Manifest,
  state: string,
): Record<string, string> {
  const { authorize, offline, scopes: known } = manifest
  const scopes = scopeList(connection.authConfigCredentials['scopes'], known?.default)
  const userScopes = scopeList(connection.authConfigCredentials['user_scopes'], known?.user_default)
  const separator = authorize.scope_separator ?? ' '
  if (offline?.scope && !scopes.includes(offline.scope)) scopes.push(offline.scope)
  return {
    response_type: authorize.response_type ?? 'code',
    client_id: clientValue(connection, 'client_id'),
    redirect_uri: connection.redirectUri,
    state,
    [authorize.scope_param ?? 'scope']: scopes.join(separator),
    ...(authorize.user_scope_param ? { [authorize.user_scope_param]: userScopes.join(separator) } : {}),
    ...(manifest.resource
      ? { resource: render(compileTemplate(manifest.resource), credentialLookup(connection)) }
      : {}),
  }
}

/**
 * Scopes as a list. Accepts a list, or a text separated by commas or spaces; otherwise returns the defaults.
 */
export function scopeList(scopes: unknown, fallback: readonly string[] | undefined): string[] {
  const list = Array.isArray(scopes)
    ? scopes.map(String)
    : typeof scopes === 'string'
      ? scopes.split(/[\s,]+/)
      : []
  const chosen = list.filter(Boolean)
  return chosen.length ? chosen : [...(fallback ?? [])]
}

function authorizationUrl(
  connection: ConnectionContext,
  manifest: OAuth2Manifest,
  params: Readonly<Record<string, string>>,
): string {
  const { authorize } = manifest
  const raw = new Set(authorize.raw ?? [])
  // The state starts with a text of the caller, which must not become another parameter.
  const isRaw = (name: string) => name !== 'state' && (raw.has(name) || raw.has('*'))
  const members = Object.entries(params)
    .filter(
      ([name, value]) => !authorize.omit?.includes(name) && !(value === '' && authorize.omit_empty !== false),
    )
    .map(([name, value]) =>
      [authorize.rename?.[name] ?? name, isRaw(name) ? value : encodeURIComponent(value.toWellFormed())].join(
        '=',
      ),
    )
    .join('&')
  const base = renderUrl(compileTemplate(authorize.url), credentialLookup(connection))
  if (authorize.fragment)
    return `${base}${base.includes('#') ? (base.includes('?', base.indexOf('#')) ? '&' : '?') : '#?'}${members}`
  return members ? `${base}${base.includes('?') ? '&' : '?'}${members}` : base
}

/** Fills a map of templates. */
export function renderTemplates(
  templates: Readonly<Record<string, string>> | undefined,
  connection: ConnectionContext,
  extra?: Credentials,
): Record<string, string> {
  const lookup = credentialLookup(connection, extra)
  return Object.fromEntries(
    Object.entries(templates ?? {}).map(([name, text]) => [name, render(compileTemplate(text), lookup)]),
  )
}
