export { loadOrCreateKeyFile } from './key-file.ts'
export { keyRingFrom, type KeyRing } from './key-ring.ts'
export { hashKey, maskKey, newApiKey, timingSafeEqualText } from './keys.ts'
export { SealError, sealer, type Sealer } from './seal.ts'
