import { sign } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { parseBoundedJsonOrUndefined } from '../../bounded-json.ts'
import { isObject } from '../../json-object.ts'
import { requestKms, textField, toBase64 } from './request.ts'
import { type KeyWrapper, KmsError, type KmsKey } from './types.ts'

const SERVICE = 'Google Cloud KMS'
const SCOPE = 'https://www.googleapis.com/auth/cloudkms'
const ENDPOINT = 'https://cloudkms.googleapis.com'
const METADATA = 'http://metadata.google.internal/computeMetadata/v1/instance/service-accounts/default/token'
const LIFETIME_SECONDS = 600

export interface GcpKmsOptions {
  endpoint: string | undefined
  /** The key file of a service account. Undefined: the service account of the machine. */
  credentialsFile: string | undefined
  /** For tests: where the token of the machine is. */
  metadataUrl?: string
}

/**
 * Uses a symmetric key of Google Cloud KMS, as the service account of the machine or of a key file. It needs the role
 * `roles/cloudkms.cryptoKeyEncrypterDecrypter` on the key.
 */
export function gcpKms(
  { key }: Extract<KmsKey, { service: 'gcp-kms' }>,
  { endpoint = ENDPOINT, credentialsFile, metadataUrl = METADATA }: GcpKmsOptions,
): KeyWrapper {
  const send = async (operation: 'encrypt' | 'decrypt', id: string, fields: Record<string, string>) => {
    const token =
      credentialsFile === undefined ? await machineToken(metadataUrl) : await accountToken(credentialsFile)
    const request = {
      method: 'POST' as const,
      url: `${endpoint}/v1/${key}:${operation}`,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ ...fields, additionalAuthenticatedData: toBase64(id) }),
    }
    return requestKms(SERVICE, () => request, errorStatus)
  }
  return {
    name: `${SERVICE} key ${key}`,
    wrap: async (id, bytes) =>
      textField(SERVICE, await send('encrypt', id, { plaintext: toBase64(bytes) }), 'ciphertext'),
    unwrap: async (id, ciphertext) =>
      Buffer.from(textField(SERVICE, await send('decrypt', id, { ciphertext }), 'plaintext'), 'base64'),
  }
}

const errorStatus = ({ error }: Record<string, unknown>): unknown =>
  isObject(error) ? error['status'] : error

/** The token of the machine's service account (Compute Engine, GKE, Cloud Run). */
async function machineToken(url: string): Promise<string> {
  const request = { method: 'GET' as const, url, headers: { 'metadata-flavor': 'Google' } }
  const service = 'The metadata server of Google Cloud'
  return textField(service, await requestKms(service, () => request, errorStatus), 'access_token')
}

/** Exchanges a signed grant (RFC 7523) of a service account for a token. */
async function accountToken(file: string): Promise<string> {
  const { client_email: email, private_key: privateKey, token_uri: tokenUrl } = await readAccount(file)
  const now = Math.floor(Date.now() / 1_000)
  const claims = { iss: email, scope: SCOPE, aud: tokenUrl, iat: now, exp: now + LIFETIME_SECONDS }
  const input = [{ alg: 'RS256', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  const signature = sign('RSA-SHA256', Buffer.from(input), privateKey).toString('base64url')
  const body = new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion: `${input}.${signature}`,
  }).toString()
  const request = {
    method: 'POST' as const,
    url: tokenUrl,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body,
  }
  const service = 'The token endpoint of Google Cloud'
  return textField(service, await requestKms(service, () => request, errorStatus), 'access_token')
}

async function readAccount(
  file: string,
): Promise<Record<'client_email' | 'private_key' | 'token_uri', string>> {
  const text = await readFile(file, 'utf8').catch((cause: Error) => {
    throw new KmsError(`GOOGLE_APPLICATION_CREDENTIALS cannot be read: ${cause.message}`, { cause })
  })
  const json = parseBoundedJsonOrUndefined(text)
  const fields = isObject(json) ? [json['client_email'], json['private_key'], json['token_uri']] : []
  const [email, key, url] = fields.map((field) => (typeof field === 'string' ? field : ''))
  if (!email || !key || !url)
    throw new KmsError('GOOGLE_APPLICATION_CREDENTIALS is not the key file of a service account')
  return { client_email: email, private_key: key, token_uri: url }
}
