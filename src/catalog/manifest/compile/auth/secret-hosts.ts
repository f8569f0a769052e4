import type {
  AuthSchemeManifest,
  DcrOAuthManifest,
  OAuth2Manifest,
  S2SOAuth2Manifest,
} from '../../format/index.ts'
import type { ToolkitOrigin } from '../../../types/toolkit.ts'
import { compileTemplate } from '../template/templates.ts'

type OAuth = OAuth2Manifest | DcrOAuthManifest | S2SOAuth2Manifest

/** A name that takes part in which host an address leads to. */
export interface HostPlaceholder {
  readonly name: string
  /**
   * Nothing behind it holds the host: `{base_url}/token` and `https://{host}/token`, not
   * `https://{subdomain}.vendor.com/token`.
   */
  readonly isWholeHost: boolean
}

export function hostPlaceholders(text: string | undefined): HostPlaceholder[] {
  try {
    return compileTemplate(text ?? '').parts.flatMap((part, index, parts) => {
      if (typeof part === 'string' || (part.position !== 'start' && part.position !== 'host')) return []
      const behind = parts[index + 1]
      const alone = part.position === 'start' || typeof behind !== 'string' || !behind.startsWith('.')
      return part.alternatives.flatMap((one) =>
        'name' in one ? [{ name: one.name, isWholeHost: alone }] : [],
      )
    })
  } catch {
    return [] // Told where the template is checked.
  }
}

/**
 * Names whose values select the host that receives the client secret. With the
 * administrator's client none of them may come from a project or a user: only from the manifest, the
 * administrator, or the provider itself.
 */
export function secretHostNames(manifest: AuthSchemeManifest): ReadonlySet<string> {
  if (!('token' in manifest)) return new Set()
  const scheme = manifest as OAuth
  const { token, callback } = scheme as Partial<OAuth2Manifest>
  const captured = new Set([...Object.keys(callback?.capture ?? {}), ...Object.keys(token?.capture ?? {})])
  const addresses = [
    token?.url,
    scheme.refresh?.url,
    scheme.revoke?.url,
    ...secretUrls(scheme).map(([text]) => text),
  ]
  return new Set(
    addresses
      .flatMap(hostPlaceholders)
      .filter(({ name, isWholeHost: alone }) => alone || captured.has(name))
      .map(({ name }) => name),
  )
}

type SecretUrl = readonly [text: string | undefined, at: string]

/** Returns further URLs of a scheme that receive secrets, with their path in the scheme. */
export const secretUrls = ({ token, refresh, ...scheme }: OAuth): SecretUrl[] => [
  [token?.introspect?.url, 'token/introspect/url'],
  ['id_token' in scheme ? scheme.id_token?.jwks_url : undefined, 'id_token/jwks_url'],
  ...(['token', 'refresh'] as const).flatMap((part) =>
    ((part === 'token' ? token : refresh)?.steps ?? []).map(({ url }, index): SecretUrl => [
      url,
      `${part}/steps/${index}/url`,
    ]),
  ),
]

/** Fields of a scheme that are URLs, or paths that can be URLs. */
const URL_FIELD = /(^|_)(url|path|resource)$/

/**
 * Names whose values select a host that receives credentials: in the base URL of the API, and in every URL of the
 * scheme. A change of one of them sends credentials to another server.
 */
export function credentialHostNames(
  manifest: AuthSchemeManifest,
  baseUrl: string | undefined,
): ReadonlySet<string> {
  const urls: (string | undefined)[] = [baseUrl]
  JSON.stringify(manifest, (key, value: unknown) => {
    if (typeof value === 'string' && URL_FIELD.test(key)) urls.push(value)
    return value
  })
  return new Set(urls.flatMap(hostPlaceholders).map(({ name }) => name))
}

/**
 * Whether a project or a user chooses the authorization server of a toolkit: with a field that is the host of a URL
 * which receives the client secret, or with the document from which the project imported the toolkit.
 */
export function hasChosenAuthorizationServer(
  { origin }: { readonly origin: ToolkitOrigin },
  manifest: AuthSchemeManifest,
): boolean {
  if (manifest.scheme === 'DCR_OAUTH') return true
  if (manifest.scheme !== 'OAUTH2') return false
  if (origin === 'project') return true
  const { auth_config_creation: ofProject = [], connected_account_initiation: ofUser = [] } =
    manifest.fields ?? {}
  const hosts = secretHostNames(manifest)
  return [...ofProject, ...ofUser].some(({ name }) => hosts.has(name))
}
