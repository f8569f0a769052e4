import { fromNodeProviderChain } from '@aws-sdk/credential-providers'
import aws4 from 'aws4'
import { requestKms, textField, toBase64 } from './request.ts'
import { type KeyWrapper, KmsError, type KmsKey } from './types.ts'

const SERVICE = 'AWS KMS'

/**
 * Uses a symmetric key of AWS KMS, with the credentials that the AWS SDK finds: variables, profiles, web identity, the
 * role of the container or the machine. It needs `kms:Encrypt` and `kms:Decrypt`.
 */
export function awsKms(
  { key, region }: Extract<KmsKey, { service: 'aws-kms' }>,
  endpoint = `https://kms.${region}.amazonaws.com`,
): KeyWrapper {
  const findCredentials = fromNodeProviderChain({ clientConfig: { region } })
  const send = async (operation: 'Encrypt' | 'Decrypt', id: string, fields: Record<string, string>) => {
    const credentials = await findCredentials().catch((cause: Error) => {
      throw new KmsError(`no credentials for ${SERVICE} were found: ${cause.message}`, { cause })
    })
    const body = JSON.stringify({ ...fields, KeyId: key, EncryptionContext: { 'patchbay:key': id } })
    const { host } = new URL(endpoint)
    // Signed anew for each attempt: a signature is valid for some minutes only.
    const create = () => {
      const signed = aws4.sign(
        {
          service: 'kms',
          region,
          host,
          method: 'POST',
          path: '/',
          body,
          headers: {
            'Content-Type': 'application/x-amz-json-1.1',
            'X-Amz-Target': `TrentService.${operation}`,
          },
        },
        credentials,
      )
      const headers = Object.entries(signed.headers as Record<string, string | number>)
        // The HTTP client sets these two, with the same values.
        .filter(([name]) => !['host', 'content-length'].includes(name.toLowerCase()))
        .map(([name, value]) => [name.toLowerCase(), String(value)] as const)
      return { method: 'POST' as const, url: `${endpoint}/`, headers: Object.fromEntries(headers), body }
    }
    return requestKms(SERVICE, create, (response) => response['__type'])
  }
  return {
    name: `${SERVICE} key ${key}`,
    wrap: async (id, bytes) =>
      textField(SERVICE, await send('Encrypt', id, { Plaintext: toBase64(bytes) }), 'CiphertextBlob'),
    unwrap: async (id, text) =>
      Buffer.from(
        textField(SERVICE, await send('Decrypt', id, { CiphertextBlob: text }), 'Plaintext'),
        'base64',
      ),
  }
}
