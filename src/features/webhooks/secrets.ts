import type { Encryptor } from '../../platform/crypto/index.ts'
import type { SubscriptionRow } from './store.ts'

const contextOf = (id: string, part: 'secret' | 'former_secret') => `webhook_subscriptions:${id}:${part}`

export const sealSecret = (encryptor: Encryptor, id: string, secret: string): Buffer =>
  encryptor.encrypt(secret, contextOf(id, 'secret'))
export const sealFormer = (encryptor: Encryptor, id: string, secret: string): Buffer =>
  encryptor.encrypt(secret, contextOf(id, 'former_secret'))
export const openSecret = (
  encryptor: Encryptor,
  { id, secret }: Pick<SubscriptionRow, 'id' | 'secret'>,
): string => encryptor.decrypt<string>(secret, contextOf(id, 'secret'))
export const openFormer = (encryptor: Encryptor, id: string, sealed: Buffer): string =>
  encryptor.decrypt<string>(sealed, contextOf(id, 'former_secret'))
