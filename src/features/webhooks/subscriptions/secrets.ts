import type { Encryptor, ProjectEncryptor } from '../../../platform/crypto/index.ts'
import { newSigningKey } from '../../../platform/webhook-signature.ts'
import type { SubscriptionRow } from './store.ts'

const encryptionContext = (
  id: string,
  column: 'secret' | 'former_secret' | 'approval_secret' | 'signing_key',
) => `webhook_subscriptions:${id}:${column}`

export const encryptSecret = (encryptor: ProjectEncryptor, id: string, secret: string): Buffer =>
  encryptor.encrypt(secret, encryptionContext(id, 'secret'))

export const encryptFormerSecret = (encryptor: ProjectEncryptor, id: string, secret: string): Buffer =>
  encryptor.encrypt(secret, encryptionContext(id, 'former_secret'))

export const decryptSecret = (
  encryptor: Encryptor,
  { id, secret }: Pick<SubscriptionRow, 'id' | 'secret'>,
): string => encryptor.decrypt<string>(secret, encryptionContext(id, 'secret'))

export const decryptFormerSecret = (encryptor: Encryptor, id: string, encryptedSecret: Buffer): string =>
  encryptor.decrypt<string>(encryptedSecret, encryptionContext(id, 'former_secret'))

export const encryptApprovalSecret = (encryptor: ProjectEncryptor, id: string, secret: string): Buffer =>
  encryptor.encrypt(secret, encryptionContext(id, 'approval_secret'))

export const decryptApprovalSecret = (encryptor: Encryptor, id: string, encryptedSecret: Buffer): string =>
  encryptor.decrypt<string>(encryptedSecret, encryptionContext(id, 'approval_secret'))

/** Creates a signing key, and returns it encrypted. */
export const newSigningKeyColumn = (encryptor: ProjectEncryptor, id: string): Buffer =>
  encryptor.encrypt(newSigningKey(), encryptionContext(id, 'signing_key'))

/** Returns the private key with which a subscription signs; undefined if it signs with its secret only. */
export const decryptSigningKey = (
  encryptor: Encryptor,
  { id, signing_key: key }: Pick<SubscriptionRow, 'id' | 'signing_key'>,
): string | undefined =>
  key === null ? undefined : encryptor.decrypt<string>(key, encryptionContext(id, 'signing_key'))

/** Creates or removes the signing key. A key that exists stays: receivers have its public key. */
export const signingKeyChange = (
  encryptor: ProjectEncryptor,
  { id, signing_key: current }: Pick<SubscriptionRow, 'id' | 'signing_key'>,
  isAsymmetric: boolean | undefined,
): { signing_key?: Buffer | null } => {
  if (isAsymmetric === undefined || isAsymmetric === (current !== null)) return {}
  return { signing_key: isAsymmetric ? newSigningKeyColumn(encryptor, id) : null }
}
