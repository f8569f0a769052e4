import type { Db } from '../../../platform/db/sql.ts'
import { randomText } from '../../../platform/ids.ts'
import { createClientAuthentication } from './authenticate-client.ts'
import { createFetchLimits } from './fetch-limits.ts'
import { createClientDocuments, isMetadataDocumentUrl } from './metadata-document.ts'
import { clientNetwork } from './client-network.ts'
import { type AuthMethod, readClientMetadata } from './client-metadata.ts'
import { findClient, insertClient, type McpClientRow } from './store.ts'
import type { McpAuthorizationDeps } from '../deps.ts'
import { OAuthRequestError } from '../oauth-error.ts'
import { hashSecret, newSecret } from '../secrets.ts'

export type { AuthenticatedClient } from './authenticate-client.ts'

export interface OAuthClient {
  id: string
  /** The name that the client gave itself. */
  name: string | null
  redirectUris: readonly string[]
  /** The host that published the metadata document; null for a registered client. */
  host: string | null
  authMethod: AuthMethod
  requiresPushedRequests: boolean
  requiresDpop: boolean
}
export type OAuthClients = ReturnType<typeof createOAuthClients>

const REGISTERED_CLIENT_ID = /^mcc_[A-Za-z0-9]{24}$/
const ID_CHARACTERS = 24

/** Whether a text has the form of a client id. Other texts are not looked up in the database. */
export const isClientId = (id: string): boolean => REGISTERED_CLIENT_ID.test(id) || isMetadataDocumentUrl(id)

/** The OAuth clients: those that registered themselves, and those with a metadata document. */
export function createOAuthClients({
  db,
  egress,
  clock,
  publicUrl,
}: Pick<McpAuthorizationDeps, 'db' | 'egress' | 'clock' | 'publicUrl'>) {
  const limits = createFetchLimits()
  const documents = createClientDocuments(egress, limits)

  async function findRegistered(id: string): Promise<McpClientRow> {
    const row = REGISTERED_CLIENT_ID.test(id) ? await findClient(db, id) : undefined
    if (!row) throw new OAuthRequestError('invalid_client', 'Unknown client. Register again.')
    return row
  }

  return {
    /** Registers a client and returns the client information (RFC 7591 §3.2.1). @throws OAuthRequestError */
    register: (metadata: unknown, ip: string): Promise<Record<string, unknown>> =>
      registerClient(db, metadata, ip),

    /** @throws OAuthRequestError */
    async find(id: string, ip: string): Promise<OAuthClient> {
      if (isMetadataDocumentUrl(id)) {
        const metadata = await documents.read(id, clientNetwork(ip))
        return { id, ...metadata, host: new URL(id).host }
      }
      const row = await findRegistered(id)
      return {
        id,
        name: row.name,
        redirectUris: row.redirect_uris,
        host: null,
        authMethod: row.auth_method,
        requiresPushedRequests: row.requires_pushed_requests,
        requiresDpop: row.requires_dpop,
      }
    },

    /** Authenticates a client with the method that it registered. @throws OAuthRequestError */
    authenticate: createClientAuthentication({
      db,
      egress,
      limits,
      now: () => clock.now(),
      publicUrl,
      findRegistered,
      readDocument: documents.read,
    }),
  }
}

async function registerClient(db: Db, metadata: unknown, ip: string): Promise<Record<string, unknown>> {
  const client = readClientMetadata(metadata, 'client_secret_basic')
  const { name, redirectUris, authMethod, keys, requiresPushedRequests, requiresDpop } = client
  const id = `mcc_${randomText(ID_CHARACTERS)}`
  const secret = authMethod.startsWith('client_secret') ? newSecret('client') : undefined
  const row = await insertClient(
    db,
    {
      id,
      name,
      redirect_uris: redirectUris,
      auth_method: authMethod,
      secret_hash: secret === undefined ? null : hashSecret(secret),
      jwks: keys && 'jwks' in keys ? keys.jwks : null,
      jwks_uri: keys && 'jwksUri' in keys ? keys.jwksUri : null,
      requires_pushed_requests: requiresPushedRequests,
      requires_dpop: requiresDpop,
    },
    hashSecret(clientNetwork(ip)),
  )
  if (!row)
    throw new OAuthRequestError(
      'slow_down',
      'Too many clients were registered within the last hour. Use an existing client, or try again later.',
    )
  return {
    client_id: id,
    client_id_issued_at: Math.floor(row.created_at.getTime() / 1_000),
    ...(secret === undefined ? {} : { client_secret: secret, client_secret_expires_at: 0 }),
    ...(name === null ? {} : { client_name: name }),
    redirect_uris: redirectUris,
    token_endpoint_auth_method: authMethod,
    ...(keys && ('jwks' in keys ? { jwks: keys.jwks } : { jwks_uri: keys.jwksUri })),
    ...(requiresPushedRequests && { require_pushed_authorization_requests: true }),
    ...(requiresDpop && { dpop_bound_access_tokens: true }),
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  }
}
