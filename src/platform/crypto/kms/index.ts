import type { KeyWrapper, KmsKey } from './types.ts'

export { parseKmsKey } from './parse-kms-key.ts'
export { type KeyWrapper, KmsError, type KmsKey } from './types.ts'

export interface KmsOptions {
  key: KmsKey
  /** Undefined: the public endpoint of the service. Vault has its own in the key. */
  endpoint: string | undefined
  vaultToken: string | undefined
  /** The key file of a Google Cloud service account. */
  googleCredentialsFile: string | undefined
}

/** Returns the client of a key management service. Only the module of this service is loaded. @throws KmsError */
export async function createKeyWrapper({ key, ...options }: KmsOptions): Promise<KeyWrapper> {
  if (key.service === 'aws-kms') return (await import('./aws-kms.ts')).awsKms(key, options.endpoint)
  if (key.service === 'vault')
    return (await import('./vault-transit.ts')).vaultTransit(key, options.vaultToken)
  const { gcpKms } = await import('./gcp-kms.ts')
  return gcpKms(key, { endpoint: options.endpoint, credentialsFile: options.googleCredentialsFile })
}
