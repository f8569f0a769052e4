import { isObject } from '../../../platform/json-object.ts'
import type { Egress } from '../../../platform/egress/index.ts'
import { type ClientMetadata, readClientMetadata } from './client-metadata.ts'
import { OAuthRequestError } from '../oauth-error.ts'
import type { FetchLimits } from './fetch-limits.ts'
import { createRemoteDocuments } from './remote-json.ts'

const CHARACTERS_MAX = 1_024

/** Whether a client id is the URL of a client metadata document: https, with a path, in normalized form. */
export function isMetadataDocumentUrl(id: string): boolean {
  const url = id.length <= CHARACTERS_MAX && id.startsWith('https://') ? URL.parse(id) : null
  return (
    url !== null &&
    url.href === id &&
    url.pathname !== '/' &&
    !id.includes('#') &&
    !url.username &&
    !url.password
  )
}

/** Reads clients whose id is the URL of their metadata document (OAuth Client ID Metadata Document). */
export const createClientDocuments = (egress: Egress, limits?: FetchLimits) =>
  createRemoteDocuments(egress, { name: 'metadata document', parse: parseClientDocument }, limits)

/**
 * Parses the metadata document of a client. Rejects a document with another client id, or with a secret, because anyone
 * can read the document.
 * @throws OAuthRequestError
 */
export function parseClientDocument(id: string, json: unknown): ClientMetadata {
  const client = readClientMetadata(json, 'none')
  const { client_id: clientId, client_secret: secret } = isObject(json) ? json : {}
  if (clientId !== id)
    throw new OAuthRequestError(
      'invalid_client',
      'The client_id in the metadata document must be the URL of the document.',
    )
  const isWithoutSecret = client.authMethod === 'none' || client.authMethod === 'private_key_jwt'
  if (!isWithoutSecret || secret !== undefined)
    throw new OAuthRequestError(
      'invalid_client',
      'A client with a metadata document cannot have a secret. Set token_endpoint_auth_method to none or ' +
        'private_key_jwt.',
    )
  return client
}
