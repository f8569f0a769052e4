import type { Encryptor } from '../../../platform/crypto/index.ts'
import type { SubscriptionRow } from './store.ts'

const encryptionContext = (id: string, column: 'secret' | 'former_secret' | 'approval_secret') =>
  `webhook_subscriptions:${id}:${column}`

export const encryptSecret = (encryptor: Encryptor, id: string, secret: string): Buffer =>
  encryptor.encrypt(secret, encryptionContext(id, 'secret'))

export const encryptFormerSecret = (encryptor: Encryptor, id: string, secret: string): Buffer =>
  encryptor.encrypt(secret, encryptionContext(id, 'former_secret'))

export const decryptSecret = (
  encryptor: Encryptor,
  { id, secret }: Pick<SubscriptionRow, 'id' | 'secret'>,
): string => encryptor.decrypt<string>(secret, encryptionContext(id, 'secret'))

export const decryptFormerSecret = (encryptor: Encryptor, id: string, encryptedSecret: Buffer): string =>
  encryptor.decrypt<string>(encryptedSecret, encryptionContext(id, 'former_secret'))

export const encryptApprovalSecret = (encryptor: Encryptor, id: string, secret: string): Buffer =>
  encryptor.encrypt(secret, encryptionContext(id, 'approval_secret'))

export const decryptApprovalSecret = (encryptor: Encryptor, id: string, encryptedSecret: Buffer): string =>
  encryptor.decrypt<string>(encryptedSecret, encryptionContext(id, 'approval_secret'))
