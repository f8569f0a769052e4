import type { DcrOAuthManifest } from '../../catalog/index.ts'
import { renderTemplates } from '../oauth2/authorize.ts'
import { isObject } from '../../platform/json-object.ts'
import { readProviderError } from '../provider-requests/provider-error.ts'
import { buildRequest, sendRequest } from '../provider-requests/send-request.ts'
import {
  GrantRejected,
  ProviderUnavailable,
  type SchemeDeps,
  type ConnectionContext,
  type Credentials,
} from '../scheme.ts'
import type { AuthorizationServer } from './discovery.ts'

/** A client of an authorization server, with the field names of the API. */
export interface RegisteredClient extends Credentials {
  client_id: string
  client_secret?: string
  client_id_issued_at?: number
  /** Unix seconds; 0: never. */
  client_secret_expires_at?: number
}

const AUTH_METHODS = ['client_secret_post', 'client_secret_basic', 'none'] as const
export type ClientAuthMethod = (typeof AUTH_METHODS)[number]
const TEXT_MAX = 4_000

/** Registers a client for one redirect URI (RFC 7591 §3). @throws GrantRejected, ProviderUnavailable */
export async function registerClient(
  connection: ConnectionContext,
  server: AuthorizationServer,
  deps: SchemeDeps,
): Promise<{ client: RegisteredClient; method: ClientAuthMethod }> {
  if (!server.registration_endpoint)
    throw new GrantRejected(
      'registration_unsupported',
      `The authorization server ${server.issuer} does not support client registration. Register a client there and ` +
        'set its client_id in the auth config.',
    )
  const preferredMethod =
    AUTH_METHODS.find((method) => (server.auth_methods ?? ['client_secret_basic']).includes(method)) ?? 'none'
  const { status, body } = await sendRequest(
    deps,
    connection.proxy,
    buildRequest(() => registrationRequest(connection, server.registration_endpoint!, preferredMethod)),
  )
  const isRegistered = status === 200 || status === 201
  if (!isRegistered && (status < 400 || status >= 500 || status === 429))
    throw new ProviderUnavailable(`The registration endpoint returned status ${status}.`)
  if (!isRegistered) {
    const { code, text } = readProviderError(connection, body)
    throw new GrantRejected(
      code || 'registration_refused',
      `The provider did not register a client: ${text || `status ${status}`}`,
    )
  }
  const client = parseClient(body)
  const returnedMethod = isObject(body) ? body['token_endpoint_auth_method'] : undefined
  return {
    client,
    method:
      AUTH_METHODS.find((method) => method === returnedMethod) ??
      (client.client_secret ? (preferredMethod === 'none' ? 'client_secret_post' : preferredMethod) : 'none'),
  }
}

function registrationRequest(connection: ConnectionContext, url: string, method: ClientAuthMethod) {
  const { registration: registrationManifest, scopes } = connection.scheme.manifest as DcrOAuthManifest
  const metadata = {
    client_name: registrationManifest?.client_name ?? 'Patchbay',
    redirect_uris: [connection.redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: method,
    ...(scopes?.default?.length ? { scope: scopes.default.join(' ') } : {}),
    ...renderTemplates(registrationManifest?.params, connection),
  }
  return {
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(metadata),
  }
}

function parseClient(body: unknown): RegisteredClient {
  const text = (name: string) =>
    isObject(body) && typeof body[name] === 'string' && body[name] !== '' && body[name].length <= TEXT_MAX
      ? body[name]
      : undefined
  const seconds = (name: string) =>
    isObject(body) && Number.isSafeInteger(body[name]) && Number(body[name]) >= 0
      ? { [name]: Number(body[name]) }
      : {}
  const id = text('client_id')
  if (id === undefined)
    throw new ProviderUnavailable('The response of the registration endpoint contains no client_id.')
  const secret = text('client_secret')
  return {
    client_id: id,
    ...(secret === undefined ? {} : { client_secret: secret }),
    ...seconds('client_id_issued_at'),
    ...seconds('client_secret_expires_at'),
  }
}
