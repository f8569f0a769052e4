import { timingSafeEqual } from 'node:crypto'
import type { Db } from '../../../platform/db/sql.ts'
import { randomText } from '../../../platform/ids.ts'
import { createClientDocuments, isMetadataDocumentUrl } from './metadata-document.ts'
import { clientNetwork } from './client-network.ts'
import { readClientMetadata } from './client-metadata.ts'
import { findClient, insertClient } from './store.ts'
import type { McpAuthorizationDeps } from '../deps.ts'
import { OAuthRequestError } from '../oauth-error.ts'
import { hashSecret, isSecret, newSecret } from '../secrets.ts'

export interface OAuthClient {
  id: string
  /** The name that the client gave itself. */
  name: string | null
  redirectUris: readonly string[]
  /** The host that published the metadata document; null for a registered client. */
  host: string | null
}
export type OAuthClients = ReturnType<typeof createOAuthClients>

const REGISTERED_CLIENT_ID = /^mcc_[A-Za-z0-9]{24}$/
const ID_CHARACTERS = 24
const UNKNOWN_CLIENT = 'Unknown client. Register again.'

/** The OAuth clients: those that registered themselves, and those with a metadata document. */
export function createOAuthClients({ db, egress }: Pick<McpAuthorizationDeps, 'db' | 'egress'>) {
  const documents = createClientDocuments(egress)

  return {
    /** Registers a client and returns the client information (RFC 7591 §3.2.1). @throws OAuthRequestError */
    register: (metadata: unknown, ip: string): Promise<Record<string, unknown>> =>
      registerClient(db, metadata, ip),

    /** @throws OAuthRequestError */
    async find(id: string, ip: string): Promise<OAuthClient> {
      if (isMetadataDocumentUrl(id)) {
        const { name, redirectUris } = await documents.read(id, clientNetwork(ip))
        return { id, name, redirectUris, host: new URL(id).host }
      }
      const row = REGISTERED_CLIENT_ID.test(id) ? await findClient(db, id) : undefined
      if (!row) throw new OAuthRequestError('invalid_client', UNKNOWN_CLIENT)
      return { id, name: row.name, redirectUris: row.redirect_uris, host: null }
    },

    /**
     * Authenticates a client with the method that it registered (RFC 6749 §2.3.1) and returns its id. A client with a
     * metadata document has no secret.
     * @throws OAuthRequestError
     */
    async authenticate(
      authorization: string | undefined,
      form: Readonly<Record<string, string>>,
    ): Promise<string> {
      const { id, secret } = readClientCredentials(authorization, form)
      if (isMetadataDocumentUrl(id)) return id
      const row = REGISTERED_CLIENT_ID.test(id) ? await findClient(db, id) : undefined
      if (!row) throw new OAuthRequestError('invalid_client', UNKNOWN_CLIENT)
      if (
        row.secret_hash &&
        !(isSecret('client', secret) && timingSafeEqual(hashSecret(secret), row.secret_hash))
      )
        throw new OAuthRequestError('invalid_client', 'The client secret is wrong.')
      return id
    },
  }
}

async function registerClient(db: Db, metadata: unknown, ip: string): Promise<Record<string, unknown>> {
  const { name, redirectUris, authMethod } = readClientMetadata(metadata, 'client_secret_basic')
  const id = `mcc_${randomText(ID_CHARACTERS)}`
  const secret = authMethod === 'none' ? undefined : newSecret('client')
  const row = await insertClient(
    db,
    {
      id,
      name,
      redirect_uris: redirectUris,
      auth_method: authMethod,
      secret_hash: secret === undefined ? null : hashSecret(secret),
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
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  }
}

function readClientCredentials(
  authorization: string | undefined,
  form: Readonly<Record<string, string>>,
): { id: string; secret: string | undefined } {
  const basic = /^basic ([A-Za-z0-9+/]{1,2000}={0,2})$/i.exec(authorization ?? '')?.[1]
  if (basic === undefined) return { id: form['client_id'] ?? '', secret: form['client_secret'] }
  const [id = '', secret = ''] = Buffer.from(basic, 'base64').toString('latin1').split(':', 2)
  return { id: decodeFormComponent(id), secret: decodeFormComponent(secret) }
}

/** Decodes one half of Basic credentials, which is form-encoded (RFC 6749 §2.3.1). */
const decodeFormComponent = (text: string): string =>
  new URLSearchParams(`v=${text.replaceAll('&', '%26')}`).get('v') ?? ''
