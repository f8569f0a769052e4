import {
  compileTemplate,
  type DerivedTokenManifest,
  type OAuth2Manifest,
  render,
  renderUrl,
} from '../../catalog/index.ts'
import {
  clientAssertion,
  authenticateClient,
  clientValue,
  signAssertion,
} from '../provider-requests/client-authentication.ts'
import { signJwt } from '../signing/jwt.ts'
import {
  buildRequest,
  encodeBody,
  type AuthProviderResponse,
  type AuthProviderRequest,
  sendRequest,
} from '../provider-requests/send-request.ts'
import { credentialLookup, type SchemeDeps, type ConnectionContext, type Credentials } from '../scheme.ts'
import { signRequest } from '../signing/index.ts'
import { renderTemplates } from './authorize.ts'
import { oauth2Manifest } from './manifest.ts'

/** Grant type of a signed assertion (RFC 7523 §2.1). */
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

export type TokenGrant =
  | { kind: 'code'; code: string; secrets: Credentials }
  /** `derived`: requests a token for another audience. */
  | { kind: 'refresh'; token: string; derived?: DerivedTokenManifest }
  | { kind: 'client'; scope?: string }

/**
 * Sends one request to the token endpoint (RFC 6749 §4.1.3, §6) as the manifest declares.
 * @throws ProviderUnavailable
 */
export async function requestToken(
  connection: ConnectionContext,
  grant: TokenGrant,
  deps: SchemeDeps,
): Promise<AuthProviderResponse> {
  const { url } = buildRequest(() => ({ method: 'POST', url: tokenUrl(connection, grant) }))
  const {
    client_auth: clientAuth,
    token: { assertion },
  } = oauth2Manifest(connection)
  const proofs = {
    client: await clientAssertion(connection, clientAuth, url, deps.now()),
    grant:
      assertion && grant.kind !== 'refresh'
        ? await signAssertion(() =>
            signJwt(assertion, credentialLookup(connection, grantValues(connection, grant)), deps.now()),
          )
        : undefined,
  }
  return sendRequest(
    deps,
    connection.proxy,
    buildRequest(() =>
      signTokenRequest(connection, grant, tokenRequest(connection, grant, url, proofs), deps.now()),
    ),
  )
}

/** Signs the request. Nothing may change it afterwards. */
function signTokenRequest(
  connection: ConnectionContext,
  grant: TokenGrant,
  unsigned: AuthProviderRequest,
  now: number,
): AuthProviderRequest {
  const { sign } = oauth2Manifest(connection).token
  if (!sign) return unsigned
  const { url, headers } = signRequest(
    sign,
    credentialLookup(connection, grantValues(connection, grant)),
    { ...unsigned, headers: unsigned.headers ?? {} },
    now,
  )
  return { ...unsigned, url, headers: { ...unsigned.headers, ...headers } }
}

const grantValues = (connection: ConnectionContext, grant: TokenGrant): Credentials =>
  grant.kind === 'code' ? { ...grant.secrets, code: grant.code } : { redirect_uri: connection.redirectUri }

function tokenUrl(connection: ConnectionContext, grant: TokenGrant): string {
  const { token, refresh } = oauth2Manifest(connection)
  return renderUrl(
    compileTemplate((grant.kind === 'refresh' ? refresh?.url : undefined) ?? token.url),
    credentialLookup(connection, grantValues(connection, grant)),
  )
}

function tokenRequest(
  connection: ConnectionContext,
  grant: TokenGrant,
  endpoint: string,
  proofs: { client: string; grant: string | undefined },
): AuthProviderRequest {
  const manifest = oauth2Manifest(connection)
  const { token, refresh } = manifest
  const isRefresh = grant.kind === 'refresh'
  const extra = grantValues(connection, grant)
  const client = authenticateClient(connection, manifest.client_auth, proofs.client)
  const derived = grant.kind === 'refresh' ? grant.derived : undefined
  const params = wireParams(manifest, isRefresh, derived?.omit, {
    ...grantParams(manifest, grant),
    ...(proofs.grant === undefined ? {} : { assertion: proofs.grant }),
    // A signed grant needs no client authentication, unless the connection has a client.
    ...(proofs.grant !== undefined && !clientValue(connection, 'client_id') ? {} : client.params),
    ...(manifest.resource
      ? { resource: render(compileTemplate(manifest.resource), credentialLookup(connection)) }
      : {}),
    ...renderTemplates(
      isRefresh
        ? { ...refresh?.params, ...derived?.params }
        : grant.kind === 'client'
          ? { ...token.params, ...refresh?.params }
          : token.params,
      connection,
      extra,
    ),
  })
  const place = (isRefresh ? refresh?.body : undefined) ?? token.body ?? 'form'
  const method = (isRefresh ? refresh?.method : undefined) ?? token.method ?? 'POST'
  const headers = {
    ...renderTemplates(token.headers, connection, extra),
    ...(isRefresh ? renderTemplates(refresh?.headers, connection, extra) : {}),
    ...client.headers,
  }
  if (place === 'query' || method === 'GET') {
    return { method, url: withQuery(endpoint, Object.entries(params)), headers }
  }
  const isInQuery = ([name]: [string, string]) => token.in_query?.includes(name) === true
  const url = withQuery(endpoint, Object.entries(params).filter(isInQuery))
  const body = encodeBody(
    place,
    Object.fromEntries(Object.entries(params).filter((field) => !isInQuery(field))),
  )
  return { method, url, headers: { ...body.headers, ...headers }, body: body.body }
}

const withQuery = (url: string, fields: [string, string][]) =>
  fields.length ? `${url}${url.includes('?') ? '&' : '?'}${new URLSearchParams(fields)}` : url

function grantParams(manifest: OAuth2Manifest, grant: TokenGrant): Record<string, string> {
  if (grant.kind === 'code') return codeParams(manifest, grant)
  if (grant.kind === 'refresh') return refreshParams(manifest, grant.token)
  return {
    grant_type:
      manifest.refresh?.grant_type ??
      manifest.token.grant_type ??
      (manifest.token.assertion ? JWT_BEARER : 'client_credentials'),
    ...(grant.scope ? { scope: grant.scope } : {}),
  }
}

function codeParams(
  { token }: OAuth2Manifest,
  { code, secrets }: { code: string; secrets: Credentials },
): Record<string, string> {
  const verifier = secrets['code_verifier']
  return {
    grant_type: token.grant_type ?? (token.assertion ? JWT_BEARER : 'authorization_code'),
    code,
    redirect_uri: String(secrets['redirect_uri'] ?? ''),
    ...(typeof verifier === 'string' ? { code_verifier: verifier } : {}),
  }
}

function refreshParams({ refresh }: OAuth2Manifest, token: string): Record<string, string> {
  return {
    grant_type: refresh?.grant_type ?? 'refresh_token',
    [refresh?.with === 'access_token' ? 'access_token' : 'refresh_token']: token,
  }
}

function wireParams(
  { token, refresh }: OAuth2Manifest,
  isRefresh: boolean,
  omittedFields: readonly string[] = [],
  params: Readonly<Record<string, string>>,
): Record<string, string> {
  const omit = new Set([...((isRefresh ? refresh : token)?.omit ?? []), ...omittedFields])
  return Object.fromEntries(
    Object.entries(params)
      .filter(([name]) => !omit.has(name))
      .map(([name, value]) => [token.rename?.[name] ?? name, value]),
  )
}
