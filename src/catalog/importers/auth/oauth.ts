import { type KeyScheme, type SchemeWithName, withKeys } from './keys.ts'
import type { Address } from '../openapi/servers.ts'
import type { AuthSchemeManifest } from '../../manifest/format/index.ts'

const DEFAULT_SCOPES_MAX = 20

export function oauth2(
  { scheme }: SchemeWithName<'oauth2'>,
  scopes: readonly string[],
  keys: readonly { key: KeyScheme; always: boolean }[],
  address: Address,
): AuthSchemeManifest {
  const code = scheme.code!
  const renewal = endpoint(code.refreshUrl, address)
  return withKeys(
    {
      scheme: 'OAUTH2',
      authorize: { url: endpoint(code.authorizationUrl, address)! },
      token: { url: endpoint(code.tokenUrl, address)! },
      refresh: { rotates: 'sometimes', ...(renewal !== undefined && { url: renewal }) },
      ...scopesKeyword(code.scopes, scopes),
    },
    keys,
    {},
  )
}

export function clientCredentials(
  { scheme }: SchemeWithName<'oauth2'>,
  scopes: readonly string[],
  keys: readonly { key: KeyScheme; always: boolean }[],
  address: Address,
): AuthSchemeManifest {
  return withKeys(
    {
      scheme: 'S2S_OAUTH2',
      token: { url: endpoint(scheme.client!.tokenUrl, address)! },
      ...scopesKeyword(scheme.client!.scopes, scopes),
    },
    keys,
    {},
  )
}

/**
 * The password flow (RFC 6749 §4.3): user name and password are exchanged for an access token, again whenever it
 * expires.
 */
export function passwordFlow({ scheme }: SchemeWithName<'oauth2'>, address: Address): AuthSchemeManifest {
  return {
    scheme: 'BASIC',
    sign_in: {
      path: passwordEndpoint(scheme, address)!,
      params: { grant_type: 'password', username: '{username}', password: '{password}' },
      token: 'access_token',
      expires_in: 'expires_in',
    },
    apply: { headers: { authorization: 'Bearer {session_token}' } },
  }
}

/** The token endpoint: a URL, or a path below the base URL of the connection. */
export function passwordEndpoint(
  { password }: SchemeWithName<'oauth2'>['scheme'],
  address: Address,
): string | undefined {
  const url = password?.tokenUrl?.trim()
  if (url === undefined || /[{}\s]/.test(url)) return undefined
  return endpoint(url, address) ?? (/^[\w./-]+$/.test(url) ? `/${url.replace(/^\.?\//, '')}` : undefined)
}

function scopesKeyword(available: readonly string[], used: readonly string[]) {
  const known = available.filter((scope) => scope.trim() !== '')
  const byDefault = used.filter((scope) => known.length === 0 || known.includes(scope))
  return known.length === 0 && byDefault.length === 0
    ? {}
    : {
        scopes: {
          ...(known.length > 0 && { available: [...known] }),
          ...(byDefault.length > 0 && byDefault.length <= DEFAULT_SCOPES_MAX && { default: [...byDefault] }),
        },
      }
}

/**
 * An address of a flow; relative ones continue that of the API, if it is fixed. Braces would be places of a
 * template.
 */
export function endpoint(url: string | undefined, { template }: Address): string | undefined {
  if (url === undefined || /[{}\s]/.test(url.trim())) return undefined
  const base = template.includes('{') ? undefined : template
  if (!URL.canParse(url.trim(), base)) return undefined
  const found = new URL(url.trim(), base)
  return found.protocol === 'https:' || found.protocol === 'http:' ? found.href : undefined
}
