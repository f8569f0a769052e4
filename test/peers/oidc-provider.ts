import { randomBytes } from 'node:crypto'
import { type PeerControl, startPeerProcess } from './peer-process.ts'

export interface OidcProviderOptions {
  /** Where the provider may send the user back to; compared as strings, in full. */
  redirectUris: string[]
  /** Default 3600. */
  accessTokenTtlSeconds?: number
  /** Whether a refresh answers with a new refresh token and uses the old one up. Default true. */
  rotateRefreshTokens?: boolean
  /**
   * How the client is registered to prove itself, and what the metadata offer. Default `client_secret_basic`.
   * The provider takes the other of the two ways as well; `stats` tells which one it saw.
   */
  clientAuth?: 'client_secret_basic' | 'client_secret_post'
  /** When a code exchange yields a refresh token: always (default), or only if `offline_access` was granted. */
  refreshTokens?: 'always' | 'offline_access'
}

export interface OidcProviderStats {
  /** Requests the token endpoint has answered, refused ones too. */
  tokenRequests: number
  /** Of these, the ones with `grant_type=refresh_token`. */
  refreshes: number
  /** Of the token requests, the ones that were refused. */
  refused: number
  /** Of the token requests, the ones with the client's secret in the body instead of the Authorization header. */
  secretsInBody: number
  /** Tokens that the client took back itself (RFC 7009). */
  revocations: number
}

/** Where the provider is and how its one client proves itself. */
export interface OidcProviderFacts {
  issuer: string
  authorizationEndpoint: string
  tokenEndpoint: string
  userinfoEndpoint: string
  revocationEndpoint: string
  clientId: string
  clientSecret: string
}

export interface OidcProviderPeer extends OidcProviderFacts, PeerControl {
  /** Forgets every grant, code and token, as a user who withdraws the consent does: a later refresh is `invalid_grant`. */
  revokeEverything(): Promise<void>
  /** Ends every access token before its time, and no grant: the next use is a 401, and a refresh still works. */
  endAccessTokens(): Promise<void>
  stats(): Promise<OidcProviderStats>
}

/** Starts an OAuth 2 and OpenID Connect provider with sign-in and consent pages, PKCE (S256) required. */
export async function startOidcProvider(options: OidcProviderOptions): Promise<OidcProviderPeer> {
  const client = {
    clientId: `client-${randomBytes(6).toString('hex')}`,
    clientSecret: randomBytes(24).toString('hex'),
  }
  const { facts, call, control } = await startPeerProcess<{ issuer: string }>({
    name: 'oidc-provider',
    entry: new URL('./oidc-provider.child.ts', import.meta.url),
    config: {
      ...client,
      redirectUris: options.redirectUris,
      accessTokenTtlSeconds: options.accessTokenTtlSeconds ?? 3600,
      rotateRefreshTokens: options.rotateRefreshTokens ?? true,
      clientAuth: options.clientAuth ?? 'client_secret_basic',
      refreshTokens: options.refreshTokens ?? 'always',
    },
    async probe({ issuer }, signal) {
      const metadata = await discover(issuer, signal)
      if (metadata.issuer !== issuer) throw new Error(`the metadata say the issuer is ${metadata.issuer}`)
    },
  })
  const metadata = await discover(facts.issuer, AbortSignal.timeout(10_000))
  return {
    issuer: facts.issuer,
    authorizationEndpoint: metadata.authorization_endpoint!,
    tokenEndpoint: metadata.token_endpoint!,
    userinfoEndpoint: metadata.userinfo_endpoint!,
    revocationEndpoint: metadata.revocation_endpoint!,
    ...client,
    revokeEverything: () => call('revokeEverything'),
    endAccessTokens: () => call('endAccessTokens'),
    stats: () => call('stats'),
    ...control,
  }
}

async function discover(issuer: string, signal: AbortSignal): Promise<Record<string, string>> {
  const response = await fetch(`${issuer}/.well-known/openid-configuration`, { signal })
  if (response.status !== 200) throw new Error(`its metadata answered ${response.status}`)
  return (await response.json()) as Record<string, string>
}
