import * as oauth from 'oauth4webapi'
import type { Egress } from '../egress/index.ts'
import { isAccessTokenHash } from './access-token-hash.ts'
import { authorizationEndpoint, promptParameters, type SignInDemand } from './authorization-endpoint.ts'
import { isIssuerUrl, isLoopbackHttp } from './issuer-url.ts'
import { clientAuthentication, egressFetch } from './openid-requests.ts'

const METADATA_VALID_MS = 3_600_000
/** Clocks of servers may differ by this much. */
const CLOCK_TOLERANCE_SECONDS = 60
/** OpenID Connect Core §2. */
const SUBJECT_CHARACTERS_MAX = 255

/** An OpenID provider, and this server as its client. */
export interface OpenIdClientSettings {
  /** Issuer as the provider writes it, without `/.well-known/openid-configuration`. */
  issuer: string
  clientId: string
  /** Secret. Undefined for a public client. */
  clientSecret: string | undefined
  /** Space-separated, with `openid`. */
  scopes: string
  /** Claims that are read at the UserInfo endpoint if the ID token lacks one of them. */
  claims: readonly string[]
}

/** What a sign-in compares later. */
export interface OidcAttempt {
  state: string
  nonce: string
  verifier: string
}

export type IdTokenClaims = oauth.IDToken

export interface OidcProvider {
  /**
   * Returns the URL of the provider at which the person signs in.
   * @throws Error if the metadata of the provider cannot be read
   */
  authorizationUrl(attempt: OidcAttempt, redirectUri: string, demand?: SignInDemand): Promise<string>
  /**
   * Exchanges the code of a callback, and validates the ID token: signature, issuer, audience, expiry and nonce. `iss`
   * of the callback must be the issuer, and be there if the provider announces it (RFC 9207).
   * @throws Error if the provider rejects the sign-in, cannot be reached, or sends an invalid token
   */
  readIdentity(callback: URL, attempt: OidcAttempt, redirectUri: string): Promise<IdTokenClaims>
}

/** Creates state, nonce (OpenID Connect Core) and the verifier of PKCE (RFC 7636). */
export const createAttempt = (): OidcAttempt => ({
  state: oauth.generateRandomState(),
  nonce: oauth.generateRandomNonce(),
  verifier: oauth.generateRandomCodeVerifier(),
})

/** A client of one OpenID provider. Requests pass the egress guard; the metadata is read again after an hour. */
export function createOidcProvider(
  settings: OpenIdClientSettings,
  egress: Egress,
  now: () => number,
): OidcProvider {
  const issuer = new URL(settings.issuer)
  const client: oauth.Client = {
    client_id: settings.clientId,
    [oauth.clockTolerance]: CLOCK_TOLERANCE_SECONDS,
  }
  const options = {
    [oauth.customFetch]: egressFetch(egress),
    [oauth.allowInsecureRequests]: isLoopbackHttp(issuer),
  }
  const discover = isIssuerUrl(settings.issuer)
    ? metadataReader(issuer, options, now)
    : () => Promise.reject(new Error('the issuer must be an https URL'))

  return {
    async authorizationUrl({ state, nonce, verifier }, redirectUri, demand) {
      const server = await discover()
      return withParameters(authorizationEndpoint(server, issuer), {
        ...promptParameters(server, demand),
        client_id: settings.clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: settings.scopes,
        state,
        nonce,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
    },

    async readIdentity(callback, { state, nonce, verifier }, redirectUri) {
      const server = await discover()
      const parameters = oauth.validateAuthResponse(server, client, callback, state)
      const reply = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        clientAuthentication(settings, server),
        parameters,
        redirectUri,
        verifier,
        options,
      )
      const result = await oauth.processAuthorizationCodeResponse(server, client, reply, {
        expectedNonce: nonce,
        requireIdToken: true,
      })
      await oauth.validateApplicationLevelSignature(server, reply, options)
      const claims = oauth.getValidatedIdTokenClaims(result)
      if (!claims) throw new Error('the provider sent no ID token')
      assertIdToken(claims, result, settings.clientId)
      return withUserInfo({ server, client, options, settings }, result.access_token, claims)
    },
  }
}

function withParameters(url: URL, parameters: Readonly<Record<string, string>>): string {
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

/** Checks what oauth4webapi leaves to its caller: the type of `sub`, `azp` and `at_hash`. @throws Error */
function assertIdToken(claims: oauth.IDToken, response: oauth.TokenEndpointResponse, clientId: string): void {
  const subject: unknown = claims.sub
  if (typeof subject !== 'string' || subject === '' || subject.length > SUBJECT_CHARACTERS_MAX)
    throw new Error(`sub of the ID token must be a text of 1 to ${SUBJECT_CHARACTERS_MAX} characters`)
  if (claims.azp !== undefined && claims.azp !== clientId)
    throw new Error('azp of the ID token is another client')
  const { id_token: idToken = '', access_token: accessToken } = response
  if (claims['at_hash'] !== undefined && !isAccessTokenHash(claims['at_hash'], accessToken, idToken))
    throw new Error('at_hash of the ID token is not of the access token')
}

/** Returns a function that reads the metadata of the provider, and again after an hour or a failure. */
function metadataReader(
  issuer: URL,
  options: object,
  now: () => number,
): () => Promise<oauth.AuthorizationServer> {
  let metadata: { server: Promise<oauth.AuthorizationServer>; readAt: number } | undefined
  return () => {
    if (metadata && now() - metadata.readAt < METADATA_VALID_MS) return metadata.server
    const server = oauth
      .discoveryRequest(issuer, options)
      .then((response) => oauth.processDiscoveryResponse(issuer, response))
    const entry = { server, readAt: now() }
    metadata = entry
    server.catch(() => {
      if (metadata === entry) metadata = undefined
    })
    return server
  }
}

interface UserInfoSource {
  server: oauth.AuthorizationServer
  client: oauth.Client
  options: object
  settings: OpenIdClientSettings
}

/**
 * Adds claims that the provider sends only at its UserInfo endpoint. The ID token, which is signed, has priority.
 * `email_verified` is about the address next to it, so it is not added to another address.
 */
async function withUserInfo(
  { server, client, options, settings }: UserInfoSource,
  accessToken: string,
  claims: oauth.IDToken,
): Promise<IdTokenClaims> {
  const isComplete = settings.claims.every((name) => claims[name] !== undefined)
  if (isComplete || server.userinfo_endpoint === undefined) return claims
  const reply = await oauth.userInfoRequest(server, client, accessToken, options)
  const { email_verified: isVerified, ...more } = await oauth.processUserInfoResponse(
    server,
    client,
    claims.sub,
    reply,
  )
  const all = { ...more, ...claims }
  return {
    ...all,
    ...(claims['email_verified'] === undefined &&
      isVerified !== undefined &&
      all['email'] === more['email'] && { email_verified: isVerified }),
  } as IdTokenClaims
}
