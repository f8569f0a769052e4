import {
  type AuthSchemeManifest,
  findCompiledScheme,
  hasChosenAuthorizationServer,
  type Toolkit,
} from '../../catalog/index.ts'
import type { AuthConfigRow } from './store.ts'

type Config = Pick<AuthConfigRow, 'id' | 'auth_scheme' | 'is_service_managed'>

/**
 * Whether the provider returns no `state`, so that only the browser identifies the authorization flow. See
 * docs/decisions/0018-callbacks-without-state.md.
 */
export const isCallbackWithoutState = (manifest: AuthSchemeManifest): boolean =>
  manifest.scheme === 'OAUTH2' && manifest.callback?.state_from === 'cookie'

/**
 * Whether the auth config has a redirect URI of its own, which ends in its ID. Otherwise a server that a project
 * chose could have a code of another provider sent to it (RFC 9700, section 4.4). See
 * docs/decisions/0040-redirect-uris.md.
 */
export function hasOwnRedirectUri(toolkit: Toolkit, config: Config): boolean {
  const manifest = findCompiledScheme(toolkit, config.auth_scheme)?.manifest
  return (
    manifest !== undefined &&
    !config.is_service_managed &&
    !isCallbackWithoutState(manifest) &&
    hasChosenAuthorizationServer(toolkit, manifest)
  )
}

/** The redirect URI of an auth config, unless its `oauth_redirect_uri` is another URL. */
export function defaultRedirectUri(callbackUrl: string, toolkit: Toolkit, config: Config): string {
  const manifest = findCompiledScheme(toolkit, config.auth_scheme)?.manifest
  if (manifest && isCallbackWithoutState(manifest)) return `${callbackUrl}/${toolkit.slug}`
  return hasOwnRedirectUri(toolkit, config) ? `${callbackUrl}/${config.id}` : callbackUrl
}
