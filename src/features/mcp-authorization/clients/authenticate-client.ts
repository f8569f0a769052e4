import { timingSafeEqual } from 'node:crypto'
import type { JSONWebKeySet } from 'jose'
import type { Db } from '../../../platform/db/sql.ts'
import type { Egress } from '../../../platform/egress/index.ts'
import type { ClientRequest } from '../client-request.ts'
import { OAuthRequestError } from '../oauth-error.ts'
import { hashSecret, isSecret } from '../secrets.ts'
import {
  ASSERTION_TYPE,
  type AssertionContext,
  claimedClientId,
  verifyClientAssertion,
} from './client-assertion.ts'
import type { AuthMethod, ClientMetadata } from './client-metadata.ts'
import type { FetchLimits } from './fetch-limits.ts'
import { clientNetwork } from './client-network.ts'
import { isMetadataDocumentUrl } from './metadata-document.ts'
import { type ClientKeys, readPublicKeys } from './public-keys.ts'
import { createRemoteDocuments } from './remote-json.ts'
import type { McpClientRow } from './store.ts'

/** A client that was authenticated with the method that it registered. */
export interface AuthenticatedClient {
  id: string
  /** `none` for a public client: its id alone proves nothing. */
  method: AuthMethod
  requiresDpop: boolean
}

export interface ClientAuthenticationDeps {
  db: Db
  egress: Egress
  /** The limits of all fetches that clients cause. */
  limits: FetchLimits
  now(): number
  publicUrl: string
  /** Returns a registered client. @throws OAuthRequestError */
  findRegistered(id: string): Promise<McpClientRow>
  /** Reads the metadata document of a client, again if it is not sufficient. @throws OAuthRequestError */
  readDocument(
    id: string,
    network: string,
    isSufficient?: (metadata: ClientMetadata) => boolean,
  ): Promise<ClientMetadata>
}

interface ClientCredentials {
  id: string
  secret: string | undefined
  assertion: string | undefined
}

interface AuthenticationContext extends ClientAuthenticationDeps {
  keySets: {
    read(url: string, network: string, isSufficient: (keys: JSONWebKeySet) => boolean): Promise<JSONWebKeySet>
  }
}

/** Authenticates clients at the endpoints that they call (RFC 6749 §2.3, RFC 7523). */
export function createClientAuthentication(deps: ClientAuthenticationDeps) {
  const keySets = createRemoteDocuments(deps.egress, { name: 'jwks_uri', parse: parseKeySet }, deps.limits)
  const context = { ...deps, keySets }
  /** @throws OAuthRequestError */
  return async (request: ClientRequest): Promise<AuthenticatedClient> => {
    const credentials = readClientCredentials(request)
    return isMetadataDocumentUrl(credentials.id)
      ? authenticateByDocument(context, credentials, request)
      : authenticateRegistered(context, credentials, request)
  }
}

/**
 * A client with a metadata document is public unless it sends an assertion. That one is demanded where its grant or
 * request says so: its document may be out of reach now.
 */
async function authenticateByDocument(
  context: AuthenticationContext,
  { id, assertion }: ClientCredentials,
  request: ClientRequest,
): Promise<AuthenticatedClient> {
  if (assertion === undefined) return { id, method: 'none', requiresDpop: false }
  const network = clientNetwork(request.ip)
  const { authMethod, requiresDpop } = await context.readDocument(id, network)
  if (authMethod !== 'private_key_jwt')
    throw new OAuthRequestError(
      'invalid_client',
      'The metadata document of the client has no private_key_jwt.',
    )
  await verify(context, { id, assertion }, request, async (isSufficient) => {
    const { keys } = await context.readDocument(
      id,
      network,
      ({ keys: known }) => !known || !('jwks' in known) || isSufficient(known.jwks),
    )
    return readKeySet(context, keys, network, isSufficient)
  })
  return { id, method: 'private_key_jwt', requiresDpop }
}

async function authenticateRegistered(
  context: AuthenticationContext,
  { id, secret, assertion }: ClientCredentials,
  request: ClientRequest,
): Promise<AuthenticatedClient> {
  const row = await context.findRegistered(id)
  if (row.auth_method === 'private_key_jwt') {
    if (assertion === undefined)
      throw new OAuthRequestError(
        'invalid_client',
        `The client registered private_key_jwt: send client_assertion and client_assertion_type=${ASSERTION_TYPE}.`,
      )
    const keys = row.jwks ? { jwks: row.jwks } : { jwksUri: row.jwks_uri ?? '' }
    await verify(context, { id, assertion }, request, (isSufficient) =>
      readKeySet(context, keys, clientNetwork(request.ip), isSufficient),
    )
  } else if (assertion !== undefined) {
    throw new OAuthRequestError(
      'invalid_client',
      `The client registered ${row.auth_method}, not private_key_jwt.`,
    )
  } else if (
    row.secret_hash &&
    !(isSecret('client', secret) && timingSafeEqual(hashSecret(secret), row.secret_hash))
  ) {
    throw new OAuthRequestError('invalid_client', 'The client secret is wrong.')
  }
  return { id, method: row.auth_method, requiresDpop: row.requires_dpop }
}

/** @throws OAuthRequestError */
const verify = (
  context: AuthenticationContext,
  { id, assertion }: { id: string; assertion: string },
  { ip, path }: ClientRequest,
  readKeys: AssertionContext['readKeys'],
): Promise<void> =>
  verifyClientAssertion(assertion, {
    db: context.db,
    now: context.now(),
    clientId: id,
    ip,
    audiences: [context.publicUrl, `${context.publicUrl}/oauth/token`, context.publicUrl + path],
    readKeys,
  })

/** @throws OAuthRequestError */
async function readKeySet(
  { keySets }: AuthenticationContext,
  keys: ClientKeys | null,
  network: string,
  isSufficient: (keys: JSONWebKeySet) => boolean,
): Promise<JSONWebKeySet> {
  if (!keys) throw new OAuthRequestError('invalid_client', 'The client has registered no keys.')
  return 'jwks' in keys ? keys.jwks : keySets.read(keys.jwksUri, network, isSufficient)
}

function parseKeySet(_url: string, json: unknown): JSONWebKeySet {
  const keys = readPublicKeys(json)
  if (!keys)
    throw new OAuthRequestError('invalid_client', 'The jwks_uri of the client has no set of public keys.')
  return keys
}

/** @throws OAuthRequestError if the client uses more than one method (RFC 6749 §2.3) */
function readClientCredentials({ authorization, form }: ClientRequest): ClientCredentials {
  const basic = /^basic ([A-Za-z0-9+/]{1,2000}={0,2})$/i.exec(authorization ?? '')?.[1]
  if (basic === undefined && /^basic\b/i.test(authorization ?? ''))
    throw new OAuthRequestError('invalid_client', 'The header Authorization has no valid Basic credentials.')
  const { client_assertion: assertion, client_assertion_type: type, client_secret: secret } = form
  if (assertion !== undefined) {
    if (type !== ASSERTION_TYPE)
      throw new OAuthRequestError('invalid_request', `client_assertion_type must be ${ASSERTION_TYPE}.`)
    if (basic !== undefined || secret !== undefined)
      throw new OAuthRequestError('invalid_request', 'Send either client_assertion or a client secret.')
    return { id: form['client_id'] ?? claimedClientId(assertion) ?? '', secret: undefined, assertion }
  }
  if (basic === undefined) return { id: form['client_id'] ?? '', secret, assertion: undefined }
  const [id = '', password = ''] = Buffer.from(basic, 'base64')
    .toString('latin1')
    .split(':', 2)
    .map(decodeFormComponent)
  if (secret !== undefined || (form['client_id'] ?? id) !== id)
    throw new OAuthRequestError(
      'invalid_request',
      'Send the client id and the secret once: in the header Authorization, or in the body.',
    )
  return { id, secret: password, assertion: undefined }
}

/** Decodes one half of Basic credentials, which is form-encoded (RFC 6749 §2.3.1). */
const decodeFormComponent = (text: string): string =>
  new URLSearchParams(`v=${text.replaceAll('&', '%26')}`).get('v') ?? ''
