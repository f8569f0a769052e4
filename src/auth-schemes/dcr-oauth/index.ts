import type { ClientAuthManifest, DcrOAuthManifest, OAuth2Manifest } from '../../catalog/index.ts'
import { oauth2 } from '../oauth2/index.ts'
import { isObject } from '../../platform/json-object.ts'
import { revokeWith } from '../provider-requests/revocation.ts'
import {
  type AuthScheme,
  GrantRejected,
  type SchemeDeps,
  type ConnectionContext,
  type Credentials,
} from '../scheme.ts'
import { discoverServer, type AuthorizationServer } from './discovery.ts'
import { type RegisteredClient, type ClientAuthMethod, registerClient } from './client-registration.ts'

/**
 * Server metadata stored with the client: its authentication method and the redirect URI it was registered
 * with.
 */
interface StoredServer extends AuthorizationServer {
  auth_method: ClientAuthMethod
  redirect_uri: string
}

/**
 * OAUTH2 with dynamic client registration: endpoints are discovered and a client is registered when a
 * connection
 * starts. A client is reused as long as it is valid.
 */
export const dcrOAuth: AuthScheme = {
  name: 'DCR_OAUTH',
  redirects: true,
  async start(connection, state, deps) {
    const { server, client } = await discoverServerAndClient(connection, deps)
    const redirect = await oauth2.start!(asOAuth2(connection, server, client), state, deps)
    return { ...redirect, credentials: { ...client, authorization_server: server } }
  },
  async finish(connection, secrets, callback, deps) {
    const server = storedServerOf(connection)
    if (!server)
      throw new GrantRejected(
        'unknown_server',
        'The authorization server of this connection is unknown. Connect again.',
      )
    // RFC 9207 §2.4: the code of another server must not be sent to this one.
    const { iss } = callback
    if (iss === undefined ? server.names_itself : iss !== server.issuer)
      throw new GrantRejected(
        'issuer_mismatch',
        'The response came from a different authorization server than the request was sent to.',
      )
    return oauth2.finish!(asOAuth2(connection, server, connection.credentials), secrets, callback, deps)
  },
  canRefresh: (connection) =>
    oauth2.canRefresh!(asOAuth2(connection, storedServerOf(connection), connection.credentials)),
  async refresh(connection, deps) {
    const storedServer = storedServerOf(connection)
    const server = storedServer ?? (await discoverForClient(connection, deps))
    const grant = await oauth2.refresh!(asOAuth2(connection, server, connection.credentials), deps)
    return storedServer
      ? grant
      : { ...grant, credentials: { ...grant.credentials, authorization_server: server } }
  },
  refreshMarginMs: (connection) =>
    oauth2.refreshMarginMs!(asOAuth2(connection, storedServerOf(connection), connection.credentials)),
  canRevoke: (connection) =>
    oauth2.canRevoke!(asOAuth2(connection, storedServerOf(connection), connection.credentials)),
  revoke(connection, deps) {
    const oauth2Connection = asOAuth2(connection, storedServerOf(connection), connection.credentials)
    const { revoke } = oauth2Connection.scheme.manifest
    if (!revoke)
      throw new GrantRejected('not_revocable', 'The authorization server has no revocation endpoint.')
    return revokeWith(revoke, oauth2Connection, deps)
  },
}

/**
 * Discovers the server and returns it with a client: the stored one if it is still valid, otherwise a new
 * one.
 */
async function discoverServerAndClient(
  connection: ConnectionContext,
  deps: SchemeDeps,
): Promise<{ server: StoredServer; client: Credentials }> {
  const server = await discoverServer(connection, deps)
  const storedServer = storedServerOf(connection)
  if (
    storedServer &&
    storedServer.issuer === server.issuer &&
    storedServer.redirect_uri === connection.redirectUri &&
    isClientValid(connection.credentials, deps.now())
  ) {
    return {
      server: { ...server, auth_method: storedServer.auth_method, redirect_uri: storedServer.redirect_uri },
      client: pickClientFields(connection.credentials),
    }
  }
  // A client that was registered by hand and is part of the connection or its auth config.
  const enteredClient = [
    connection.authConfigCredentials,
    connection.sharedCredentials,
    ...(storedServer ? [] : [connection.credentials]),
  ].find((values) => typeof values['client_id'] === 'string' && values['client_id'])
  if (enteredClient)
    return {
      server: {
        ...server,
        auth_method: authMethodFor(server, enteredClient),
        redirect_uri: connection.redirectUri,
      },
      client: pickClientFields(enteredClient),
    }
  const { client, method } = await registerClient(connection, server, deps)
  return { server: { ...server, auth_method: method, redirect_uri: connection.redirectUri }, client }
}

async function discoverForClient(connection: ConnectionContext, deps: SchemeDeps): Promise<StoredServer> {
  const server = await discoverServer(connection, deps)
  return {
    ...server,
    auth_method: authMethodFor(server, connection.credentials),
    redirect_uri: connection.redirectUri,
  }
}

const CLIENT_FIELDS = [
  'client_id',
  'client_secret',
  'client_id_issued_at',
  'client_secret_expires_at',
] as const
const pickClientFields = (values: Credentials): RegisteredClient =>
  Object.fromEntries(
    CLIENT_FIELDS.filter((name) => values[name] !== undefined).map((name) => [name, values[name]]),
  ) as unknown as RegisteredClient

/** Whether the client secret is still valid; 0 and absent mean that it does not expire (RFC 7591 §3.2.1). */
function isClientValid(credentials: Credentials, now: number): boolean {
  const expiresAt = Number(credentials['client_secret_expires_at'] ?? 0)
  return (
    typeof credentials['client_id'] === 'string' &&
    credentials['client_id'] !== '' &&
    (expiresAt === 0 || expiresAt * 1_000 > now)
  )
}

function authMethodFor(
  { auth_methods: methods = ['client_secret_basic'] }: AuthorizationServer,
  { client_secret: secret }: Credentials,
): ClientAuthMethod {
  if (!secret) return 'none'
  return methods.includes('client_secret_post') ? 'client_secret_post' : 'client_secret_basic'
}

function storedServerOf({ credentials }: ConnectionContext): StoredServer | undefined {
  const storedServer = credentials['authorization_server']
  return isObject(storedServer) && typeof storedServer['token_endpoint'] === 'string'
    ? (storedServer as unknown as StoredServer)
    : undefined
}

const CLIENT_AUTH: Readonly<Record<ClientAuthMethod, ClientAuthManifest>> = {
  client_secret_post: 'post',
  client_secret_basic: 'basic',
  none: 'none',
}
/** Escapes a discovered URL, which is not a template. */
const escapeTemplate = (url: string) => url.replaceAll('{', '{{')

/** Converts the connection to OAUTH2, with the discovered metadata in its manifest. */
function asOAuth2(
  connection: ConnectionContext,
  server: StoredServer | undefined,
  client: Credentials,
): ConnectionContext {
  const manifest = connection.scheme.manifest as DcrOAuthManifest
  const revoke =
    manifest.revoke ??
    (server?.revocation_endpoint ? { url: escapeTemplate(server.revocation_endpoint) } : undefined)
  const effective: OAuth2Manifest = {
    ...manifest,
    scheme: 'OAUTH2',
    authorize: { ...manifest.authorize, url: escapeTemplate(server?.authorization_endpoint ?? '') },
    token: { ...manifest.token, url: escapeTemplate(server?.token_endpoint ?? '') },
    refresh: { rotates: 'sometimes', ...manifest.refresh },
    pkce: 'S256',
    client_auth: CLIENT_AUTH[server?.auth_method ?? 'none'],
    ...(server ? { resource: escapeTemplate(server.resource) } : {}),
    ...(revoke ? { revoke } : {}),
  }
  const scopes = connection.authConfigCredentials['scopes']
  const isChosen = Array.isArray(scopes) ? scopes.length > 0 : Boolean(scopes)
  return {
    scheme: { ...connection.scheme, manifest: effective },
    sharedCredentials: connection.sharedCredentials,
    credentials: connection.credentials,
    redirectUri: connection.redirectUri,
    proxy: connection.proxy,
    authConfigCredentials: {
      ...connection.authConfigCredentials,
      ...pickClientFields(client),
      ...(isChosen || manifest.scopes?.default || !server?.scopes ? {} : { scopes: server.scopes }),
    },
  }
}
