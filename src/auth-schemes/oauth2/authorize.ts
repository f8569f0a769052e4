import { calculatePKCECodeChallenge, generateRandomCodeVerifier, generateRandomNonce } from 'oauth4webapi'
import { compileTemplate, type OAuth2Manifest, render, renderAddress } from '../../catalog/index.ts'
import { clientValue } from '../client-auth.ts'
import { GrantRejected, lookupOf, type Redirect, type ConnectionContext, type Values } from '../scheme.ts'
import { manifestOf } from './index.ts'

/** What pages take that are no authorization endpoint, of the parameters of RFC 6749 §4.1.1. */
const TAKEN_BY: Readonly<Record<NonNullable<OAuth2Manifest['authorize']['flow']>, readonly string[]>> = {
  install: ['state'],
  inbound_install: [],
  admin_consent: ['client_id', 'redirect_uri', 'state'],
}

/** Builds the authorization request (RFC 6749 §4.1.1, RFC 7636 §4.3, RFC 8707 §2) as this provider wants it. */
export async function startAuthorization(setup: ConnectionContext, state: string): Promise<Redirect> {
  const manifest = manifestOf(setup)
  checkRedirect(setup.redirectUri, manifest)
  const { flow } = manifest.authorize
  const pkce = flow ? 'off' : (manifest.pkce ?? 'S256')
  const verifier = pkce === 'off' ? undefined : generateRandomCodeVerifier()
  const nonce = manifest.authorize.nonce ? generateRandomNonce() : undefined
  const params = {
    ...(flow
      ? only(TAKEN_BY[flow], standardParams(setup, manifest, state))
      : standardParams(setup, manifest, state)),
    ...(verifier
      ? {
          code_challenge: pkce === 'plain' ? verifier : await calculatePKCECodeChallenge(verifier),
          code_challenge_method: pkce,
        }
      : {}),
    ...(nonce ? { nonce } : {}),
    ...renderAll({ ...manifest.offline?.params, ...manifest.authorize.params }, setup, {
      state,
      redirect_uri: setup.redirectUri,
      ...(nonce ? { nonce } : {}),
    }),
  }
  const secrets = {
    state,
    redirect_uri: setup.redirectUri,
    ...(verifier ? { code_verifier: verifier } : {}),
    ...(nonce ? { nonce } : {}),
  }
  return { url: addressOf(setup, manifest, params), state, secrets }
}

const only = (names: readonly string[], params: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(params).filter(([name]) => names.includes(name)))

/** Told now, in words: the provider would show its own page to a user who can do nothing about it. @throws GrantRefused */
function checkRedirect(redirectUri: string, { redirect_rules: rules }: OAuth2Manifest): void {
  if (!rules?.https_only) return
  // The developer may have written anything as oauth_redirect_uri.
  const address = URL.parse(redirectUri)
  const isLocal =
    address?.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(address.hostname)
  if (address?.protocol === 'https:' || (isLocal && rules.localhost_allowed)) return
  throw new GrantRejected(
    'redirect_rules',
    `The provider sends users back to https addresses only${rules.localhost_allowed ? ' (or to localhost)' : ''}, and here they would come back to ${redirectUri}. Set PUBLIC_URL to an https address of this server, or oauth_redirect_uri of the auth config.`,
  )
}

function standardParams(
  setup: ConnectionContext,
  manifest: OAuth2Manifest,
  state: string,
): Record<string, string> {
  const { authorize, offline, scopes: known } = manifest
  const scopes = scopeList(setup.credentials['scopes'], known?.default)
  const userScopes = scopeList(setup.credentials['user_scopes'], known?.user_default)
  const separator = authorize.scope_separator ?? ' '
  if (offline?.scope && !scopes.includes(offline.scope)) scopes.push(offline.scope)
  return {
    response_type: authorize.response_type ?? 'code',
    client_id: clientValue(setup, 'client_id'),
    redirect_uri: setup.redirectUri,
    state,
    [authorize.scope_param ?? 'scope']: scopes.join(separator),
    ...(authorize.user_scope_param ? { [authorize.user_scope_param]: userScopes.join(separator) } : {}),
    ...(manifest.resource ? { resource: render(compileTemplate(manifest.resource), lookupOf(setup)) } : {}),
  }
}

/** Scopes as given: a list, or text joined by commas or spaces; without any, the defaults of the toolkit. */
export function scopeList(given: unknown, fallback: readonly string[] | undefined): string[] {
  const list = Array.isArray(given)
    ? given.map(String)
    : typeof given === 'string'
      ? given.split(/[\s,]+/)
      : []
  const chosen = list.filter(Boolean)
  return chosen.length ? chosen : [...(fallback ?? [])]
}

function addressOf(
  setup: ConnectionContext,
  manifest: OAuth2Manifest,
  params: Readonly<Record<string, string>>,
): string {
  const { authorize } = manifest
  const raw = new Set(authorize.raw ?? [])
  // The state begins with a text of the caller, which must not become another parameter.
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
  const base = renderAddress(compileTemplate(authorize.url), lookupOf(setup))
  if (authorize.fragment)
    return `${base}${base.includes('#') ? (base.includes('?', base.indexOf('#')) ? '&' : '?') : '#?'}${members}`
  return members ? `${base}${base.includes('?') ? '&' : '?'}${members}` : base
}

/** A map of templates, filled. */
export function renderAll(
  templates: Readonly<Record<string, string>> | undefined,
  setup: ConnectionContext,
  extra?: Values,
): Record<string, string> {
  const lookup = lookupOf(setup, extra)
  return Object.fromEntries(
    Object.entries(templates ?? {}).map(([name, text]) => [name, render(compileTemplate(text), lookup)]),
  )
}
