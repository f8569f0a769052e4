import type { AuthSchemeManifest } from '../../catalog/index.ts'
import type * as contract from '../../contract/toolkits/index.ts'

type ProviderDetails = NonNullable<
  contract.Toolkit['auth_config_details'][number]['deprecated_auth_provider_details']
>

/**
 * Returns the endpoints of an OAuth provider that the manifest states; undefined for other schemes, and for dynamic
 * registration, which finds them. Client credentials have no authorization page.
 */
export function providerDetails(manifest: AuthSchemeManifest): ProviderDetails | undefined {
  switch (manifest.scheme) {
    case 'OAUTH2':
      return { authorization_url: manifest.authorize.url, token_url: manifest.token.url }
    case 'OAUTH1':
      return { authorization_url: manifest.authorize.url, token_url: manifest.access_token.url }
    case 'S2S_OAUTH2':
      return { authorization_url: '', token_url: manifest.token.url }
    default:
      return undefined
  }
}
