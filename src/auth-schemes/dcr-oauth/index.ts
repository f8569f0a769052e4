import type { ClientAuthManifest, DcrOAuthManifest, OAuth2Manifest } from '../../catalog/index.ts'
import { oauth2 } from '../oauth2/index.ts'
import { isObject } from '../../platform/json-object.ts'
import { revokeBy } from '../revoke.ts'
import {
  type AuthScheme,
  GrantRejected,
  type SchemeTools,
  type ConnectionContext,
  type Values,
} from '../scheme.ts'
import { discover, type Server } from './discovery.ts'
import { type Client, type Method, register } from './register.ts'

/** What `val` keeps beside the client: the server it belongs to, and the address it was registered with. */
interface Kept extends Server {
  auth_method: Method
  redirect_uri: string
}

/** OAUTH2 whose addresses and client are found and registered when a connection begins; a client is used again as long as it is valid. */
export const dcrOAuth: AuthScheme = {
  name: 'DCR_OAUTH',
  redirects: true,
  async start(setup, state, tools) {
    const { server, client } = await prepare(setup, tools)
    const redirect = await oauth2.start!(asOAuth2(setup, server, client), state, tools)
    return { ...redirect, val: { ...client, authorization_server: server } }
  },
  async finish(setup, secrets, callback, tools) {
    const server = keptIn(setup)
    if (!server)
      throw new GrantRejected(
        'unknown_server',
        'The authorization server of this connection is not known any more; begin anew.',
      )
    // RFC 9207 §2.4: an answer of another server must not be taken to this one.
    const { iss } = callback
    if (iss === undefined ? server.names_itself : iss !== server.issuer)
      throw new GrantRejected(
        'issuer_mismatch',
        'The answer came from another authorization server than the one that was asked.',
      )
    return oauth2.finish!(asOAuth2(setup, server, setup.val), secrets, callback, tools)
  },
  renewable: (setup) => oauth2.renewable!(asOAuth2(setup, keptIn(setup), setup.val)),
  async renew(setup, tools) {
    const kept = keptIn(setup)
    const server = kept ?? (await found(setup, tools))
    const grant = await oauth2.renew!(asOAuth2(setup, server, setup.val), tools)
    return kept ? grant : { ...grant, val: { ...grant.val, authorization_server: server } }
  },
  marginMs: (setup) => oauth2.marginMs!(asOAuth2(setup, keptIn(setup), setup.val)),
  revocable: (setup) => oauth2.revocable!(asOAuth2(setup, keptIn(setup), setup.val)),
  revoke(setup, tools) {
    const asked = asOAuth2(setup, keptIn(setup), setup.val)
    const { revoke } = asked.scheme.manifest
    if (!revoke)
      throw new GrantRejected(
        'not_revocable',
        'The authorization server has no address where access is ended.',
      )
    return revokeBy(revoke, asked, tools)
  },
}

/** The server as it describes itself now, and a client there: the one of before, if it still fits. */
async function prepare(
  setup: ConnectionContext,
  tools: SchemeTools,
): Promise<{ server: Kept; client: Values }> {
  const server = await discover(setup, tools)
  const kept = keptIn(setup)
  if (
    kept &&
    kept.issuer === server.issuer &&
    kept.redirect_uri === setup.redirectUri &&
    isValid(setup.val, tools.now())
  ) {
    return {
      server: { ...server, auth_method: kept.auth_method, redirect_uri: kept.redirect_uri },
      client: clientOf(setup.val),
    }
  }
  // A client that somebody registered by hand and gave with the connection or its config.
  const given = [setup.credentials, setup.shared, ...(kept ? [] : [setup.val])].find(
    (values) => typeof values['client_id'] === 'string' && values['client_id'],
  )
  if (given)
    return {
      server: { ...server, auth_method: methodFor(server, given), redirect_uri: setup.redirectUri },
      client: clientOf(given),
    }
  const { client, method } = await register(setup, server, tools)
  return { server: { ...server, auth_method: method, redirect_uri: setup.redirectUri }, client }
}

async function found(setup: ConnectionContext, tools: SchemeTools): Promise<Kept> {
  const server = await discover(setup, tools)
  return { ...server, auth_method: methodFor(server, setup.val), redirect_uri: setup.redirectUri }
}

const CLIENT = ['client_id', 'client_secret', 'client_id_issued_at', 'client_secret_expires_at'] as const
const clientOf = (values: Values): Client =>
  Object.fromEntries(
    CLIENT.filter((name) => values[name] !== undefined).map((name) => [name, values[name]]),
  ) as unknown as Client

/** RFC 7591 §3.2.1: 0 and nothing mean that the secret does not end. */
function isValid(val: Values, now: number): boolean {
  const end = Number(val['client_secret_expires_at'] ?? 0)
  return typeof val['client_id'] === 'string' && val['client_id'] !== '' && (end === 0 || end * 1_000 > now)
}

function methodFor(
  { auth_methods: methods = ['client_secret_basic'] }: Server,
  { client_secret: secret }: Values,
): Method {
  if (!secret) return 'none'
  return methods.includes('client_secret_post') ? 'client_secret_post' : 'client_secret_basic'
}

function keptIn({ val }: ConnectionContext): Kept | undefined {
  const kept = val['authorization_server']
  return isObject(kept) && typeof kept['token_endpoint'] === 'string' ? (kept as unknown as Kept) : undefined
}

const CLIENT_AUTH: Readonly<Record<Method, ClientAuthManifest>> = {
  client_secret_post: 'post',
  client_secret_basic: 'basic',
  none: 'none',
}
/** An address that was found is no template. */
const literal = (address: string) => address.replaceAll('{', '{{')

/** The same connection, as OAUTH2 would have it if the manifest said what was found. */
function asOAuth2(setup: ConnectionContext, server: Kept | undefined, client: Values): ConnectionContext {
  const manifest = setup.scheme.manifest as DcrOAuthManifest
  const revoke =
    manifest.revoke ??
    (server?.revocation_endpoint ? { url: literal(server.revocation_endpoint) } : undefined)
  const effective: OAuth2Manifest = {
    ...manifest,
    scheme: 'OAUTH2',
    authorize: { ...manifest.authorize, url: literal(server?.authorization_endpoint ?? '') },
    token: { ...manifest.token, url: literal(server?.token_endpoint ?? '') },
    refresh: { rotates: 'sometimes', ...manifest.refresh },
    pkce: 'S256',
    client_auth: CLIENT_AUTH[server?.auth_method ?? 'none'],
    ...(server ? { resource: literal(server.resource) } : {}),
    ...(revoke ? { revoke } : {}),
  }
  const scopes = setup.credentials['scopes']
  const isChosen = Array.isArray(scopes) ? scopes.length > 0 : Boolean(scopes)
  return {
    scheme: { ...setup.scheme, manifest: effective },
    shared: setup.shared,
    val: setup.val,
    redirectUri: setup.redirectUri,
    proxy: setup.proxy,
    credentials: {
      ...setup.credentials,
      ...clientOf(client),
      ...(isChosen || manifest.scopes?.default || !server?.scopes ? {} : { scopes: server.scopes }),
    },
  }
}
