import type { DcrOAuthManifest } from '../../catalog/index.ts'
import { renderAll } from '../oauth2/authorize.ts'
import { isObject } from '../../platform/json-object.ts'
import { providerError } from '../provider-error.ts'
import { built, request } from '../provider-request.ts'
import {
  GrantRejected,
  ProviderTrouble,
  type SchemeTools,
  type ConnectionContext,
  type Values,
} from '../scheme.ts'
import type { Server } from './discovery.ts'

/** A client at an authorization server, under the names that the API shows. */
export interface Client extends Values {
  client_id: string
  client_secret?: string
  client_id_issued_at?: number
  /** Unix seconds; 0: never. */
  client_secret_expires_at?: number
}

const METHODS = ['client_secret_post', 'client_secret_basic', 'none'] as const
export type Method = (typeof METHODS)[number]
const TEXT_MAX = 4_000

/** Registers a client for one redirect address (RFC 7591 §3). @throws GrantRefused, ProviderTrouble */
export async function register(
  setup: ConnectionContext,
  server: Server,
  tools: SchemeTools,
): Promise<{ client: Client; method: Method }> {
  if (!server.registration_endpoint)
    throw new GrantRejected(
      'registration_unsupported',
      `The authorization server ${server.issuer} registers no clients by itself. Register one there and give its client_id.`,
    )
  const asked =
    METHODS.find((method) => (server.auth_methods ?? ['client_secret_basic']).includes(method)) ?? 'none'
  const { status, body } = await request(
    tools,
    setup.proxy,
    built(() => registration(setup, server.registration_endpoint!, asked)),
  )
  const isRegistered = status === 200 || status === 201
  if (!isRegistered && (status < 400 || status >= 500 || status === 429))
    throw new ProviderTrouble(`The registration of a client was answered with status ${status}.`)
  if (!isRegistered) {
    const { code, text } = providerError(setup, body)
    throw new GrantRejected(
      code || 'registration_refused',
      `The provider did not register a client: ${text || `status ${status}`}`,
    )
  }
  const client = clientIn(body)
  const told = isObject(body) ? body['token_endpoint_auth_method'] : undefined
  return {
    client,
    method:
      METHODS.find((method) => method === told) ??
      (client.client_secret ? (asked === 'none' ? 'client_secret_post' : asked) : 'none'),
  }
}

function registration(setup: ConnectionContext, url: string, method: Method) {
  const { registration: own, scopes } = setup.scheme.manifest as DcrOAuthManifest
  const members = {
    client_name: own?.client_name ?? 'Patchbay',
    redirect_uris: [setup.redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: method,
    ...(scopes?.default?.length ? { scope: scopes.default.join(' ') } : {}),
    ...renderAll(own?.params, setup),
  }
  return {
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(members),
  }
}

function clientIn(body: unknown): Client {
  const text = (name: string) =>
    isObject(body) && typeof body[name] === 'string' && body[name] !== '' && body[name].length <= TEXT_MAX
      ? body[name]
      : undefined
  const seconds = (name: string) =>
    isObject(body) && Number.isSafeInteger(body[name]) && Number(body[name]) >= 0
      ? { [name]: Number(body[name]) }
      : {}
  const id = text('client_id')
  if (id === undefined) throw new ProviderTrouble('The registration was answered without a client_id.')
  const secret = text('client_secret')
  return {
    client_id: id,
    ...(secret === undefined ? {} : { client_secret: secret }),
    ...seconds('client_id_issued_at'),
    ...seconds('client_secret_expires_at'),
  }
}
