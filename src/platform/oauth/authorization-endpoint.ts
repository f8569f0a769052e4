import { isLoopbackHttp } from './issuer-url.ts'

/** Members of the metadata of a provider, which can have any type. */
interface ProviderMetadata {
  readonly authorization_endpoint?: unknown
  readonly prompt_values_supported?: unknown
}

/** How the person must sign in at the provider, although the browser may be signed in there. */
export interface SignInDemand {
  /** `select_account` becomes `login` unless the provider announces it. */
  prompt: 'login' | 'select_account'
  /** Whether the provider must return when the person signed in (`auth_time`). */
  needsAuthTime?: boolean
}

/** Returns the URL of the authorization endpoint. @throws Error if a browser must not be redirected there */
export function authorizationEndpoint(
  { authorization_endpoint: endpoint }: ProviderMetadata,
  issuer: URL,
): URL {
  if (typeof endpoint !== 'string') throw new Error('the provider has no authorization endpoint')
  const url = URL.parse(endpoint)
  if (!url || !(url.protocol === 'https:' || (isLoopbackHttp(issuer) && isLoopbackHttp(url))))
    throw new Error('the authorization endpoint must be an https URL')
  return url
}

/** Returns the parameters of OpenID Connect Core §3.1.2.1 that make a person sign in again. */
export function promptParameters(
  { prompt_values_supported: announced }: ProviderMetadata,
  demand: SignInDemand | undefined,
): Record<string, string> {
  if (!demand) return {}
  const isSelection =
    demand.prompt === 'select_account' && Array.isArray(announced) && announced.includes('select_account')
  return {
    prompt: isSelection ? 'select_account' : 'login',
    // Only with max_age must the provider return auth_time.
    ...(demand.needsAuthTime && { max_age: '0' }),
  }
}
