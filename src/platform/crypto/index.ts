export { loadOrCreateKeyFile } from './key-file.ts'
export { addKey, addWrappedKey, keepFirstKey } from './key-file-change.ts'
export { type KeySource, KEY_CHECK_INTERVAL_MS, loadKeyRing } from './key-source.ts'
export { parseKeyRing, type KeyRing } from './key-ring.ts'
export { hasKeyChecksum, hashKey, maskKey, newApiKey, timingSafeEqualText } from './keys.ts'
export { EncryptionError } from './encryption-error.ts'
export {
  decryptWithPassphrase,
  encryptWithPassphrase,
  PASSPHRASE_LENGTH_MIN,
  type PassphraseEnvelope,
} from './passphrase.ts'
export { encryptedPrefix } from './cipher.ts'
export {
  DataKeyCache,
  type DataKeyPurpose,
  type DataKeyStore,
  type NewDataKey,
  type StoredDataKey,
} from './data-keys.ts'
export { createEncryptor, type Encryptor, type ProjectEncryptor } from './encryptor.ts'
export { encryptorsOf } from './encryptors-of.ts'
