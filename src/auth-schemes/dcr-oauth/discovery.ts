import { compileTemplate, type DcrOAuthManifest, renderUrl } from '../../catalog/index.ts'
import {
  isSameIssuer,
  isWithin,
  resourceMetadataUrls,
  safeMetadataUrl,
  serverMetadataUrls,
  stringList,
  announcedMetadataUrl,
} from '../../platform/oauth/index.ts'
import { isObject } from '../../platform/json-object.ts'
import { buildRequest, sendRequest } from '../provider-requests/send-request.ts'
import {
  GrantRejected,
  credentialLookup,
  ProviderUnavailable,
  type SchemeDeps,
  type ConnectionContext,
} from '../scheme.ts'

/** Metadata of an authorization server, as stored. */
export interface AuthorizationServer {
  issuer: string
  authorization_endpoint: string
  token_endpoint: string
  registration_endpoint?: string
  revocation_endpoint?: string
  /** Supported client authentication methods; absent means Basic (RFC 8414 §2). */
  auth_methods?: string[]
  /** The server sends `iss` in every callback (RFC 9207). */
  names_itself?: true
  resource: string
  /** Scopes that the resource recommends; used if no others are chosen. */
  scopes?: string[]
}

const CHALLENGE_MS = 5_000

/**
 * Discovers the authorization server of a toolkit: RFC 9728 at the resource, then RFC 8414 or OpenID Connect
 * Discovery at the issuer.
 * @throws GrantRejected, ProviderUnavailable
 */
export async function discoverServer(
  connection: ConnectionContext,
  deps: SchemeDeps,
): Promise<AuthorizationServer> {
  const manifest = connection.scheme.manifest as DcrOAuthManifest
  const lookup = credentialLookup(connection)
  const { url: resource } = buildRequest(() => {
    const template =
      manifest.resource === undefined ? connection.scheme.baseUrl : compileTemplate(manifest.resource)
    return { method: 'GET', url: template ? renderUrl(template, lookup) : '' }
  })
  const declaredIssuer =
    manifest.issuer === undefined
      ? undefined
      : buildRequest(() => ({ method: 'GET', url: renderUrl(compileTemplate(manifest.issuer!), lookup) })).url
  const resourceMetadata = await fetchResourceMetadata(connection, deps, resource)
  const issuer = declaredIssuer ?? resourceMetadata?.issuer ?? new URL(resource).origin
  return {
    ...(await fetchServerMetadata(connection, deps, safeUrlOf(issuer, 'issuer', resource), resource)),
    resource: resourceMetadata?.resource ?? resource,
    ...(resourceMetadata?.scopes ? { scopes: resourceMetadata.scopes } : {}),
  }
}

/** Reads the metadata of the resource (RFC 9728 §3); undefined if it publishes none, like older servers. */
async function fetchResourceMetadata(
  connection: ConnectionContext,
  deps: SchemeDeps,
  resource: string,
): Promise<{ issuer: string; resource: string; scopes: string[] | undefined } | undefined> {
  const { origin } = new URL(resource)
  for (const url of resourceMetadataUrls(
    resource,
    await metadataUrlFromChallenge(connection, deps, resource),
  )) {
    const doc = await fetchMetadata(connection, deps, url)
    const issuer = stringList(doc?.['authorization_servers'])?.[0]
    if (!doc || issuer === undefined) continue
    const resourceUrl = safeUrlOf(doc['resource'], 'resource', resource)
    // Metadata of another resource would cause tokens to be issued for it (RFC 9728 §3.3).
    if (!isWithin(resource, resourceUrl))
      throw new GrantRejected(
        'resource_mismatch',
        `The metadata of the resource at ${origin} names another resource, ${resourceUrl}.`,
      )
    return { issuer, resource: resourceUrl, scopes: stringList(doc['scopes_supported']) }
  }
  return undefined
}

/** Reads the metadata URL from the 401 response of the resource. */
async function metadataUrlFromChallenge(
  connection: ConnectionContext,
  deps: SchemeDeps,
  resource: string,
): Promise<string | undefined> {
  // A resource may return a stream, or nothing; its metadata document may still exist.
  const response = await sendRequest(deps, connection.proxy, {
    method: 'GET',
    url: resource,
    timeoutMs: CHALLENGE_MS,
  }).catch((error: unknown) => {
    if (!(error instanceof ProviderUnavailable)) throw error
  })
  return response?.status === 401
    ? announcedMetadataUrl(response.headers['www-authenticate'], resource)
    : undefined
}

/** Reads the server metadata from the URLs of RFC 8414 §3.1 and of OpenID Connect Discovery. */
async function fetchServerMetadata(
  connection: ConnectionContext,
  deps: SchemeDeps,
  issuer: string,
  resource: string,
): Promise<Omit<AuthorizationServer, 'resource'>> {
  for (const url of serverMetadataUrls(issuer)) {
    const doc = await fetchMetadata(connection, deps, url)
    if (doc && doc['issuer'] !== undefined) return parseServerMetadata(doc, issuer, resource)
  }
  throw new ProviderUnavailable(`Found no authorization server metadata at ${new URL(issuer).origin}.`)
}

function parseServerMetadata(
  doc: Record<string, unknown>,
  issuer: string,
  resource: string,
): Omit<AuthorizationServer, 'resource'> {
  // A server that claims another issuer could collect its codes (RFC 8414 §3.3).
  if (!isSameIssuer(doc['issuer'], issuer))
    throw new GrantRejected(
      'issuer_mismatch',
      `The metadata of the authorization server ${issuer} names another issuer.`,
    )
  const challenges = stringList(doc['code_challenge_methods_supported'])
  if (challenges && !challenges.includes('S256'))
    throw new GrantRejected(
      'pkce_unsupported',
      `The authorization server ${issuer} does not support PKCE with S256.`,
    )
  const optional = (name: string) =>
    doc[name] === undefined || doc[name] === null ? {} : { [name]: safeUrlOf(doc[name], name, resource) }
  const methods = stringList(doc['token_endpoint_auth_methods_supported'])
  return {
    issuer: String(doc['issuer']),
    authorization_endpoint: safeUrlOf(doc['authorization_endpoint'], 'authorization_endpoint', resource),
    token_endpoint: safeUrlOf(doc['token_endpoint'], 'token_endpoint', resource),
    ...optional('registration_endpoint'),
    ...optional('revocation_endpoint'),
    ...(methods ? { auth_methods: methods } : {}),
    ...(doc['authorization_response_iss_parameter_supported'] === true
      ? { names_itself: true as const }
      : {}),
  }
}

/** Reads a JSON object; undefined if the URL has none. Redirects are not followed. */
async function fetchMetadata(
  connection: ConnectionContext,
  deps: SchemeDeps,
  url: string,
): Promise<Record<string, unknown> | undefined> {
  const { status, body } = await sendRequest(deps, connection.proxy, { method: 'GET', url })
  if (status >= 500 || status === 429)
    throw new ProviderUnavailable(
      `${new URL(url).host} returned status ${status} for its authorization server metadata.`,
    )
  return status === 200 && isObject(body) ? body : undefined
}

function safeUrlOf(value: unknown, name: string, resource: string): string {
  const url = safeMetadataUrl(value, resource)
  if (url === undefined)
    throw new GrantRejected('unsafe_metadata', `The provider publishes no safe URL as its ${name}.`)
  return url
}
