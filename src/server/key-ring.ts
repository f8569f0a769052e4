import type { Config } from '../platform/config.ts'
import { type KeyRing, loadOrCreateKeyFile } from '../platform/crypto/index.ts'
import { createKeyWrapper, KmsError, type KeyWrapper } from '../platform/crypto/kms/index.ts'
import { StartupError } from '../platform/startup-error.ts'

type KeySettings = Pick<
  Config,
  'dataDir' | 'encryptionKeys' | 'kmsKey' | 'kmsEndpoint' | 'vaultToken' | 'googleCredentialsFile'
>

/** Loads the encryption keys: of ENCRYPTION_KEYS, or of the key file, which is created. @throws StartupError */
export async function loadConfiguredKeys(config: KeySettings): Promise<KeyRing> {
  const wrapper = await configuredWrapper(config)
  return config.encryptionKeys ?? loadOrCreateKeyFile(config.dataDir, wrapper)
}

/** Returns the client of the key management service, or undefined if none is set. @throws StartupError */
export async function configuredWrapper({
  encryptionKeys,
  kmsKey: key,
  kmsEndpoint,
  vaultToken,
  googleCredentialsFile,
}: KeySettings): Promise<KeyWrapper | undefined> {
  if (!key) return undefined
  if (encryptionKeys)
    throw new StartupError(
      'ENCRYPTION_KEYS and KMS_KEY are both set.',
      'Remove ENCRYPTION_KEYS: with KMS_KEY, the service encrypts the keys of encryption.keys in the data directory.',
    )
  try {
    return await createKeyWrapper({ key, endpoint: kmsEndpoint, vaultToken, googleCredentialsFile })
  } catch (cause) {
    if (!(cause instanceof KmsError)) throw cause
    throw new StartupError(`KMS_KEY cannot be used: ${cause.message}.`, 'Set what the message names.', {
      cause,
    })
  }
}
